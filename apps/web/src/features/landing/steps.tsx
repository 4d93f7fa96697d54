import { STEPS } from './content.ts'
import { StepPicture } from './step-pictures.tsx'

/** The way from a broken file to a playing one. */
export function Steps() {
  return (
    <section aria-labelledby="steps-title" className="page py-20 lg:py-28">
      <h2 id="steps-title" className="max-w-[22ch] text-title">
        Three steps from broken to playing
      </h2>
      <ol className="mt-10 grid gap-y-10 md:grid-cols-3 lg:mt-6">
        {STEPS.map(({ kind, title, text }, index) => (
          <li key={kind} className="grid grid-cols-[7rem_1fr] gap-x-5 md:block">
            <div className="overflow-hidden md:overflow-visible">
              <div className="w-[174%] md:w-full">
                <StepPicture kind={kind} />
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
    </section>
  )
}
