import type { User } from '@mendframe/contract'
import { Button } from '../../../shared/ui/button.tsx'
import { CompareSlider } from '../../../shared/ui/compare-slider.tsx'
import { DropBox } from '../../../shared/ui/drop-box.tsx'
import type { FlowResult, FlowState, StoredFile } from '../flow/flow-state.ts'
import { HonestReport } from '../result/honest-report.tsx'
import { type ResultActions, SavePanel } from '../result/save-panel.tsx'
import { Analyzing } from '../workspace/analyzing.tsx'
import { FilePanel } from '../workspace/file-panel.tsx'
import { Failed, Running } from '../workspace/repair-step.tsx'
import { TransferPanel } from '../workspace/transfer-panel.tsx'

export interface PhotoActions extends ResultActions {
  readonly onSample: (files: readonly File[]) => void
  readonly onCancelTransfer: () => void
  readonly onRetryTransfer: () => void
  readonly onStart: () => void
  readonly onCancelRepair: () => void
}

interface PhotoWorkspaceProps {
  readonly state: FlowState
  readonly plan: User['current_plan'] | undefined
  readonly actions: PhotoActions
}

/** A photo under repair: it is uploaded, repaired by itself, and shown before and after. */
export function PhotoWorkspace({ state, plan, actions }: PhotoWorkspaceProps) {
  const { damaged, sample, transfer, repair } = state
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
      {transfer ? (
        <TransferPanel
          thing="photo"
          transfer={transfer}
          onCancel={actions.onCancelTransfer}
          onRetry={actions.onRetryTransfer}
        />
      ) : null}
      {damaged && repair.kind !== 'done' ? (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4 sm:grid-cols-2">
          <FilePanel title="Damaged photo" file={damaged} broken />
          {sample ? <FilePanel title="Sample photo" file={sample} broken={false} /> : null}
        </div>
      ) : null}
      {repair.kind === 'analyzing' ? (
        <Analyzing product="photo" repair={repair} onCancel={actions.onCancelRepair} />
      ) : null}
      {repair.kind === 'running' || repair.kind === 'preview' ? (
        <Running repair={repair} onCancel={actions.onCancelRepair} />
      ) : null}
      {repair.kind === 'idle' && damaged && !transfer ? (
        <div className="flex flex-wrap gap-3">
          <Button size="large" onClick={actions.onStart}>
            Start Repair
          </Button>
          <Button look="quiet" onClick={actions.onAgain}>
            Choose another photo
          </Button>
        </div>
      ) : null}
      {repair.kind === 'failed' && damaged ? (
        <>
          <Failed repair={repair} onStart={actions.onStart} onManual={actions.onManual} />
          {transfer ? null : <SampleOffer extension={damaged.extension} onSample={actions.onSample} />}
          <div>
            <Button look="quiet" onClick={actions.onAgain}>
              Choose another photo
            </Button>
          </div>
        </>
      ) : null}
      {repair.kind === 'done' && damaged ? (
        <PhotoResult file={damaged} result={repair.result} plan={plan} actions={actions} />
      ) : null}
    </div>
  )
}

function SampleOffer({
  extension,
  onSample,
}: {
  readonly extension: string
  readonly onSample: (files: readonly File[]) => void
}) {
  return (
    <section aria-labelledby="photo-sample-heading">
      <h2 id="photo-sample-heading" className="text-heading">
        A photo of the same camera may help
      </h2>
      <p className="mt-2 mb-5 max-w-[65ch] text-ink-soft">
        An undamaged photo with the same settings shows us how your camera writes its files. Add one, then try
        again.
      </p>
      <DropBox
        action="Add Sample Photo"
        hint={`or drop a .${extension} file here`}
        label="Sample photo"
        extensions={[extension]}
        mediaType="image"
        onFiles={onSample}
      />
    </section>
  )
}

interface PhotoResultProps {
  readonly file: StoredFile
  readonly result: FlowResult
  readonly plan: string | undefined
  readonly actions: PhotoActions
}

const HEADLINES = {
  repaired: 'Everything that survived is back.',
  partial: 'Your photo opens again, with gaps.',
  healthy: 'Nothing is wrong with this photo.',
  unrepairable: 'This photo could not be repaired.',
} as const

function PhotoResult({ file, result, plan, actions }: PhotoResultProps) {
  const { download, report, verdict } = result
  return (
    <section aria-labelledby="photo-result-heading">
      <h2 id="photo-result-heading" className="text-title">
        {HEADLINES[verdict]}
      </h2>
      {result.message ? <p className="mt-2 max-w-[65ch]">{result.message}</p> : null}
      {download ? (
        <div className="mt-6 grid items-start gap-8 lg:grid-cols-[1.5fr_1fr]">
          <Pictures name={file.name} after={download.photoDownloadUrl} before={download.photoDownloadUrl1} />
          <SavePanel product="photo" name={file.name} download={download} plan={plan} actions={actions} />
        </div>
      ) : (
        <p className="mt-4 text-ink-soft">
          {result.deleted
            ? 'You deleted the files of this repair. Nothing of them is left on the service.'
            : 'The file was left as it is, and this does not count against your plan.'}
        </p>
      )}
      {report ? <HonestReport report={report} /> : null}
      <div className="mt-10 flex flex-wrap gap-3 border-t border-mist pt-6">
        <Button look={download ? 'secondary' : 'primary'} onClick={actions.onAgain}>
          Repair another photo
        </Button>
        {verdict === 'partial' && !result.deleted ? (
          <Button look="quiet" onClick={actions.onManual}>
            Request a free manual repair
          </Button>
        ) : null}
      </div>
    </section>
  )
}

function Pictures({
  name,
  before,
  after,
}: {
  readonly name: string
  readonly before: string
  readonly after: string
}) {
  const shown = 'max-h-[70vh] w-full rounded-sm bg-[oklch(0.13_0.02_262)] object-contain'
  if (after === '') return <p className="text-ink-soft">The repaired photo can be downloaded.</p>
  if (before === '') return <img src={after} alt={`${name}, repaired`} className={shown} />
  return (
    <CompareSlider
      label={name}
      before={<img src={before} alt={`${name}, before`} className="size-full object-contain" />}
      after={<img src={after} alt={`${name}, repaired`} className="size-full object-contain" />}
      className="aspect-[3/2]"
    />
  )
}
