import { STEP_NAME_DISPLAY_LENGTH } from '@mendframe/contract'
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '../../../shared/lib/cx.ts'
import { FileName } from '../../../shared/ui/file-name.tsx'
import { type FlowState, STEPS, type Step, stepOf } from '../flow/flow-state.ts'

const LABELS: Readonly<Record<Step, readonly [todo: string, done: string]>> = {
  upload: ['Upload Video', 'File Uploaded'],
  sample: ['Add Sample Video', 'Sample Video Added'],
  repair: ['Repair Video', 'Video Repaired'],
  save: ['Preview & Save', 'Preview & Save'],
}

function noteOf(step: Step, state: FlowState): ReactNode {
  if (step === 'upload' && state.damaged) return <StepName {...state.damaged} />
  if (step === 'sample' && state.sample) return <StepName {...state.sample} />
  if (step === 'save' && state.repair.kind === 'done' && state.repair.result.download) {
    return 'File Repaired Successfully.'
  }
  return undefined
}

function StepName({ name }: { readonly name: string }) {
  return <FileName name={name} length={STEP_NAME_DISPLAY_LENGTH} />
}

/** The four steps: frames that a seam joins as they are done. */
export function Tracker({ state }: { readonly state: FlowState }) {
  const { current, done } = stepOf(state)
  return (
    <ol className="grid grid-cols-4" aria-label="Steps of the repair">
      {STEPS.map((step, index) => {
        const isDone = done.includes(step)
        const isCurrent = step === current && !isDone
        const note = noteOf(step, state)
        return (
          <li key={step} aria-current={isCurrent ? 'step' : undefined} className="relative pr-2">
            {index > 0 ? <Joint mended={done.includes(STEPS[index - 1] ?? step)} /> : null}
            <span
              className={cx(
                'relative grid size-11 place-items-center rounded-sm border-2 font-display text-small font-[650]',
                isDone && 'border-seam-line bg-seam text-on-seam',
                isCurrent && 'border-ink bg-glaze text-ink',
                !isDone && !isCurrent && 'border-mist bg-porcelain text-ink-soft',
              )}
            >
              {isDone ? <Check aria-hidden size={20} strokeWidth={2.6} /> : index + 1}
            </span>
            <span
              className={cx(
                'mt-2.5 block text-tiny sm:text-small',
                isCurrent || isDone ? 'font-semibold text-ink' : 'text-ink-soft',
              )}
            >
              {LABELS[step][isDone ? 1 : 0]}
              <span className="sr-only">{isDone ? ', done' : isCurrent ? ', now' : ''}</span>
            </span>
            {note ? <span className="block text-tiny break-words text-ink-soft">{note}</span> : null}
          </li>
        )
      })}
    </ol>
  )
}

/** From the frame before to this one: a crack until that step is done, then a seam of gold. */
function Joint({ mended }: { readonly mended: boolean }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 100 20"
      preserveAspectRatio="none"
      className="absolute top-3 right-full mr-2 h-5 w-[calc(100%-3.75rem)]"
    >
      <path
        d="M0 10 18 6 34 13 52 7 70 12 84 8 100 10"
        className="seam-path"
        stroke={mended ? 'var(--seam-line)' : 'var(--mist)'}
        strokeWidth={mended ? 3 : 1.5}
        strokeDasharray={mended ? undefined : '5 4'}
      />
    </svg>
  )
}
