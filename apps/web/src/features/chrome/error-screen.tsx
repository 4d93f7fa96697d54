import { isRouteErrorResponse } from 'react-router'
import { brand } from '../../shared/brand/brand.ts'
import { ChunkLoadError } from '../../shared/lib/lazy-with-timeout.ts'
import { UnknownPage } from '../../shared/lib/unknown-page.ts'
import { ButtonAnchor } from '../../shared/ui/button.tsx'
import { Logo } from '../../shared/ui/logo.tsx'

function explain(error: unknown): { readonly what: string; readonly next: string } {
  if (error instanceof UnknownPage || (isRouteErrorResponse(error) && error.status === 404)) {
    return {
      what: 'There is no page at this address.',
      next: 'Check the address, or begin at the start page.',
    }
  }
  if (error instanceof ChunkLoadError) {
    return { what: error.message, next: 'Check your connection and load the page again.' }
  }
  return {
    what: 'This page stopped because of a fault in it. Your files on the service are not affected.',
    next: 'Load the page again, or begin at the start page.',
  }
}

/** The fallback of the router: for unknown addresses and for faults. */
export function ErrorScreen({ error }: { readonly error: unknown }) {
  const { what, next } = explain(error)
  return (
    <main className="page flex min-h-dvh flex-col items-start justify-center gap-5 py-16">
      <title>{`Unexpected Application Error! · ${brand.name}`}</title>
      <a href="/" className="mb-6 rounded-sm text-ink no-underline" aria-label={`${brand.name}, start page`}>
        <Logo />
      </a>
      <h1 className="text-title">Unexpected Application Error!</h1>
      <p className="max-w-[60ch] text-lead">{what}</p>
      <p className="max-w-[60ch] text-ink-soft">{next}</p>
      <div className="mt-3 flex flex-wrap gap-3">
        <ButtonAnchor href="/">Go to the start page</ButtonAnchor>
        <ButtonAnchor look="secondary" href={`mailto:${brand.supportEmail}`}>
          Write to support
        </ButtonAnchor>
      </div>
    </main>
  )
}
