import type { Enhancement } from '@mendframe/contract'
import { Button } from '../../../shared/ui/button.tsx'
import { ProgressSeam } from '../../../shared/ui/progress-seam.tsx'
import type { FailureKind, RepairState } from '../flow/flow-state.ts'
import { Analyzing } from './analyzing.tsx'
import { EnhancementChoice } from './enhancement-choice.tsx'
import { SHOWN_STAGES, shownStage } from './stages.ts'
import { GOES_ON_UNSEEN, NO_CONNECTION } from './waiting-line.ts'

interface RepairStepProps {
  readonly repair: RepairState
  readonly enhancements: readonly Enhancement[]
  readonly onEnhancements: (chosen: readonly Enhancement[]) => void
  readonly onStart: () => void
  readonly onCancel: () => void
  readonly onOtherSample: () => void
  readonly onManual: () => void
}

/** Start Repair, and what goes on afterwards. */
export function RepairStep({
  repair,
  enhancements,
  onEnhancements,
  onStart,
  onCancel,
  onOtherSample,
  onManual,
}: RepairStepProps) {
  if (repair.kind === 'failed') {
    return <Failed repair={repair} onStart={onStart} onOtherSample={onOtherSample} onManual={onManual} />
  }
  if (repair.kind === 'running' || repair.kind === 'preview')
    return <Running repair={repair} onCancel={onCancel} />
  if (repair.kind === 'analyzing') return <Analyzing product="video" repair={repair} onCancel={onCancel} />
  return (
    <section aria-labelledby="repair-heading" className="rounded-sm border border-mist bg-glaze p-5 sm:p-7">
      <h2 id="repair-heading" className="text-heading">
        Both files are here
      </h2>
      <p className="mt-2 mb-5 max-w-[65ch] text-ink-soft">
        The damaged file is only read. The repaired video is written as a new file beside it.
      </p>
      <EnhancementChoice chosen={enhancements} onChange={onEnhancements} />
      <Button size="large" onClick={onStart}>
        Start Repair
      </Button>
    </section>
  )
}

/** The repair at work. */
export function Running({
  repair,
  onCancel,
}: {
  readonly repair: Extract<RepairState, { kind: 'running' | 'preview' }>
  readonly onCancel: () => void
}) {
  const progress = repair.kind === 'running' ? repair.progress : undefined
  const percent = progress?.percentage ?? 100
  const at = progress ? shownStage(progress.stage) : SHOWN_STAGES.length - 1
  const text = repair.unheard ? NO_CONNECTION : (progress?.text ?? 'Generating Preview')
  return (
    <section aria-labelledby="running-heading" className="rounded-sm border border-mist bg-glaze p-5 sm:p-7">
      <div className="mb-4 flex items-baseline justify-between gap-4">
        <h2 id="running-heading" className="text-heading">
          {text}
        </h2>
        <p className="figures font-display text-title leading-none font-[620]">{Math.floor(percent)}%</p>
      </div>
      <ProgressSeam
        tall
        value={percent}
        label="Repair"
        frames={SHOWN_STAGES.length}
        at={at}
        valueText={`${Math.floor(percent)} percent, ${text}`}
      />
      <ol className="mt-2 grid" style={{ gridTemplateColumns: `repeat(${SHOWN_STAGES.length}, 1fr)` }}>
        {SHOWN_STAGES.map((stage, index) => (
          <li
            key={stage.label}
            aria-current={index === at ? 'step' : undefined}
            className={`text-center text-tiny ${index === at ? 'font-semibold text-ink' : 'text-ink-soft max-sm:invisible'}`}
          >
            <span className="max-sm:whitespace-nowrap">{stage.label}</span>
          </li>
        ))}
      </ol>
      <div className="mt-5 flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-[60ch] text-small text-ink-soft">
          {repair.unheard
            ? GOES_ON_UNSEEN
            : 'You may close this page: the repair goes on, and we write to you when it is ready.'}
        </p>
        {repair.kind === 'running' && !repair.unheard ? (
          <Button look="quiet" size="small" onClick={onCancel}>
            Cancel the repair
          </Button>
        ) : null}
      </div>
    </section>
  )
}

/** What it means, and what can be done now. */
const NEXT: Readonly<Record<FailureKind, string>> = {
  failed:
    'This repair does not count against your plan. You can try again, or let a person look at it, free of charge.',
  unrepairable:
    'This repair does not count against your plan. A person can look at the file: that is free, and we keep your files for it.',
  cancelled: 'This repair does not count against your plan. You can start it again.',
  interrupted: 'Your files are still with us. You can try again.',
}

/**
 * The repair did not succeed: why, and what to do now. The same files would come to the same end: only another sample may help
 * them.
 */
export function Failed({
  repair,
  onStart,
  onOtherSample,
  onManual,
}: {
  readonly repair: Extract<RepairState, { kind: 'failed' }>
  readonly onStart: () => void
  /** Absent where a sample is offered beside this, as with photos. */
  readonly onOtherSample?: () => void
  readonly onManual: () => void
}) {
  const cancelled = repair.why === 'cancelled'
  const otherSample = repair.why === 'unrepairable' ? onOtherSample : undefined
  // The service keeps a case for a repair only that has ended badly.
  const asksPerson = repair.why === 'failed' || repair.why === 'unrepairable'
  return (
    <section
      aria-labelledby="failed-heading"
      className={`rounded-sm border p-5 sm:p-7 ${cancelled ? 'border-mist bg-glaze' : 'border-vermilion bg-vermilion-wash'}`}
    >
      <h2 id="failed-heading" className="text-heading">
        {repair.title}
      </h2>
      <p className="mt-2 max-w-[65ch]">{repair.message}</p>
      <p className="mt-2 max-w-[65ch] text-small text-ink-soft">{NEXT[repair.why]}</p>
      <div className="mt-5 flex flex-wrap gap-3">
        {otherSample ? (
          <Button onClick={otherSample}>Choose another sample</Button>
        ) : (
          <Button onClick={onStart}>{cancelled ? 'Start Repair' : 'Try again'}</Button>
        )}
        {asksPerson ? (
          <Button look="secondary" onClick={onManual}>
            Request a free manual repair
          </Button>
        ) : null}
      </div>
    </section>
  )
}
