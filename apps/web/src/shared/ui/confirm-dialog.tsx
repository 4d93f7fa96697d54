import type { Overlay } from '../overlay/overlay.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

interface ConfirmDialogProps {
  readonly request: Extract<Overlay, { kind: 'confirm' }>
  readonly open: boolean
  readonly onClose: () => void
  readonly onClosed: () => void
}

/** Asks before something that cannot be undone. */
export function ConfirmDialog({ request, open, onClose, onClosed }: ConfirmDialogProps) {
  const confirm = () => {
    onClose()
    request.onConfirm()
  }
  const cancel = () => {
    onClose()
    request.onCancel?.()
  }
  return (
    <Dialog open={open} onClose={cancel} onClosed={onClosed} title={request.title} description={request.text}>
      <div className="mt-7 flex flex-wrap justify-end gap-3">
        <Button look="secondary" onClick={cancel}>
          {request.cancel}
        </Button>
        <Button look={request.danger ? 'danger' : 'primary'} onClick={confirm}>
          {request.confirm}
        </Button>
      </div>
    </Dialog>
  )
}
