import type { PhotoBatch } from '../features/repair/photo/photo-batch.ts'
import type { PhotoActions } from '../features/repair/photo/photo-workspace.tsx'
import { flowActions } from './flow-actions.ts'

/** What the buttons do, for the photo that is looked at. `onAgain` leads to where more photos are added. */
export function photoActions(batch: PhotoBatch, onAgain: () => void): PhotoActions {
  const one = () => {
    const flow = batch.flow()
    return flow && flowActions('photo', flow)
  }
  const selected = () => batch.snapshot().selected ?? -1
  return {
    onSample: (files) => one()?.onSample(files),
    onCancelTransfer: () => {
      const flow = batch.flow()
      // A sample is given up alone; without its damaged photo nothing is left to do.
      if (flow?.state.damaged) flow.cancelTransfer()
      else batch.remove(selected())
    },
    onRetryTransfer: () => void batch.retry(selected()),
    onStart: () => void batch.start(selected()),
    onCancelRepair: () => one()?.onCancelRepair(),
    onAgain,
    onSignIn: () => one()?.onSignIn(),
    onUpgrade: () => one()?.onUpgrade(),
    onManual: () => one()?.onManual(),
    onDelete: () => one()?.onDelete(),
  }
}
