import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { cx } from '../lib/cx.ts'
import { faultAt, type StripPart } from './strip-model.ts'

/** A fault is met this many CSS pixels beside it, too. */
const REACH_PX = 10

interface StripRowProps {
  readonly parts: readonly StripPart[]
  /** Seconds from the left end to the right. */
  readonly length: number
  readonly name: string
  readonly wordsOf: (part: StripPart) => string
  readonly onTell: (part: StripPart | undefined) => void
}

function Parts({
  parts,
  length,
  told,
}: Pick<StripRowProps, 'parts' | 'length'> & { readonly told?: StripPart }) {
  return parts.map((part, index) => (
    <span
      key={part.start}
      style={{
        left: `${(part.start / length) * 100}%`,
        width: `${((part.end - part.start) / length) * 100}%`,
      }}
      className={cx(
        'strip-part',
        `strip-${part.state}`,
        index > 0 && part.state === 'recovered' && 'strip-joint',
        part === told && 'strip-told',
      )}
    />
  ))
}

/** A track as a picture alone. */
export function SmallStripRow(props: Pick<StripRowProps, 'parts' | 'length'>) {
  return (
    <div className="relative h-4 min-w-0 flex-1">
      <Parts {...props} />
    </div>
  )
}

/**
 * A track whose faults can be asked about: by pointing at them, or with the arrow keys from one to the next. One control
 * for the whole row, because faults of single frames lie too close to be hit one by one.
 */
export function StripRow({ parts, length, name, wordsOf, onTell }: StripRowProps) {
  const row = useRef<HTMLDivElement>(null)
  const [told, setTold] = useState<StripPart>()
  const faults = parts.filter(({ state }) => state !== 'recovered')
  const at = told ? faults.indexOf(told) : -1
  const first = faults[0]
  if (!first) {
    return (
      <div className="relative h-8 min-w-0 flex-1">
        <Parts parts={parts} length={length} />
      </div>
    )
  }

  const show = (part: StripPart | undefined) => {
    setTold(part)
    onTell(part)
  }
  const point = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    const perPixel = length / Math.max(1, width)
    show(faultAt(faults, (clientX - left) * perPixel, REACH_PX * perPixel))
  }
  const step = (event: KeyboardEvent) => {
    const last = faults.length - 1
    const next = {
      ArrowRight: at + 1,
      ArrowUp: at + 1,
      ArrowLeft: at - 1,
      ArrowDown: at - 1,
      Home: 0,
      End: last,
    }[event.key]
    if (next === undefined) return
    event.preventDefault()
    show(faults[Math.min(last, Math.max(0, next))])
  }
  return (
    <div
      ref={row}
      role="slider"
      tabIndex={0}
      aria-label={`${name}: gaps and damage`}
      aria-valuemin={1}
      aria-valuemax={faults.length}
      aria-valuenow={Math.max(0, at) + 1}
      aria-valuetext={wordsOf(told ?? first)}
      onKeyDown={step}
      onFocus={() => show(told ?? first)}
      onBlur={() => show(undefined)}
      onPointerDown={point}
      onPointerMove={point}
      onPointerLeave={() => {
        if (document.activeElement !== row.current) show(undefined)
      }}
      className="relative h-8 min-w-0 flex-1"
    >
      <Parts parts={parts} length={length} {...(told ? { told } : {})} />
    </div>
  )
}
