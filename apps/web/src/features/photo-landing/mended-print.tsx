import { FULL_WIDTH, SMALL_WIDTH } from './picture-sizes.ts'
import dawn from './pictures/dawn.webp'
import dawnSmall from './pictures/dawn-small.webp'

/** The pieces of the print lie a little apart from true; the joints between them are gold. */
const SEAMS: readonly string[] = [
  'M-4 138 96 150 188 116 262 172 348 150 404 168',
  'M188 116 168 52 206-4',
  'M262 172 232 238 262 304',
  'M96 150 70 226 84 304',
]

/** A photograph on paper that was torn and joined with gold. */
export function MendedPrint() {
  return (
    <figure className="relative mx-auto max-w-[33rem] -rotate-2 rounded-sm border border-mist bg-[oklch(0.985_0.004_92)] p-[4%] shadow-[0_1px_2px_oklch(0.2_0.04_262/0.12)]">
      <img
        src={dawn}
        srcSet={`${dawnSmall} ${SMALL_WIDTH}w, ${dawn} ${FULL_WIDTH}w`}
        sizes="(min-width: 64rem) 32rem, calc(100vw - 4rem)"
        width={FULL_WIDTH}
        height={(FULL_WIDTH * 3) / 4}
        fetchPriority="high"
        alt="Hot-air balloons rise from a valley in the first light."
        className="w-full"
      />
      <svg
        viewBox="0 0 400 300"
        preserveAspectRatio="none"
        aria-hidden="true"
        className="pointer-events-none absolute inset-0 size-full"
      >
        <g fill="none" strokeLinejoin="bevel">
          {SEAMS.map((d) => (
            <path key={d} d={d} stroke="#a97518" strokeWidth="3.6" />
          ))}
          {SEAMS.map((d) => (
            <path key={d} d={d} stroke="#f3cf74" strokeWidth="1.6" />
          ))}
        </g>
      </svg>
    </figure>
  )
}
