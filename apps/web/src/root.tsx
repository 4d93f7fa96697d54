import bricolage from '@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-opsz-normal.woff2?url'
import sourceSans from '@fontsource-variable/source-sans-3/files/source-sans-3-latin-wght-normal.woff2?url'
import { type ReactNode, useEffect, useState } from 'react'
import { Links, Meta, Outlet, Scripts, ScrollRestoration, useLocation } from 'react-router'
import type { Route } from './+types/root.ts'
import './app.css'
import { Overlays } from './app/overlays.tsx'
import { ErrorScreen } from './features/chrome/error-screen.tsx'
import { brand } from './shared/brand/brand.ts'
import { markNavigated } from './shared/lib/deferred.tsx'
import { hasStarted } from './shared/lib/starts.ts'
import { THEME_SCRIPT } from './shared/lib/theme.ts'
import { Logo } from './shared/ui/logo.tsx'

export const links: Route.LinksFunction = () => [
  { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' },
  { rel: 'preload', href: bricolage, as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' },
  { rel: 'preload', href: sourceSans, as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' },
]

/** The name of pages that have no other: shown, too, until a page that is not prerendered has started. */
export function meta(): Route.MetaDescriptors {
  return [{ title: brand.name }]
}

/** The document around every page. */
export function Layout({ children }: { readonly children: ReactNode }) {
  return (
    <html lang="en" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <script>{THEME_SCRIPT}</script>
        <Meta />
        <Links />
      </head>
      <body>
        {children}
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  )
}

/** Shown while a page that is not prerendered starts: the logo, where the page's own header has it. */
export function HydrateFallback() {
  return (
    <div className="min-h-dvh" aria-busy="true">
      <div className="border-b border-mist">
        <div className="page flex h-16 items-center sm:h-18">
          <Logo />
        </div>
      </div>
    </div>
  )
}

export default function Root() {
  const { pathname } = useLocation()
  const [first] = useState(pathname)
  if (pathname !== first) markNavigated()
  useEffect(hasStarted, [])
  return (
    <>
      <Outlet />
      <Overlays />
    </>
  )
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <ErrorScreen error={error} />
}
