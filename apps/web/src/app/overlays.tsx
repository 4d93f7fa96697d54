import { Suspense } from 'react'
import { lazyPart } from '../shared/lib/deferred.tsx'
import { useToastsWanted } from '../shared/notify/notify.ts'
import { useOverlay } from '../shared/overlay/overlay.ts'
import { OptionalPart } from '../shared/ui/optional-part.tsx'
import { loadDialogs, loadToasts } from './overlay-parts.ts'

const Dialogs = lazyPart('dialogs', loadDialogs)
const Toasts = lazyPart('toasts', loadToasts)

/** Dialogs and toasts, each fetched when first asked for. The page stays when one of them does not come. */
export function Overlays() {
  const state = useOverlay()
  const toasts = useToastsWanted()
  return (
    <Suspense fallback={null}>
      <OptionalPart>{state ? <Dialogs overlay={state.overlay} open={state.open} /> : null}</OptionalPart>
      <OptionalPart>{toasts ? <Toasts /> : null}</OptionalPart>
    </Suspense>
  )
}
