import { type ReactNode, Suspense } from 'react'
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
    <>
      <Apart>{state ? <Dialogs overlay={state.overlay} open={state.open} /> : null}</Apart>
      <Apart>{toasts ? <Toasts /> : null}</Apart>
    </>
  )
}

/** One that is still on its way takes nothing else off the page: an open dialog stays while the first toast is fetched. */
function Apart({ children }: { readonly children: ReactNode }) {
  return (
    <Suspense fallback={null}>
      <OptionalPart>{children}</OptionalPart>
    </Suspense>
  )
}
