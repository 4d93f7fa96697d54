import { cx } from '../lib/cx.ts'

/** The crack through the strip, left to right in a 100 by 40 box. */
const CRACK = 'M0 22 6 15 13 24 19 18 27 27 34 12 41 21 48 16 55 28 62 19 68 25 76 11 83 22 90 17 100 21'

interface ProgressSeamProps {
  /** 0 to 100; `undefined` where only the stage is known. */
  readonly value: number | undefined
  /** What goes on, for people who hear the page. */
  readonly label: string
  /** Frames of the strip. */
  readonly frames: number
  /** The frame at work, from 0; those before it are whole. */
  readonly at?: number | undefined
  /** In words, e.g. `42 percent, Recovering frames`. */
  readonly valueText?: string | undefined
  readonly tall?: boolean
}

/** Progress as a golden seam that draws itself through a strip of film. */
export function ProgressSeam({ value, label, frames, at, valueText, tall = false }: ProgressSeamProps) {
  const shown = Math.min(100, Math.max(0, value ?? 0))
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={value === undefined ? undefined : Math.round(shown)}
      aria-valuetext={valueText}
      className="film-strip relative overflow-hidden"
    >
      <div className={cx('flex gap-1 px-1.5', tall ? 'h-20 sm:h-24' : 'h-12')}>
        {Array.from({ length: frames }, (_, index) => {
          const whole = at === undefined ? ((index + 1) / frames) * 100 <= shown : index < at
          return (
            <span
              // biome-ignore lint/suspicious/noArrayIndexKey: the frames are their places.
              key={index}
              className={cx(
                'flex-1 rounded-[2px] transition-colors duration-500',
                whole ? 'bg-[oklch(0.62_0.06_185)]' : 'bg-[oklch(0.36_0.03_255)]',
              )}
            />
          )
        })}
      </div>
      <Crack stroke="oklch(0.14 0.02 262)" width={2} />
      <Crack stroke="oklch(0.83 0.135 86)" width={3.5} drawn={shown} />
    </div>
  )
}

/** The crack, dark or golden, drawn up to so many percent of its way. */
function Crack({
  stroke,
  width,
  drawn = 100,
}: {
  readonly stroke: string
  readonly width: number
  readonly drawn?: number
}) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 100 40"
      preserveAspectRatio="none"
      className="seam-drawn pointer-events-none absolute inset-x-1.5 top-[18px] h-[calc(100%-36px)] w-[calc(100%-12px)]"
      style={{ clipPath: `inset(0 ${100 - drawn}% 0 0)` }}
    >
      <path d={CRACK} className="seam-path" stroke={stroke} strokeWidth={width} />
    </svg>
  )
}
