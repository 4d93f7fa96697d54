import { Wrench } from 'lucide-react'
import { PREVIEW_SHARE } from '../../../shared/lib/plan-text.ts'
import { headlineOf } from '../../../shared/recovery/report-words.ts'
import { Button } from '../../../shared/ui/button.tsx'
import type { FlowResult, StoredFile } from '../flow/flow-state.ts'
import { FoundHealthy } from './found-healthy.tsx'
import { HonestReport } from './honest-report.tsx'
import { type ResultActions, SavePanel } from './save-panel.tsx'
import { VideoPreview } from './video-preview.tsx'
import { whyGone } from './why-gone.ts'

interface ResultBlockProps {
  readonly file: StoredFile
  readonly result: FlowResult
  /** The plan of the visitor; `undefined` for a guest. */
  readonly plan: string | undefined
  readonly actions: ResultActions
}

/** What came of the repair. */
export function ResultBlock(props: ResultBlockProps) {
  const { file, result, plan, actions } = props
  if (result.verdict === 'healthy') return <Healthy {...props} />
  const { download, report } = result
  return (
    <section aria-labelledby="result-heading">
      <div className="grid gap-x-10 gap-y-8 lg:grid-cols-[1.5fr_1fr]">
        <div>
          <h2 id="result-heading" className="text-title">
            Preview your Repaired Video
          </h2>
          <p className="mt-2 mb-5 text-ink-soft">
            Congratulations! <span className="font-semibold text-celadon">File Repaired Successfully.</span>
          </p>
          {download ? (
            <VideoPreview extension={file.extension} download={download} />
          ) : (
            <Gone deleted={result.deleted} />
          )}
          {download ? (
            <p className="mt-3 flex flex-wrap items-center justify-between gap-x-6 gap-y-1 text-small text-ink-soft">
              <span>This preview is {PREVIEW_SHARE} of your repaired video.</span>
              <a
                className="inline-link inline-flex min-h-6 items-center font-semibold"
                href={download.previewDownloadUrl}
                download
              >
                Download Preview
              </a>
            </p>
          ) : null}
        </div>
        <div className="lg:pt-2">
          {download ? (
            <SavePanel product="video" name={file.name} download={download} plan={plan} actions={actions} />
          ) : null}
          {result.verdict === 'partial' && !result.deleted ? (
            <div className="mt-6 border-t border-mist pt-5">
              <p className="text-small">
                You hoped for more? A person can look at the file. That is free, and we keep your files for
                it.
              </p>
              <Button look="secondary" size="small" className="mt-3" onClick={actions.onManual}>
                <Wrench aria-hidden size={18} />
                Request a free manual repair
              </Button>
            </div>
          ) : null}
        </div>
      </div>
      <div className="mt-12 border-t border-mist pt-10">
        <h3 className="text-title">{headlineOf(result.verdict, report)}</h3>
        {result.message ? <p className="mt-2 max-w-[65ch]">{result.message}</p> : null}
        {report ? (
          <HonestReport report={report} />
        ) : (
          <p className="mt-2 text-ink-soft">
            The report could not be fetched. You find it on your dashboard later.
          </p>
        )}
      </div>
    </section>
  )
}

function Gone({ deleted }: { readonly deleted: boolean }) {
  return (
    <div className="grid aspect-video place-items-center rounded-sm border border-dashed border-edge p-6 text-center">
      <p className="max-w-[40ch] text-ink-soft">{whyGone('video', deleted)}</p>
    </div>
  )
}

function Healthy({ file, actions }: ResultBlockProps) {
  return (
    <section
      aria-labelledby="result-heading"
      className="rounded-sm border border-celadon bg-celadon-wash p-6 sm:p-8"
    >
      <h2 id="result-heading" className="text-title">
        {headlineOf('healthy')}
      </h2>
      <FoundHealthy name={file.name} />
      <p className="mt-2 max-w-[65ch] text-ink-soft">
        If it does not play for you, try another player, or copy it from the memory card once more.
      </p>
      <Button className="mt-6" onClick={actions.onAgain}>
        Repair another video
      </Button>
    </section>
  )
}
