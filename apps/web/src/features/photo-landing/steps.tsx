import { StepList } from '../landing/step-list.tsx'
import { STEPS } from './content.ts'

/** Upload, repair, save. */
export function Steps() {
  return (
    <section aria-labelledby="photo-steps-title" className="border-y border-mist bg-biscuit">
      <div className="page py-16 lg:py-20">
        <h2 id="photo-steps-title" className="text-title">
          Three steps, one of them yours
        </h2>
        <StepList steps={STEPS} subject="photo" className="mt-8" />
      </div>
    </section>
  )
}
