import { SignInDialog } from '../features/auth/sign-in-dialog.tsx'
import { closeOverlay, type Overlay, overlayClosed } from '../shared/overlay/overlay.ts'
import { ConfirmDialog } from '../shared/ui/confirm-dialog.tsx'
import { WithStore } from './with-store.tsx'

/** The dialog that was asked for. */
export function Dialogs({ overlay, open }: { readonly overlay: Overlay; readonly open: boolean }) {
  return <WithStore>{dialogFor(overlay, open)}</WithStore>
}

function dialogFor(overlay: Overlay, open: boolean) {
  const frame = { open, onClose: closeOverlay, onClosed: overlayClosed }
  switch (overlay.kind) {
    case 'sign-in':
      return (
        <SignInDialog
          {...frame}
          product={overlay.product}
          initialMode={overlay.mode}
          logintext={overlay.logintext}
          page={overlay.page}
        />
      )
    case 'confirm':
      return <ConfirmDialog {...frame} request={overlay} />
    default:
      return null
  }
}
