import { STEPS } from './content.ts'
import { StepList } from './step-list.tsx'

/** The way from a broken file to a playing one. */
export function Steps() {
  return (
    <section aria-labelledby="steps-title" className="page py-20 lg:py-28">
      <h2 id="steps-title" className="max-w-[22ch] text-title">
        Three steps from broken to playing
      </h2>
      <StepList steps={STEPS} subject="film" className="mt-10 lg:mt-6" />
    </section>
  )
}
