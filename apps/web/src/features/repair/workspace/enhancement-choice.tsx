import { ENHANCEMENTS, type Enhancement } from '@mendframe/contract'
import { ENHANCEMENT_WORDS } from '../result/enhancement-words.ts'

interface EnhancementChoiceProps {
  readonly chosen: readonly Enhancement[]
  readonly onChange: (chosen: readonly Enhancement[]) => void
}

/** What may be done to the picture besides the repair. Nothing is, unless it is ticked. */
export function EnhancementChoice({ chosen, onChange }: EnhancementChoiceProps) {
  return (
    <details className="mb-5 border-y border-mist py-3">
      <summary className="inline-link inline-block min-h-6 font-semibold">Also improve the picture</summary>
      <fieldset className="mt-3">
        <legend className="mb-3 max-w-[65ch] text-small text-ink-soft">
          A repair alone brings back your recording as it was filmed. What you tick here changes pictures on
          top of that. It takes longer, and the report says what was changed.
        </legend>
        <div className="grid gap-x-6 gap-y-1 sm:grid-cols-2">
          {ENHANCEMENTS.map((name) => (
            <label key={name} className="flex min-h-11 items-start gap-3 py-2">
              <input
                type="checkbox"
                className="mt-0.5 size-5 shrink-0 accent-seam"
                checked={chosen.includes(name)}
                onChange={(event) =>
                  onChange(
                    event.currentTarget.checked ? [...chosen, name] : chosen.filter((each) => each !== name),
                  )
                }
              />
              <span>
                <span className="block leading-6 font-semibold">{ENHANCEMENT_WORDS[name].label}</span>
                <span className="block text-small text-ink-soft">{ENHANCEMENT_WORDS[name].hint}</span>
              </span>
            </label>
          ))}
        </div>
      </fieldset>
    </details>
  )
}
