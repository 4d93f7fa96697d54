import { StepPicture } from '../landing/step-pictures.tsx'
import { STEPS } from './content.ts'

/** Upload, repair, save. */
export function Steps() {
  return (
    <section aria-labelledby="photo-steps-title" className="border-y border-mist bg-biscuit">
      <div className="page py-16 lg:py-20">
        <h2 id="photo-steps-title" className="text-title">
          Three steps, one of them yours
        </h2>
        <ol className="mt-8 grid gap-y-10 md:grid-cols-3">
          {STEPS.map(({ kind, title, text }, index) => (
            <li key={kind} className="grid grid-cols-[7rem_1fr] gap-x-5 md:block">
              <div className="overflow-hidden md:overflow-visible">
                <div className="w-[174%] md:w-full">
                  <StepPicture kind={kind} subject="photo" />
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
      </div>
    </section>
  )
}
