import { ChevronsLeftRight } from 'lucide-react'
import { type CSSProperties, type ReactNode, useEffect, useRef, useState } from 'react'
import { cx } from '../lib/cx.ts'

/** Where the seam lies at first, in per cent from the left. */
const MIDDLE = 50

/** Of the window, so that the whole picture and its slider are seen at once. */
const HIGHEST = '72vh'

interface CompareSliderProps {
  /** What is compared, for screen readers: 'Blurry photos'. */
  readonly label: string
  readonly before: ReactNode
  readonly after: ReactNode
  readonly beforeName?: string
  readonly afterName?: string
  /** Gives the frame its shape, e.g. an aspect ratio. */
  readonly className?: string
  /** Width by height of the pictures: the frame has their shape and fits the window. */
  readonly ratio?: number | undefined
}

/**
 * Two pictures in one frame, the first left of a seam that can be dragged. A native range input lies over them, so
 * mouse, touch and keyboard work as on any slider.
 */
export function CompareSlider({
  label,
  before,
  after,
  beforeName = 'Before',
  afterName = 'After',
  className,
  ratio,
}: CompareSliderProps) {
  const range = useRef<HTMLInputElement>(null)
  const [cut, setCut] = useState(MIDDLE)
  // The seam may have been dragged before this script arrived.
  useEffect(() => {
    if (range.current) setCut(range.current.valueAsNumber)
  }, [])
  const style: CSSProperties & Record<'--cut', string> = {
    '--cut': `${cut}%`,
    ...(ratio ? { aspectRatio: ratio, maxWidth: `calc(${HIGHEST} * ${ratio})` } : {}),
  }
  return (
    <div className={cx('compare', className)} style={style}>
      <div className="compare-side">{after}</div>
      <div className="compare-side compare-before">{before}</div>
      <span className="compare-name left-3" aria-hidden="true">
        {beforeName}
      </span>
      <span className="compare-name right-3" aria-hidden="true">
        {afterName}
      </span>
      <input
        type="range"
        min="0"
        max="100"
        step="1"
        defaultValue={MIDDLE}
        ref={range}
        onInput={(event) => setCut(event.currentTarget.valueAsNumber)}
        aria-label={`${label}: drag to compare ${beforeName.toLowerCase()} and ${afterName.toLowerCase()}`}
        aria-valuetext={`${cut}% ${beforeName.toLowerCase()}, ${100 - cut}% ${afterName.toLowerCase()}`}
        className="compare-range"
      />
      <span className="compare-seam" aria-hidden="true">
        <span className="compare-knob">
          <ChevronsLeftRight size={20} />
        </span>
      </span>
    </div>
  )
}
