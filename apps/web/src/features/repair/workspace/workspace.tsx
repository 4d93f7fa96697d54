import type { Enhancement } from '@mendframe/contract'
import { useStepFocus } from '../../../shared/lib/use-step-focus.ts'
import { Button } from '../../../shared/ui/button.tsx'
import type { FlowState } from '../flow/flow-state.ts'
import { ResultBlock } from '../result/result-block.tsx'
import type { ResultActions } from '../result/save-panel.tsx'
import { FilePanel } from './file-panel.tsx'
import { RepairStep } from './repair-step.tsx'
import { SampleStep } from './sample-step.tsx'
import { Tracker } from './tracker.tsx'
import { TransferPanel } from './transfer-panel.tsx'

export interface WorkspaceActions extends ResultActions {
  readonly onSample: (files: readonly File[]) => void
  readonly onReplaceSample: () => void
  readonly onCancelTransfer: () => void
  readonly onRetryTransfer: () => void
  readonly onEnhancements: (chosen: readonly Enhancement[]) => void
  readonly onStart: () => void
  readonly onCancelRepair: () => void
}

interface WorkspaceProps {
  readonly state: FlowState
  readonly plan: string | undefined
  readonly actions: WorkspaceActions
}

/** The repair under way: tracker, files, and the step the visitor is at. */
export function Workspace({ state, plan, actions }: WorkspaceProps) {
  const { damaged, sample, transfer, repair } = state
  const focus = useStepFocus(
    transfer
      ? `transfer ${transfer.role}`
      : repair.kind === 'idle'
        ? `${damaged !== undefined} ${sample !== undefined}`
        : repair.kind,
  )
  const canReplace = repair.kind === 'idle' || repair.kind === 'failed'
  return (
    <div data-working className="page max-w-5xl pt-10 pb-20">
      <div className="mb-8 flex items-center justify-between gap-2">
        <h1 className="text-body text-ink-soft sm:text-heading">Free Online Video Repair</h1>
        {damaged && !transfer && canReplace ? (
          <Button look="quiet" size="small" className="-mr-3.5 whitespace-nowrap" onClick={actions.onAgain}>
            Start over
          </Button>
        ) : null}
      </div>
      <Tracker state={state} />
      <div ref={focus} className="mt-10 grid grid-cols-[minmax(0,1fr)] gap-8">
        {transfer ? (
          <TransferPanel
            transfer={transfer}
            onCancel={actions.onCancelTransfer}
            onRetry={actions.onRetryTransfer}
          />
        ) : null}
        {damaged && repair.kind !== 'done' ? (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-4 sm:grid-cols-2">
            <FilePanel product="video" title="Damaged video" file={damaged} broken />
            {sample ? (
              <FilePanel
                product="video"
                title="Sample video"
                file={sample}
                broken={false}
                action={
                  canReplace ? (
                    <Button look="quiet" size="small" onClick={actions.onReplaceSample}>
                      Change
                    </Button>
                  ) : null
                }
              />
            ) : null}
          </div>
        ) : null}
        {damaged && !sample && !transfer ? (
          <SampleStep extension={damaged.extension} onFiles={actions.onSample} onStart={actions.onStart} />
        ) : null}
        {damaged && sample && repair.kind !== 'done' ? (
          <RepairStep
            repair={repair}
            enhancements={state.enhancements}
            onEnhancements={actions.onEnhancements}
            onStart={actions.onStart}
            onCancel={actions.onCancelRepair}
            onOtherSample={actions.onReplaceSample}
            onManual={actions.onManual}
          />
        ) : null}
        {damaged && repair.kind === 'done' ? (
          <ResultBlock file={damaged} result={repair.result} plan={plan} actions={actions} />
        ) : null}
      </div>
    </div>
  )
}
