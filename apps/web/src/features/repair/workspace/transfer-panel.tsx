import { formatMegabytes, formatSpeed, formatTimeLeft } from '../../../shared/lib/format.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { FileName } from '../../../shared/ui/file-name.tsx'
import { ProgressSeam } from '../../../shared/ui/progress-seam.tsx'
import type { Transfer } from '../flow/flow-state.ts'
import { NO_CONNECTION } from './waiting-line.ts'

interface TransferPanelProps {
  readonly transfer: Transfer
  /** What is repaired. */
  readonly thing?: 'video' | 'photo'
  readonly onCancel: () => void
  readonly onRetry: () => void
}

function headline({ state, role, refused }: Transfer, thing: string): string {
  const what = role === 'corrupt' ? thing : `sample ${thing}`
  if (state === 'preparing') return `Preparing the ${what}`
  if (state === 'confirming') return `Checking the ${what}`
  if (state === 'waiting') return NO_CONNECTION
  if (state === 'failed') return refused ? `This ${what} cannot be taken` : 'The upload has stopped'
  return `Uploading the ${what}`
}

function detail(transfer: Transfer): string {
  const { state, sent, file, rate, secondsLeft, resumedFrom } = transfer
  if (state === 'failed') return transfer.message ?? ''
  if (state === 'waiting')
    return 'No connection to our service. The upload goes on by itself when it is back.'
  if (state === 'confirming') return 'All bytes have arrived. We look at what kind of file it is.'
  const parts = [`${formatMegabytes(sent)} of ${formatMegabytes(file.bytes)}`]
  if (rate > 0) parts.push(formatSpeed(rate))
  if (secondsLeft !== undefined) parts.push(formatTimeLeft(secondsLeft))
  if (resumedFrom > 0) parts.push('continued where it stopped')
  return parts.join(' · ')
}

/** A file on its way: how far, how fast, how long, and a way out. */
export function TransferPanel({ transfer, thing = 'video', onCancel, onRetry }: TransferPanelProps) {
  const percent = transfer.file.bytes > 0 ? (transfer.sent / transfer.file.bytes) * 100 : 0
  const failed = transfer.state === 'failed'
  // All of it has come when it is refused for what is in it: that would look like success.
  const underWay = !(failed && transfer.refused)
  return (
    <section aria-label="Upload" className="rounded-sm border border-mist bg-glaze p-5 sm:p-7">
      <div className="mb-4 flex items-baseline justify-between gap-4">
        <div className="min-w-0">
          <h2 className="text-heading">{headline(transfer, thing)}</h2>
          <p className="text-small break-words text-ink-soft" title={transfer.file.name}>
            <FileName name={transfer.file.name} />
          </p>
        </div>
        {underWay ? (
          <p className="figures font-display text-title leading-none font-[620]">{Math.floor(percent)}%</p>
        ) : null}
      </div>
      {underWay ? <ProgressSeam value={percent} label={headline(transfer, thing)} frames={12} /> : null}
      <div className="mt-4 flex flex-wrap items-center justify-between gap-3">
        <p
          className={failed ? 'figures text-vermilion' : 'figures text-small text-ink-soft'}
          role={failed ? 'alert' : undefined}
        >
          {detail(transfer)}
        </p>
        <div className="flex gap-2">
          {failed && !transfer.refused ? (
            <Button size="small" onClick={onRetry}>
              Try again
            </Button>
          ) : null}
          <Button look={failed ? 'secondary' : 'quiet'} size="small" onClick={onCancel}>
            {failed ? 'Choose another file' : 'Cancel'}
          </Button>
        </div>
      </div>
    </section>
  )
}
