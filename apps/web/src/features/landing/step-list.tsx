import { cx } from '../../shared/lib/cx.ts'
import type { StepKind } from './content.ts'
import { StepPicture } from './step-pictures.tsx'

interface StepListProps {
  readonly steps: readonly { readonly kind: StepKind; readonly title: string; readonly text: string }[]
  /** What is mended in the pictures. */
  readonly subject: 'film' | 'photo'
  readonly className: string
}

/** Three numbered steps, each with its picture: side by side where there is room. */
export function StepList({ steps, subject, className }: StepListProps) {
  return (
    <ol className={cx('grid gap-y-10 md:grid-cols-3', className)}>
      {steps.map(({ kind, title, text }, index) => (
        <li key={kind} className="grid grid-cols-[7rem_1fr] gap-x-5 md:block">
          <div className="overflow-hidden md:overflow-visible">
            <div className="w-[174%] md:w-full">
              <StepPicture kind={kind} subject={subject} />
            </div>
          </div>
          <div className="md:pt-3 md:pr-8 lg:pr-14">
            <h3 className="text-heading">
              <span className="figures mr-2.5 text-seam-ink">{index + 1}</span>
              {title}
            </h3>
            <p className="mt-2 text-ink-soft">{text}</p>
          </div>
        </li>
      ))}
    </ol>
  )
}
