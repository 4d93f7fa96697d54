import type { Product, Provider } from '@mendframe/contract'
import { useEffect, useRef, useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { PHOTO_APP_PATH, takeReturn } from '../features/auth/after-sign-in.ts'
import { finishProvider } from '../features/auth/provider-return.ts'
import { notify } from '../shared/notify/notify.ts'
import { storeSession } from '../shared/storage/session.ts'
import { FullSpinner } from '../shared/ui/full-spinner.tsx'

interface ProviderReturnPageProps {
  readonly provider: Provider
  readonly product: Product
}

const NAMES = { google: 'Google', apple: 'Apple' } as const

/** Where Google and Apple send the visitor back to. */
export function ProviderReturnPage({ provider, product }: ProviderReturnPageProps) {
  const [query] = useSearchParams()
  const navigate = useNavigate()
  const [done, setDone] = useState(false)
  const [refused, setRefused] = useState(false)
  const begun = useRef(false)

  useEffect(() => {
    // A code works once, and effects run twice in development.
    if (begun.current) return
    begun.current = true
    void finishProvider(provider, product, query).then((outcome) => {
      if (outcome.kind === 'error') {
        navigate(`/error?${new URLSearchParams({ reason: outcome.reason, product })}`, { replace: true })
        return
      }
      if (outcome.kind === 'refused') {
        notify('error', outcome.message)
        setRefused(true)
        return
      }
      setDone(true)
      storeSession(product, outcome.reply.user, outcome.reply.token)
      window.location.replace(takeReturn() ?? (product === 'photo' ? PHOTO_APP_PATH : '/'))
    })
  }, [provider, product, query, navigate])

  return (
    <FullSpinner label={done ? 'Redirecting...' : `Processing ${NAMES[provider]} Sign-In...`}>
      {refused ? (
        <Link to={product === 'photo' ? '/photo/' : '/'} className="inline-link font-semibold">
          Back to the start page
        </Link>
      ) : null}
    </FullSpinner>
  )
}
