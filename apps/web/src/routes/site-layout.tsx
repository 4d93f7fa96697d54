import { Suspense } from 'react'
import { Outlet, useLocation } from 'react-router'
import { PublicHeader } from '../features/chrome/public-header.tsx'
import { SkipLink } from '../features/chrome/skip-link.tsx'
import { deferredPart, lazyPart } from '../shared/lib/deferred.tsx'

const UserMenuSlot = lazyPart(
  'user-menu',
  async () => (await import('../app/user-menu-slot.tsx')).UserMenuSlot,
)
const Footer = deferredPart('footer', async () => (await import('../features/chrome/footer.tsx')).Footer)

/** Header, main, footer of every public page. */
export default function SiteLayout() {
  const product = useLocation().pathname.startsWith('/photo') ? 'photo' : 'video'
  return (
    <div className="isolate flex min-h-dvh flex-col">
      <SkipLink />
      <PublicHeader
        product={product}
        userMenu={
          <Suspense fallback={<span className="size-11 rounded-full bg-biscuit" />}>
            <UserMenuSlot product={product} area="public" />
          </Suspense>
        }
      />
      <main id="main" tabIndex={-1} className="flex-1 outline-none">
        <Outlet />
      </main>
      <Suspense fallback={<div className="h-120" />}>
        <Footer />
      </Suspense>
    </div>
  )
}
