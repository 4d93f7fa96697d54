import type { Hole } from './assembler.ts'
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
  readonly hole: Hole
}

/** Picture losses that the bitstream itself tells: pictures missing before `row`, or undefined where it is silent. */
export type KnownLoss = (lane: number, row: number) => number | undefined

/** A hole this many times the usual unit costs more than the units that the interleave misses. */
const LARGE_HOLE_UNITS = 4

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
  const rates = byteRates(lanes, interleave)
  const result: Loss[][] = lanes.map(() => [])
  const clock = lanes.map(() => 0)
  for (const part of parts) {
    const { hole } = part
    if (hole) {
      const lost = inHole(part, hole, clock, { lanes, interleave, expected, rates, unitSeconds, known })
      for (const lane of lanes) {
        const { seconds: time, estimated } = lost[lane.index]
        clock[lane.index] += time
        result[lane.index].push({ row: part.firstRow[lane.index], seconds: time, estimated, hole })
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
  readonly rates: readonly number[]
  readonly unitSeconds: readonly number[]
  readonly known: KnownLoss
}

function inHole(
  part: Segment,
  hole: Hole,
  clock: readonly number[],
  witnesses: Witnesses,
): { seconds: number; estimated: boolean }[] {
  const { lanes, interleave, expected, rates, unitSeconds, known } = witnesses
  const { reference } = interleave
  // by how much each lane is behind the reference lane, which nothing but a loss of its own explains
  const behind = lanes.map((lane) => {
    const lead = middle(part.leads[lane.index])
    if (lane.index === reference || lead === undefined) return undefined
    const apart = expected[lane.index] - (clock[lane.index] - clock[reference] + lead)
    // within what a healthy recording wanders nothing is proved
    return Math.abs(apart) <= interleave.spread[lane.index] ? 0 : apart
  })
  const main = mainLane(lanes, reference, behind)
  const counted = known(reference, part.firstRow[reference])
  let referenceLoss: number
  if (counted !== undefined) {
    referenceLoss = counted * unitSeconds[reference]
  } else {
    const apart = main === undefined ? 0 : (behind[main] ?? 0)
    const own = apart < -unitSeconds[reference] / 2 ? wholeUnits(-apart, unitSeconds[reference]) : 0
    const others = apart > 0 && main !== undefined ? apart : 0
    const atStart = clock.every((time) => time === 0)
    referenceLoss = own + (atStart ? 0 : together(hole, own, others, main, witnesses, rates))
  }
  return lanes.map((lane) => {
    if (lane.index === reference) return { seconds: referenceLoss, estimated: counted === undefined }
    const apart = behind[lane.index]
    const time = referenceLoss + (apart ?? 0)
    const unit = unitSeconds[lane.index]
    if (unit === 0) return { seconds: 0, estimated: true }
    return { seconds: Math.max(0, wholeUnits(time, unit)), estimated: true }
  })
}

/** Seconds that all lanes lost together, from the bytes that the separate losses leave unexplained. */
function together(
  hole: Hole,
  own: number,
  others: number,
  main: number | undefined,
  witnesses: Witnesses,
  rates: readonly number[],
): number {
  const { interleave, unitSeconds } = witnesses
  const { reference } = interleave
  const explained = own * rates[reference] + (main === undefined ? 0 : others * rates[main])
  const left = hole.length - explained
  const total = rates.reduce((sum, rate) => sum + rate, 0)
  const unitBytes = rates[reference] * unitSeconds[reference]
  if (total <= 0 || left < unitBytes * LARGE_HOLE_UNITS) {
    // with no other lane to tell, a small hole cost the unit it begins in; else a later stretch will tell
    return witnesses.lanes.length === 1 ? unitSeconds[reference] : 0
  }
  return wholeUnits(left / total, unitSeconds[reference])
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

/** Bytes a second of each lane in what was recovered; the sample's where too little was. */
function byteRates(lanes: readonly Lane[], interleave: Interleave): number[] {
  return lanes.map((lane) => {
    const { table, description } = lane
    if (table.length < 8) return interleave.lanes[lane.index].byteRate
    let bytes = 0
    let ticks = 0
    for (let row = 0; row < table.length; row++) {
      bytes += table.size[row]
      ticks += table.duration[row]
    }
    return ticks > 0 ? (bytes * description.timescale) / ticks : 0
  })
}

function middle(values: readonly number[]): number | undefined {
  if (values.length === 0) return undefined
  return [...values].sort((a, b) => a - b)[values.length >> 1]
}
