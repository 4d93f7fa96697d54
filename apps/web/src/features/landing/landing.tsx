import { Faq } from '../../shared/ui/faq.tsx'
import { QUESTIONS } from './content.ts'
import { DesktopBanner } from './desktop-banner.tsx'
import { Devices } from './devices.tsx'
import { Formats } from './formats.tsx'
import { Plans } from './plans.tsx'
import { Scenarios } from './scenarios.tsx'
import { Steps } from './steps.tsx'

/** What the start page says beneath the repair. */
export function Landing() {
  return (
    <>
      <Steps />
      <Scenarios />
      <Formats />
      <Devices />
      <Plans />
      <section
        aria-labelledby="faq-title"
        className="page grid gap-x-16 gap-y-8 py-20 lg:grid-cols-[4fr_8fr] lg:py-28"
      >
        <h2 id="faq-title" className="text-title lg:sticky lg:top-10 lg:self-start">
          Questions people ask
        </h2>
        <Faq name="video-faq" questions={QUESTIONS} />
      </section>
      <DesktopBanner />
    </>
  )
}
