import type { Product } from '@mendframe/contract'
import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { Navigate, useLocation } from 'react-router'
import { Footer } from '../features/chrome/footer.tsx'
import { PublicHeader } from '../features/chrome/public-header.tsx'
import { SkipLink } from '../features/chrome/skip-link.tsx'
import { openOverlay } from '../shared/overlay/overlay.ts'
import { useSignedIn } from '../shared/storage/use-signed-in.ts'
import { FullSpinner } from '../shared/ui/full-spinner.tsx'
import { UserMenuSlot } from './user-menu-slot.tsx'
import { WithStore } from './with-store.tsx'

interface AdminAreaProps {
  readonly product: Product
  readonly children: ReactNode
}

/** The signed-in area: who is not remembered with an email goes to the start page. */
export function AdminArea({ product, children }: AdminAreaProps) {
  const signedIn = useSignedIn(product)
  const { pathname, search } = useLocation()
  const [upload] = useState(() => (new URLSearchParams(search).has('u') ? pathname + search : undefined))
  // A guest who follows the link to an upload of his goes on with it once he has signed in.
  useEffect(() => {
    if (!signedIn && upload) openOverlay({ kind: 'sign-in', product, goTo: upload })
  }, [signedIn, upload, product])
  if (!signedIn) return <Navigate to={product === 'video' ? '/' : '/photo/'} replace />
  return (
    <WithStore>
      <div className="isolate flex min-h-dvh flex-col">
        <SkipLink />
        <PublicHeader product={product} userMenu={<UserMenuSlot product={product} area="admin" />} />
        <main id="main" tabIndex={-1} className="flex-1 outline-none">
          <Suspense fallback={<FullSpinner label="Loading your account" />}>{children}</Suspense>
        </main>
        <Footer />
      </div>
    </WithStore>
  )
}
