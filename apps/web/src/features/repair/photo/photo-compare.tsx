import type { RepairReport } from '@mendframe/contract'
import { useId, useState } from 'react'
import { cx } from '../../../shared/lib/cx.ts'
import { CompareSlider } from '../../../shared/ui/compare-slider.tsx'
import { AREA_WORDS, mainPicture } from './photo-words.ts'
import { uprightArea, uprightSize } from './upright.ts'
import './photo-compare.css'

interface PhotoCompareProps {
  readonly name: string
  /** Addresses of the pictures; empty where there is none. */
  readonly before: string
  readonly after: string
  readonly report: RepairReport | undefined
}

/** A photo before and after in one frame, with outlines around what could not be brought back as it was. */
export function PhotoCompare({ name, before, after, report }: PhotoCompareProps) {
  const [outlined, setOutlined] = useState(true)
  const id = useId()
  if (after === '') {
    return (
      <p className="max-w-[65ch] text-ink-soft">
        This kind of photo cannot be shown here. Save the repaired file and open it where you usually open
        such photos.
      </p>
    )
  }
  const picture = report ? mainPicture(report) : undefined
  const size = picture ? uprightSize(picture, picture.orientation) : undefined
  const states = [...new Set(picture?.areas.map(({ state }) => state) ?? [])]
  return (
    <figure>
      <CompareSlider
        label={name}
        ratio={size ? size.width / size.height : 3 / 2}
        before={
          before === '' ? (
            <p className="grid size-full place-items-center bg-[oklch(0.2_0.032_262)] p-6 text-center text-[oklch(0.976_0.006_92)]">
              The damaged photo cannot be shown.
            </p>
          ) : (
            <img src={before} alt={`${name}, before`} className="photo-side" />
          )
        }
        after={
          <>
            <img src={after} alt={`${name}, repaired`} className="photo-side" />
            {picture && size && outlined ? (
              <svg
                aria-hidden="true"
                viewBox={`0 0 ${size.width} ${size.height}`}
                preserveAspectRatio="none"
                className="pointer-events-none absolute inset-0 size-full"
              >
                {picture.areas.map((area) => {
                  const shown = uprightArea(area, picture, picture.orientation)
                  return (
                    <g
                      key={`${area.x} ${area.y} ${area.state}`}
                      className={cx('photo-area', `photo-area-${area.state}`)}
                    >
                      <rect {...shown} className="photo-area-halo" />
                      <rect {...shown} className="photo-area-line" />
                    </g>
                  )
                })}
              </svg>
            ) : null}
          </>
        }
      />
      {states.length > 0 ? (
        <figcaption className="mt-3 flex flex-wrap items-center gap-x-6 gap-y-2 text-small">
          <label htmlFor={id} className="flex min-h-8 items-center gap-2 font-semibold">
            <input
              id={id}
              type="checkbox"
              checked={outlined}
              onChange={(event) => setOutlined(event.target.checked)}
              className="size-5 accent-seam-line"
            />
            Outline what was damaged
          </label>
          {states.map((state) => (
            <span key={state} className="inline-flex items-center gap-2 text-ink-soft">
              <svg aria-hidden="true" width="22" height="14" className={`photo-area photo-area-${state}`}>
                <rect x="2" y="2" width="18" height="10" className="photo-area-halo" />
                <rect x="2" y="2" width="18" height="10" className="photo-area-line" />
              </svg>
              {AREA_WORDS[state] ?? state}
            </span>
          ))}
        </figcaption>
      ) : null}
    </figure>
  )
}
