import type { UploadedFile } from '@mendframe/contract'
import { Wrench } from 'lucide-react'
import { isManualOffered } from '../file-lines.ts'

const STATES = {
  Requested: 'Manual repair requested. We write to you.',
  In_Progress: 'A person is working on this file.',
  Closed: 'The manual repair is finished.',
} as const

/** How a manual repair stands, or the offer of one. */
export function ManualNote({
  file,
  onManual,
}: {
  readonly file: UploadedFile
  readonly onManual: () => void
}) {
  const { manual } = file
  if (manual) {
    return (
      <div className="rounded-sm bg-biscuit p-3 text-small">
        <p className="font-semibold">{STATES[manual.state]}</p>
        {manual.answer ? <p className="mt-1">{manual.answer}</p> : null}
        {manual.downloadUrl ? (
          <a
            className="inline-link mt-1 inline-flex min-h-6 items-center font-semibold"
            href={manual.downloadUrl}
            download
          >
            Download the result
          </a>
        ) : null}
      </div>
    )
  }
  if (!isManualOffered(file)) return null
  return (
    <button
      type="button"
      onClick={onManual}
      className="inline-link inline-flex min-h-6 items-center gap-1.5 self-start text-small font-semibold"
    >
      <Wrench aria-hidden size={16} />
      Request a free manual repair
    </button>
  )
}
