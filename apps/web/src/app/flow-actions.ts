import type { Product } from '@mendframe/contract'
import type { RepairFlow } from '../features/repair/flow/repair-flow.ts'
import type { WorkspaceActions } from '../features/repair/workspace/workspace.tsx'
import { notify } from '../shared/notify/notify.ts'
import { openOverlay } from '../shared/overlay/overlay.ts'

/** What the buttons of a repair do, in either flavour. */
export function flowActions(product: Product, flow: RepairFlow): WorkspaceActions {
  return {
    onSample: (files) => void flow.chooseSample(files),
    onReplaceSample: () => flow.replaceSample(),
    onCancelTransfer: () => flow.cancelTransfer(),
    onRetryTransfer: () => void flow.retryTransfer(),
    onEnhancements: (chosen) => flow.chooseEnhancements(chosen),
    onStart: () => void flow.start(),
    onCancelRepair: () => void flow.cancelRepair(),
    onAgain: () => flow.reset(),
    onSignIn: () => openOverlay({ kind: 'sign-in', product, logintext: true, page: 'same' }),
    onUpgrade: () => {
      const { repair } = flow.state
      const link = repair.kind === 'done' ? repair.result.download?.previewDownloadUrl : undefined
      openOverlay({
        kind: 'pricing',
        product,
        variant: 'exceeded',
        ...(link ? { downloadUrl: link, downloadLabel: 'Download Preview' } : {}),
      })
    },
    onManual: () => {
      const { damaged } = flow.state
      if (damaged) {
        openOverlay({ kind: 'manual-repair', timestamp: damaged.timestamp, fileName: damaged.name })
      }
    },
    onDelete: () =>
      openOverlay({
        kind: 'confirm',
        title: 'Delete the files now',
        text: `Everything you uploaded for this repair and the repaired ${product} are deleted from the service at once. This cannot be undone.`,
        confirm: 'Delete now',
        cancel: 'Keep them',
        danger: true,
        onConfirm: () => {
          void flow.deleteFiles().then((deleted) => {
            if (deleted) notify('success', 'The files of this repair are deleted.')
          })
        },
      }),
  }
}
