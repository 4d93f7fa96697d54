import { SESSIONS } from '@mendframe/contract'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { call } from '../shared/api/call.ts'
import { ApiFailure } from '../shared/api/failure.ts'
import { Button, ButtonLink } from '../shared/ui/button.tsx'
import { LinkMissing } from './link-missing.tsx'

type State =
  | { readonly kind: 'ask' | 'busy' | 'done' }
  /** `spent`: the link is refused for good; otherwise another press may do. */
  | { readonly kind: 'failed'; readonly message: string; readonly spent: boolean }

/** Where the verification mail leads. A press of the button verifies: mail scanners open links, but press nothing. */
export function VerifyPage() {
  const [query] = useSearchParams()
  const token = query.get('token')
  const [state, setState] = useState<State>({ kind: 'ask' })
  if (!token) return <LinkMissing title="Verify your email" />
  const verify = async () => {
    if (state.kind === 'busy') return
    setState({ kind: 'busy' })
    try {
      await call(SESSIONS.verifyEmail, { body: { token } })
      setState({ kind: 'done' })
    } catch (cause) {
      const message =
        (cause instanceof ApiFailure && cause.message) || 'The service cannot be reached. Please try again.'
      setState({
        kind: 'failed',
        message,
        spent: cause instanceof ApiFailure && cause.code === 'auth.verify-invalid',
      })
    }
  }
  const isOver = state.kind === 'done' || (state.kind === 'failed' && state.spent)
  return (
    <section className="page py-16 lg:py-24">
      <h1 className="text-title">{state.kind === 'done' ? 'Your email is verified' : 'Verify your email'}</h1>
      <div role="status" className="mt-4 max-w-[60ch] text-lead">
        {state.kind === 'done' ? 'Thank you. You can go on where you were.' : null}
        {state.kind === 'failed' ? state.message : null}
        {state.kind === 'ask' || state.kind === 'busy' ? 'One press and this address is yours here.' : null}
      </div>
      <div className="mt-8 flex flex-wrap gap-3">
        {isOver ? (
          <ButtonLink to="/">Go to the start page</ButtonLink>
        ) : (
          <Button onClick={verify} aria-disabled={state.kind === 'busy'}>
            Verify my email
          </Button>
        )}
      </div>
    </section>
  )
}
