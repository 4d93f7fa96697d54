import { SAMPLE_AFTER_HOLE, type SampleTable } from '../../model/sample-table.ts'
import { inFileOrder } from '../../recovery/learning/rows-by-place.ts'
import type { Rate } from './candidates.ts'

/** The constant rate that pictures came at of which a camera left some out. */
export interface Grid {
  readonly rate: Rate
  /** Hz of the sound that tells. */
  readonly sound: number
}

/** When such pictures come. */
export interface Steps extends Grid {
  /** Pictures of the rate since the first one's, by row. */
  readonly at: Float64Array
}

/** Most of a picture's length by which sound may be ahead or behind where pictures lie, to tell when they come. */
const WIDEST = 0.85
/** Nats by which the pictures' places speak for a rate: some fifty are tried. */
const CERTAIN = 20
/** Times by which more must speak for a rate than for one that is more usual. */
const CLEARLY = 1.2
/** What rounding may take. */
const WHOLE = 1e-9

/**
 * Finds the constant rate of which pictures were left out, as phones do in the dark: sound before each picture is then as long as
 * some number of whole pictures, but for how exactly the writer interleaves both. One of `rates`, the usual ones first, with
 * sound units of `unitTicks`, as many samples, at one of `soundRates` (Hz). Undefined where none is certain.
 */
export function gridOf(
  picture: SampleTable,
  sound: SampleTable,
  rates: readonly Rate[],
  soundRates: readonly number[],
  unitTicks: number,
): Grid | undefined {
  return likeliestGrid(soundBefore(picture, sound, unitTicks), rates, soundRates)
}

/** As `gridOf`, with the place of each picture; undefined, too, where pictures are not in the order they are shown in. */
export function stepsOf(
  picture: SampleTable,
  sound: SampleTable,
  rates: readonly Rate[],
  soundRates: readonly number[],
  unitTicks: number,
): Steps | undefined {
  if (!isInOrder(picture)) return undefined
  const stretches = soundBefore(picture, sound, unitTicks)
  const best = likeliestGrid(stretches, rates, soundRates)
  if (!best) return undefined
  const scale = best.rate.num / best.rate.den / best.sound
  const together = inStep(stretches, scale)
  const at = Float64Array.from({ length: picture.length }, (_, row) => row)
  for (const { row, heard } of stretches) {
    const { start } = together.has(heard) ? together.arc : arcOf(heard, scale)
    const place = (ticks: number): number => Math.floor(ticks * scale - start + WHOLE)
    const before = row > 0 ? at[row - 1] + 1 : 0
    const shift = Math.max(row > 0 ? 0 : -place(heard[0]), before - place(heard[0]))
    for (const [i, ticks] of heard.entries()) at[row + i] = place(ticks) + shift
  }
  for (let row = 1; row < at.length; row++) if (at[row] <= at[row - 1]) return undefined
  return { rate: best.rate, sound: best.sound, at }
}

function likeliestGrid(
  stretches: readonly Stretch[],
  rates: readonly Rate[],
  soundRates: readonly number[],
): Grid | undefined {
  let best: { rate: Rate; sound: number; nats: number } | undefined
  for (const sound of soundRates)
    for (const rate of rates) {
      const nats = evidence(stretches, rate.num / rate.den / sound)
      if (nats > CERTAIN && (!best || nats > best.nats * CLEARLY)) best = { rate, sound, nats }
    }
  return best
}

/** The stretches whose sound no hole put out of step with that of the longest, and the arc that holds them. */
function inStep(
  stretches: readonly Stretch[],
  scale: number,
): { arc: Arc; has: (heard: Float64Array) => boolean } {
  const [longest, ...rest] = stretches.map(({ heard }) => heard).sort((a, b) => b.length - a.length)
  const among = new Set([longest])
  let arc = arcOf(longest, scale)
  for (const heard of rest) {
    const both = joined(arc, arcOf(heard, scale))
    if (both.width >= WIDEST) continue
    arc = both
    among.add(heard)
  }
  return { arc, has: (heard) => among.has(heard) }
}

/** The shortest arc that holds two. */
function joined(one: Arc, other: Arc): Arc {
  const reach = (from: Arc, to: Arc): number =>
    Math.max(from.width, ((((to.start - from.start) % 1) + 1) % 1) + to.width)
  const [forth, back] = [reach(one, other), reach(other, one)]
  return forth <= back ? { start: one.start, width: forth } : { start: other.start, width: back }
}

/** Nats by which the places of pictures in every stretch speak for a rate; 0 where one contradicts it. */
function evidence(stretches: readonly Stretch[], scale: number): number {
  let nats = 0
  for (const { heard } of stretches) {
    const { width } = arcOf(heard, scale)
    if (width >= WIDEST) return 0
    nats += tellingSteps(heard) * -Math.log(Math.max(width, NARROWEST))
  }
  return nats
}

/** Share by which runs of sound that follow each other differ where they are as even as whole units of it allow. */
const EVEN = 1 / 8

/**
 * How many pictures tell anew by the sound before them: of those behind the same sound one does, and where runs of them are even,
 * the next run lies where the last ones have it lie.
 */
function tellingSteps(heard: Float64Array): number {
  let telling = 0
  let last = 0
  for (let i = 1; i < heard.length; i++) {
    const step = heard[i] - heard[i - 1]
    if (step === 0) continue
    if (Math.abs(step - last) > step * EVEN) telling++
    last = step
  }
  return telling
}

/** Writers are no more exact than this: fewer pictures lie closer together by chance. */
const NARROWEST = 0.3

/** An arc of a circle whose length is one picture's: where it starts, 0 to 1, and its width. */
interface Arc {
  readonly start: number
  readonly width: number
}

/** A row of pictures, and the ticks of sound in front of each, of which nothing between is lost. */
interface Stretch {
  readonly row: number
  readonly heard: Float64Array
}

function soundBefore(pictures: SampleTable, sounds: SampleTable, unitTicks: number): readonly Stretch[] {
  const found: { row: number; heard: number[] }[] = []
  let ticks = 0
  let joins = false
  inFileOrder([pictures, sounds], (lane, row) => {
    if ((lane === 0 ? pictures : sounds).flags[row] & SAMPLE_AFTER_HOLE) joins = false
    if (lane === 1) {
      ticks = sounds.dts[row] + sounds.count[row] * unitTicks
      return
    }
    // pictures before any sound come when nobody knows
    if (!joins || found.at(-1)?.heard.at(-1) === 0) found.push({ row, heard: [] })
    joins = true
    found.at(-1)?.heard.push(ticks)
  })
  return found.map(({ row, heard }) => ({ row, heard: Float64Array.from(heard) }))
}

function isInOrder({ length, cts }: SampleTable): boolean {
  for (let row = 1; row < length; row++) if (cts[row] !== cts[0]) return false
  return true
}

/** The shortest arc that holds all of the values times `scale`. */
function arcOf(values: Float64Array, scale: number): Arc {
  const parts = values.map((value) => (value * scale) % 1).sort()
  let start = parts[0]
  let gap = 1 - parts[parts.length - 1] + parts[0]
  for (let i = 1; i < parts.length; i++) {
    if (parts[i] - parts[i - 1] <= gap) continue
    gap = parts[i] - parts[i - 1]
    start = parts[i]
  }
  return { start, width: 1 - gap }
}
