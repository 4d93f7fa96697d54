import type { Hole } from './assembler.ts'
import { type LaneBytes, soundInHole, unitsInHole, unitsWithLostKey } from './hole-bytes.ts'
import type { Lane } from './lane.ts'
import type { Interleave } from './learn.ts'
import { type Segment, segments } from './segments.ts'

/** Time lost right before a row of a lane. */
export interface Loss {
  readonly row: number
  /** Seconds; may be 0. */
  readonly seconds: number
  /** False when counted from the bitstream's own numbering. */
  readonly estimated: boolean
  /** The numbering of pictures starts anew here, though the bitstream does not say so: its key picture was lost. */
  readonly restarts: boolean
  readonly hole: Hole
}

/** What the bitstream's own numbering tells of the pictures lost right before a row. */
export interface CountedLoss {
  readonly units: number
  /** No more than these can be missing; otherwise a new sequence begins here and more may be lost. */
  readonly complete: boolean
}

/** The numbering was asked for this row already. */
const ANSWERED: CountedLoss = { units: 0, complete: true }

/** Undefined where the numbering is silent. */
export type KnownLoss = (lane: number, row: number) => CountedLoss | undefined

/**
 * How much time each lane lost in each hole. Three witnesses, best first: the bitstream's own numbering (within
 * a coded sequence), the interleave (lanes keep their distance in the file, so the one that falls behind lost more),
 * and the bytes of the hole at the recording's rate (what all lanes lost together).
 */
export function losses(
  lanes: readonly Lane[],
  interleave: Interleave,
  holes: readonly Hole[],
  known: KnownLoss,
): Loss[][] {
  const { reference } = interleave
  const tables = lanes.map((lane) => lane.table)
  const unitSeconds = lanes.map(
    (lane) => interleave.lanes[lane.index].unitDuration / lane.description.timescale || 0,
  )
  const seconds = (lane: number, row: number): number =>
    tables[lane].duration[row] / lanes[lane].description.timescale
  const damage = holes.filter((hole) => hole.length > interleave.filler)
  const parts = segments(tables, seconds, damage, reference)
  const expected = expectedLeads(parts, interleave)
  const result: Loss[][] = lanes.map(() => [])
  const clock = lanes.map(() => 0)
  let lastRow = -1
  for (const part of parts) {
    const { hole } = part
    if (hole) {
      // of several holes before one picture, the first answers for what the numbering misses
      const row = part.firstRow[reference]
      const counted = row === lastRow ? ANSWERED : known(reference, row)
      lastRow = row
      const lost = inHole(part, hole, clock, counted, { lanes, interleave, expected, unitSeconds })
      for (const lane of lanes) {
        const { seconds: time, estimated, restarts } = lost[lane.index]
        clock[lane.index] += time
        result[lane.index].push({ row: part.firstRow[lane.index], seconds: time, estimated, restarts, hole })
      }
    }
    for (const lane of lanes) clock[lane.index] += part.advance[lane.index]
  }
  return result
}

interface Witnesses {
  readonly lanes: readonly Lane[]
  readonly interleave: Interleave
  readonly expected: readonly number[]
  readonly unitSeconds: readonly number[]
}

function inHole(
  part: Segment,
  hole: Hole,
  clock: readonly number[],
  counted: CountedLoss | undefined,
  witnesses: Witnesses,
): { seconds: number; estimated: boolean; restarts: boolean }[] {
  const { lanes, interleave, expected, unitSeconds } = witnesses
  const { reference } = interleave
  // by how much each lane is behind the reference lane, which nothing but a loss of its own explains
  const behind = lanes.map((lane) => {
    const lead = middle(part.leads[lane.index])
    // pictures of a variable rate are timed by the sound: they prove nothing of it
    if (lane.index === reference || lead === undefined || !interleave.lanes[reference].steady)
      return undefined
    const apart = expected[lane.index] - (clock[lane.index] - clock[reference] + lead)
    // within what a healthy recording wanders nothing is proved
    return Math.abs(apart) <= interleave.spread[lane.index] ? 0 : apart
  })
  const bytesOf = (lane: Lane): LaneBytes => ({
    lane,
    unitSeconds: unitSeconds[lane.index],
    row: part.firstRow[lane.index],
    apart: behind[lane.index] ?? 0,
  })
  const unit = unitSeconds[reference]
  const atStart = clock.every((time) => time === 0)
  const others = lanes.filter((lane) => lane.index !== reference && unitSeconds[lane.index] > 0).map(bytesOf)
  const withKey =
    counted?.complete === true && counted !== ANSWERED && unit > 0
      ? unitsWithLostKey(hole, counted.units, bytesOf(lanes[reference]), others)
      : undefined
  const restarts = withKey !== undefined
  const units = restarts ? 0 : (counted?.units ?? 0)
  const complete = counted?.complete === true && !restarts
  const apart = behind[mainLane(lanes, reference, behind) ?? reference] ?? 0
  let referenceLoss = units * unit
  if (atStart) {
    // what was before the first unit is gone for all lanes: only their distance counts, to the instant
    return lanes.map((lane) => {
      const seconds =
        lane.index === reference
          ? Math.max(0, -apart)
          : Math.max(0, (behind[lane.index] ?? 0) + Math.max(0, -apart))
      return { seconds, estimated: true, restarts: false }
    })
  }
  if (!complete && unit > 0) {
    const own = apart < -unit / 2 ? Math.round(-apart / unit) : 0
    const least = Math.max(units, own)
    referenceLoss =
      Math.max(own, withKey ?? unitsInHole(hole, least, bytesOf(lanes[reference]), others)) * unit
  }
  const soundAlone = referenceLoss === 0 && !interleave.lanes[reference].steady
  return lanes.map((lane) => {
    if (soundAlone && lane.index === interleave.sound) {
      return { seconds: soundInHole(hole, bytesOf(lane)), estimated: true, restarts: false }
    }
    if (lane.index === reference) return { seconds: referenceLoss, estimated: !complete, restarts }
    const apart = behind[lane.index]
    const time = referenceLoss + (apart ?? 0)
    const unit = unitSeconds[lane.index]
    if (unit === 0) return { seconds: 0, estimated: true, restarts: false }
    return { seconds: Math.max(0, wholeUnits(time, unit)), estimated: true, restarts: false }
  })
}

function wholeUnits(seconds: number, unit: number): number {
  return unit > 0 ? Math.round(seconds / unit) * unit : seconds
}

/** The lane that tells most of the reference lane's clock: sound where there is any. */
function mainLane(
  lanes: readonly Lane[],
  reference: number,
  behind: readonly (number | undefined)[],
): number | undefined {
  const usable = lanes.filter((lane) => lane.index !== reference && behind[lane.index] !== undefined)
  return (usable.find((lane) => lane.description.kind === 'audio') ?? usable[0])?.index
}

/** The distance lanes keep from the reference: measured before the first hole, else the sample's. */
function expectedLeads(parts: readonly Segment[], interleave: Interleave): number[] {
  const [first] = parts
  return interleave.lead.map((fromSample, lane) => {
    const own =
      first.hole === undefined && first.leads[lane].length >= 4 ? middle(first.leads[lane]) : undefined
    return own ?? fromSample
  })
}

function middle(values: readonly number[]): number | undefined {
  if (values.length === 0) return undefined
  return [...values].sort((a, b) => a - b)[values.length >> 1]
}
