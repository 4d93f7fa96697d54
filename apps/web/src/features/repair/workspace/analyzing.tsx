import { ANALYSIS_BAR_MS, type Product } from '@mendframe/contract'
import { useEffect, useState } from 'react'
import { Button } from '../../../shared/ui/button.tsx'
import { ProgressSeam } from '../../../shared/ui/progress-seam.tsx'
import type { RepairState } from '../flow/flow-state.ts'
import { GOES_ON_UNSEEN, NO_CONNECTION, waitingLine } from './waiting-line.ts'

/** A repair that is next in line is taken at once, as a rule: only one that still waits after this is said to. */
const NEXT_IN_LINE_MS = 2_000
/** Milliseconds between two steps of the analysis bar. */
const BAR_TICK_MS = 500

/** What happens before a repair is at work. */
const LOOKING: Readonly<Record<Product, { readonly heading: string; readonly text: string }>> = {
  video: {
    heading: 'Looking at both files',
    text: `We compare the damaged file with the sample. This takes up to ${ANALYSIS_BAR_MS / 1000} seconds, usually less.`,
  },
  photo: {
    heading: 'Looking at the photo',
    text: 'The damaged file is only read. The repaired photo is written as a new file beside it.',
  },
}

interface AnalyzingProps {
  readonly product: Product
  readonly repair: Extract<RepairState, { kind: 'analyzing' }>
  readonly onCancel: () => void
}

/** The repair was asked for and has not begun: it is looked at, or waits for its turn. */
export function Analyzing({ product, repair, onCancel }: AnalyzingProps) {
  const elapsed = useElapsed()
  const { ahead, unheard = false } = repair
  const waits = !unheard && ahead !== undefined && (ahead > 0 || elapsed >= NEXT_IN_LINE_MS)
  return (
    <section
      aria-labelledby="analyzing-heading"
      className="rounded-sm border border-mist bg-glaze p-5 sm:p-7"
    >
      <h2 id="analyzing-heading" className="text-heading">
        {unheard ? NO_CONNECTION : waits ? 'Waiting for a free place' : LOOKING[product].heading}
      </h2>
      {waits ? (
        <>
          <p className="mt-2 text-lead">{waitingLine(ahead)}</p>
          <p className="mt-2 mb-5 max-w-[65ch] text-ink-soft">
            It begins by itself. You may close this page: we write to you when it is ready.
          </p>
        </>
      ) : (
        <>
          <p className="mt-2 mb-5 max-w-[65ch] text-ink-soft">
            {unheard ? GOES_ON_UNSEEN : LOOKING[product].text}
          </p>
          {unheard ? null : (
            <div className="mb-6">
              <ProgressSeam
                value={Math.min(100, (elapsed / ANALYSIS_BAR_MS) * 100)}
                label="Analyzing"
                frames={12}
              />
            </div>
          )}
        </>
      )}
      {unheard ? null : (
        <div className="flex flex-wrap items-center gap-3">
          {waits ? null : (
            <Button size="large" disabled>
              Analyzing...
            </Button>
          )}
          <Button look={waits ? 'secondary' : 'quiet'} size="small" onClick={onCancel}>
            Cancel
          </Button>
        </div>
      )}
    </section>
  )
}

/** Milliseconds since this is shown, in steps of the bar. */
function useElapsed(): number {
  const [elapsed, setElapsed] = useState(0)
  useEffect(() => {
    const began = performance.now()
    const timer = setInterval(() => setElapsed(performance.now() - began), BAR_TICK_MS)
    return () => clearInterval(timer)
  }, [])
  return elapsed
}
