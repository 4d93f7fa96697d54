import type { User } from '@mendframe/contract'
import { Button } from '../../../shared/ui/button.tsx'
import { DropBox } from '../../../shared/ui/drop-box.tsx'
import type { FlowResult, FlowState, StoredFile } from '../flow/flow-state.ts'
import { FoundHealthy } from '../result/found-healthy.tsx'
import { type ResultActions, SavePanel } from '../result/save-panel.tsx'
import { whyGone } from '../result/why-gone.ts'
import { Analyzing } from '../workspace/analyzing.tsx'
import { FilePanel } from '../workspace/file-panel.tsx'
import { Failed, Running } from '../workspace/repair-step.tsx'
import { TransferPanel } from '../workspace/transfer-panel.tsx'
import { PhotoCompare } from './photo-compare.tsx'
import { PhotoReport } from './photo-report.tsx'
import { photoHeadline } from './photo-words.ts'

export interface PhotoActions extends ResultActions {
  readonly onSample: (files: readonly File[]) => void
  readonly onCancelTransfer: () => void
  readonly onRetryTransfer: () => void
  readonly onStart: () => void
  readonly onCancelRepair: () => void
}

interface PhotoWorkspaceProps {
  readonly state: FlowState
  /** It is repaired by itself when it is its turn. */
  readonly queued: boolean
  readonly plan: User['current_plan'] | undefined
  readonly actions: PhotoActions
}

/** One photo under repair: it is uploaded, repaired by itself, and shown before and after. */
export function PhotoWorkspace({ state, queued, plan, actions }: PhotoWorkspaceProps) {
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
      {!damaged && !transfer ? (
        <p className="text-ink-soft">This photo is sent as soon as those before it have arrived.</p>
      ) : null}
      {damaged && repair.kind !== 'done' ? (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4 sm:grid-cols-2">
          <FilePanel product="photo" title="Damaged photo" file={damaged} broken />
          {sample ? <FilePanel product="photo" title="Sample photo" file={sample} broken={false} /> : null}
        </div>
      ) : null}
      {repair.kind === 'analyzing' ? (
        <Analyzing product="photo" repair={repair} onCancel={actions.onCancelRepair} />
      ) : null}
      {repair.kind === 'running' || repair.kind === 'preview' ? (
        <Running repair={repair} onCancel={actions.onCancelRepair} />
      ) : null}
      {repair.kind === 'idle' && damaged && !transfer ? (
        queued ? (
          <p className="text-ink-soft">
            The photo has arrived. It is repaired by itself as soon as it is its turn.
          </p>
        ) : (
          <div>
            <Button onClick={actions.onStart}>Start Repair</Button>
          </div>
        )
      ) : null}
      {repair.kind === 'failed' && damaged ? (
        <>
          <Failed repair={repair} onStart={actions.onStart} onManual={actions.onManual} />
          {transfer ? null : <SampleOffer extension={damaged.extension} onSample={actions.onSample} />}
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

function PhotoResult({ file, result, plan, actions }: PhotoResultProps) {
  const { download, report, verdict } = result
  return (
    <section aria-labelledby="photo-result-heading">
      <h2 id="photo-result-heading" className="text-title">
        {photoHeadline(verdict, report)}
      </h2>
      {verdict === 'healthy' ? (
        <FoundHealthy name={file.name} />
      ) : result.message ? (
        <p className="mt-3 max-w-[65ch]">{result.message}</p>
      ) : null}
      {download ? (
        <div className="mt-6 grid items-start gap-8 xl:grid-cols-[1.6fr_1fr]">
          <PhotoCompare
            name={file.name}
            before={download.photoDownloadUrl1}
            after={download.photoDownloadUrl}
            report={report}
          />
          <SavePanel product="photo" name={file.name} download={download} plan={plan} actions={actions} />
        </div>
      ) : verdict === 'healthy' ? null : (
        <p className="mt-4 max-w-[65ch] text-ink-soft">{whyGone('photo', result.deleted)}</p>
      )}
      {report ? <PhotoReport report={report} /> : null}
      {verdict === 'partial' && !result.deleted ? (
        <div className="mt-8 border-t border-mist pt-6">
          <p className="mb-3 max-w-[65ch] text-small">
            You hoped for more? A person can look at the file. That is free, and we keep your files for it.
          </p>
          <Button look="secondary" size="small" onClick={actions.onManual}>
            Request a free manual repair
          </Button>
        </div>
      ) : null}
    </section>
  )
}
