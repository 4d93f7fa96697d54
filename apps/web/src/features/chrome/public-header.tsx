import { type ReactNode, useEffect } from 'react'
import { Link, NavLink } from 'react-router'
import { brand } from '../../shared/brand/brand.ts'
import { openOverlay } from '../../shared/overlay/overlay.ts'
import { useSignedIn } from '../../shared/storage/use-signed-in.ts'
import { Logo } from '../../shared/ui/logo.tsx'
import { ThemeToggle } from '../../shared/ui/theme-toggle.tsx'

const NAV = [
  { to: '/', label: 'Video' },
  { to: '/photo/', label: 'Photo' },
] as const

const SIGN_IN_HASH = '#sign-in'

/**
 * The header of the public pages: the logo, the two flavours, and either 'Sign In' or the user's menu. On a phone the
 * flavours are a row of their own.
 */
export function PublicHeader({
  product,
  userMenu,
}: {
  readonly product: 'video' | 'photo'
  readonly userMenu: ReactNode
}) {
  const signedIn = useSignedIn(product)
  // The link may also be opened in a tab of its own.
  useEffect(() => {
    if (window.location.hash === SIGN_IN_HASH) openOverlay({ kind: 'sign-in', product })
  }, [product])
  return (
    <header className="border-b border-mist">
      <div className="page flex flex-wrap items-center gap-x-2 sm:min-h-18 sm:gap-6">
        <Link
          to={product === 'photo' ? '/photo/' : '/'}
          className="flex rounded-sm text-ink no-underline max-sm:h-16 max-sm:items-center"
          aria-label={`${brand.name}, start page`}
        >
          <Logo />
        </Link>
        <nav
          aria-label="Products"
          className="order-last flex w-full items-center gap-1 max-sm:-mx-3 sm:order-none sm:ml-auto sm:w-auto"
        >
          {NAV.map((item) => (
            <NavLink
              key={item.to}
              to={item.to}
              end={item.to === '/'}
              className="border-b-2 border-transparent px-3 py-2 text-small font-semibold text-ink-soft no-underline hover:text-ink aria-[current=page]:border-seam-line aria-[current=page]:text-ink"
            >
              {item.label}
            </NavLink>
          ))}
        </nav>
        <div className="ml-auto flex items-center gap-1 sm:ml-0">
          <ThemeToggle />
          <div className="flex min-w-22 justify-end">
            {signedIn ? (
              userMenu
            ) : (
              <a
                href={SIGN_IN_HASH}
                className="flex min-h-11 items-center rounded-sm px-3 text-small font-semibold whitespace-nowrap text-ink no-underline hover:bg-biscuit"
                onClick={(event) => {
                  event.preventDefault()
                  openOverlay({ kind: 'sign-in', product })
                }}
              >
                Sign In
              </a>
            )}
          </div>
        </div>
      </div>
    </header>
  )
}
