import { Suspense } from 'react'
import { lazyPart } from '../shared/lib/deferred.tsx'
import { useToastsWanted } from '../shared/notify/notify.ts'
import { useOverlay } from '../shared/overlay/overlay.ts'

const Dialogs = lazyPart('dialogs', async () => (await import('./dialogs.tsx')).Dialogs)
const Toasts = lazyPart('toasts', async () => (await import('../shared/ui/toasts.tsx')).Toasts)

/** Dialogs and toasts, each fetched when first asked for. */
export function Overlays() {
  const state = useOverlay()
  const toasts = useToastsWanted()
  return (
    <Suspense fallback={null}>
      {state ? <Dialogs overlay={state.overlay} open={state.open} /> : null}
      {toasts ? <Toasts /> : null}
    </Suspense>
  )
}
