import { SCENARIOS } from './content.ts'
import { ScenarioDefinitions, ScenarioPicture } from './scenario-pictures.tsx'

/** What can be wrong, as frames of one film: lying on wide screens, hanging on narrow ones. */
export function Scenarios() {
  return (
    <section aria-labelledby="scenarios-title" className="overflow-x-clip pb-20 lg:pb-28">
      <ScenarioDefinitions />
      <div className="page grid gap-x-16 gap-y-4 lg:grid-cols-[1fr_1fr] lg:items-end">
        <h2 id="scenarios-title" className="max-w-[18ch] text-title">
          What does yours look like?
        </h2>
        <p className="max-w-[36rem] text-lead text-ink-soft">
          Six ways a video breaks. In each frame, left of the gold is what the file shows; right of it is what
          it still held.
        </p>
      </div>
      <ul className="page mt-10 md:grid md:grid-cols-3 md:gap-y-14">
        {SCENARIOS.map(({ kind, title, text }) => (
          <li key={kind} className="filmstrip-item grid grid-cols-[9.5rem_1fr] gap-x-5 md:block">
            <div className="filmstrip">
              <div className="filmstrip-frame">
                <ScenarioPicture kind={kind} />
              </div>
            </div>
            <div className="py-4 md:py-0 md:pt-5 md:pr-8 lg:pr-12">
              <h3 className="text-heading">{title}</h3>
              <p className="mt-1.5 text-small text-ink-soft sm:text-body">{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
