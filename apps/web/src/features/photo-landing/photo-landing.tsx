import { Faq } from '../../shared/ui/faq.tsx'
import { Comparisons } from './comparisons.tsx'
import { QUESTIONS } from './content.ts'
import { Formats } from './formats.tsx'
import { Plans } from './plans.tsx'
import { Steps } from './steps.tsx'

/** What the photo page says beneath its hero. */
export function PhotoLanding() {
  return (
    <>
      <Steps />
      <Comparisons />
      <Formats />
      <Plans />
      <section
        aria-labelledby="photo-faq-title"
        className="page grid gap-x-16 gap-y-8 py-20 lg:grid-cols-[4fr_8fr] lg:py-28"
      >
        <h2 id="photo-faq-title" className="text-title lg:sticky lg:top-10 lg:self-start">
          Questions people ask
        </h2>
        <Faq name="photo-faq" questions={QUESTIONS} />
      </section>
    </>
  )
}
