import { previewsInline, type UploadedFile } from '@mendframe/contract'
import { Download, Trash2 } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { RecoveryStrip } from '../../../shared/recovery/recovery-strip.tsx'
import { ButtonAnchor } from '../../../shared/ui/button.tsx'
import { KeptUntil } from '../../../shared/ui/kept-until.tsx'
import { fileLine, resumePath } from '../file-lines.ts'
import { useReportQuery, useResultLinksQuery } from '../result-api.ts'
import { BrokenFrame, RemovedFrame } from './file-pictures.tsx'
import { ManualNote } from './manual-note.tsx'

interface FileCardProps {
  readonly file: UploadedFile
  readonly onManual: () => void
  readonly onDelete: () => void
}

/** One file of the dashboard: how it looks, how it stands, and what can be done with it. */
export function FileCard({ file, onManual, onDelete }: FileCardProps) {
  const deleted = file.file_status === 'Deleted'
  const finished = file.status === 'Repair_Completed'
  const { product, timestamp, renamefilename } = file
  const links = useLinks({ product, timestamp, renamefilename }, finished)
  const report = useReportQuery({ timestamp }, { skip: !finished }).data?.report
  const line = fileLine(file, new Date())
  return (
    <article className="flex h-full flex-col rounded-sm border border-mist bg-glaze">
      <div className="aspect-video overflow-hidden rounded-t-sm bg-[oklch(0.2_0.032_262)]">
        {deleted ? <RemovedFrame /> : <Picture file={file} links={links} />}
      </div>
      <div className="flex flex-1 flex-col gap-3 p-4">
        <h3 className="font-text text-body font-semibold tracking-normal [overflow-wrap:anywhere]">
          <bdi>{file.originalfilename}</bdi>
        </h3>
        {report && report.tracks.length > 0 ? <RecoveryStrip tracks={report.tracks} small /> : null}
        <p className="text-small text-ink-soft">{line.text}</p>
        {file.repair?.status === 'Failed' ? (
          <p className={`text-small ${file.repair.cancelled ? 'text-ink-soft' : 'text-vermilion'}`}>
            {file.repair.message ?? 'Repair Failed'}
          </p>
        ) : null}
        <ManualNote file={file} onManual={onManual} />
        <div className="mt-auto flex flex-wrap items-center gap-2 pt-1">
          {line.action === 'download' && links ? (
            <ButtonAnchor size="small" href={links.downloadUrl} download>
              <Download aria-hidden size={18} />
              {links.full ? 'Download' : 'Download Preview'}
            </ButtonAnchor>
          ) : null}
          {line.action === 'resume' ? (
            <ButtonAnchor size="small" href={resumePath(file)} target="_blank" rel="noopener">
              Resume
              <span className="sr-only">(new tab)</span>
            </ButtonAnchor>
          ) : null}
          {deleted ? null : (
            <button
              type="button"
              onClick={onDelete}
              className="inline-flex min-h-10 items-center gap-1.5 rounded-sm px-2 text-small font-semibold text-vermilion hover:bg-vermilion-wash"
            >
              <Trash2 aria-hidden size={16} />
              Delete now
            </button>
          )}
        </div>
        {!deleted && file.expires_at ? (
          <p className="text-tiny text-ink-soft">
            <KeptUntil expiresAt={file.expires_at} />
          </p>
        ) : null}
      </div>
    </article>
  )
}

/** The links of a file, asked for anew when its repair ends while the card is looked at. */
function useLinks(file: Parameters<typeof useResultLinksQuery>[0], finished: boolean) {
  const { data, refetch } = useResultLinksQuery(file)
  const seen = useRef(finished)
  useEffect(() => {
    if (finished && !seen.current) void refetch()
    seen.current = finished
  }, [finished, refetch])
  return data
}

interface PictureProps {
  readonly file: UploadedFile
  readonly links: ReturnType<typeof useResultLinksQuery>['data']
}

function Picture({ file, links }: PictureProps) {
  if (!links) return <BrokenFrame />
  if (file.product === 'video' && (links.playableUrl || previewsInline(file.extension))) {
    return (
      // biome-ignore lint/a11y/useMediaCaption: the visitor's own recording has no captions to show.
      <video
        controls
        playsInline
        // Without a still of its own the first frame is what is seen.
        preload={links.photoDownloadUrl ? 'none' : 'metadata'}
        poster={links.photoDownloadUrl || undefined}
        src={links.playableUrl ?? links.previewdownloadUrl}
        aria-label={`Preview of ${file.originalfilename}`}
        className="size-full object-contain"
      />
    )
  }
  if (!links.photoDownloadUrl) return <BrokenFrame />
  return (
    <img
      src={links.photoDownloadUrl}
      alt={
        file.product === 'video'
          ? `A frame of ${file.originalfilename}`
          : `${file.originalfilename}, repaired`
      }
      className="size-full object-contain"
    />
  )
}
