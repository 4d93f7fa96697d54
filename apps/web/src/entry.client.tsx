import { StrictMode, startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'
import { ErrorScreen } from './features/chrome/error-screen.tsx'
import { ChunkLoadError } from './shared/lib/lazy-with-timeout.ts'
import { mayStart } from './shared/lib/starts.ts'

/** Where a page begins in the browser: with what the service sent, or with why it cannot. */
if (mayStart()) {
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <HydratedRouter />
      </StrictMode>,
    )
  })
} else {
  const error = new ChunkLoadError(`Loading chunk ${window.location.pathname} failed.`)
  createRoot(document.body).render(<ErrorScreen error={error} />)
}
