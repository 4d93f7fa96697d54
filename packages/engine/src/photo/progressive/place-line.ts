import { medianOf, NORMAL } from '../statistics.ts'
import type { Line } from './read-line.ts'

/**
 * What it costs that units go on at another place, in deviations, for each sign: where reading began anew, and elsewhere. Alike
 * stretches are many.
 */
const [MOVED_ANEW, MOVED] = [0.5, 50]
/** A sign that is off by more deviations counts no more; one outside of the picture counts as so many. */
const FAR_OFF = 4
const OUTSIDE = 3
/** Levels by which signs are off at least. */
const LEAST_OFF = 1
/**
 * Places beside those that counts of units tell; more are looked at where bits were passed over, for so many times as many units
 * as they usually hold.
 */
const ASIDE = 48
const TIMES_LOST = 1.5
/** Pairs of unit and place that are looked at, at most. */
const MOST_LOOKED = 64_000_000
const LEARNED = 2_048
/** Deviations of chance by which units must fit a place better than so many on either side to be put there for what they tell. */
const TOLD = 3
const NEIGHBOURS = 24
/** Reading goes on at a unit behind doubtful ones, or begins anew. */
const [GOES_ON, ANEW] = [1, 2]
/** Units that are believed to lie at a place of their own, at least. */
const LEAST_COUNT = 6

/** Units of a line that lie behind each other in the picture, from `place` on. */
export interface PlacedUnits {
  readonly first: number
  readonly count: number
  readonly place: number
}

/**
 * Where units of a first scan belong, among the `total` of a sound one: at places which other scans tell to be as these units ask
 * for. Each has `size` signs, in levels: those `told` of each unit, those `wanted` of each place. Units keep their order; damage
 * moves those behind it together. By dynamic programming over how far they are moved.
 */
export function placeLine(
  line: Line,
  total: number,
  { told, wanted, count: size }: { told: Float32Array; wanted: Float32Array; count: number },
): PlacedUnits[] {
  const { count, starts, doubtful, ended } = line
  const apart = total - count
  const missing = Math.max(0, ended ? apart : (TIMES_LOST * line.lost) / line.usual)
  const least = Math.min(0, apart) - ASIDE
  const most = Math.max(
    least + 1,
    Math.min(Math.ceil(missing) + ASIDE, least + Math.floor(MOST_LOOKED / count)),
  )
  const wide = most - least + 1
  const scale = scaleOf(line, told, wanted, size, total)
  const costAt = (unit: number, place: number): number => {
    if (place < 0 || place >= total) return OUTSIDE * size
    let cost = 0
    for (let sign = 0, a = unit * size, b = place * size; sign < size; sign++, a++, b++)
      cost += Math.min(Math.abs(told[a] - wanted[b]) * scale[sign], FAR_OFF)
    return cost
  }
  let costs = new Float32Array(wide).fill(MOVED * size)
  costs[-least] = 0
  let next = new Float32Array(wide)
  /** Of each unit the cheapest move in front of it, and by move whether it was moved from there. */
  const cheapest = new Int32Array(count)
  const moved = new Uint8Array(Math.ceil((count * wide) / 8))
  const isStart = new Uint8Array(count)
  for (const unit of doubtful) if (unit < count) isStart[unit] = GOES_ON
  for (const unit of starts) if (unit < count) isStart[unit] = ANEW
  for (let unit = 0; unit < count; unit++) {
    let best = 0
    for (let i = 1; i < wide; i++) if (costs[i] < costs[best]) best = i
    cheapest[unit] = best
    const anew = costs[best] + size * (isStart[unit] > 0 ? MOVED_ANEW : MOVED)
    for (let i = 0; i < wide; i++) {
      let cost = costs[i]
      if (unit > 0 && anew < cost) {
        cost = anew
        const bit = unit * wide + i
        moved[bit >>> 3] |= 1 << (bit & 7)
      }
      next[i] = cost + costAt(unit, unit + i + least)
    }
    ;[costs, next] = [next, costs]
  }
  let at = 0
  for (let i = 0; i < wide; i++) {
    // the last unit that was read is the picture's last one
    if (ended && i + least !== apart) costs[i] += MOVED * size
    if (costs[i] < costs[at]) at = i
  }
  const placed: PlacedUnits[] = []
  let end = count
  for (let unit = count - 1; unit >= 0; unit--) {
    const bit = unit * wide + at
    const isMoved = (moved[bit >>> 3] & (1 << (bit & 7))) !== 0
    if (unit > 0 && !isMoved && isStart[unit] !== ANEW) continue
    placed.push({ first: unit, count: end - unit, place: unit + at + least })
    end = unit
    if (isMoved) at = cheapest[unit]
  }
  const isTold = ({ first, count: units, place }: PlacedUnits, stays: number | undefined): boolean => {
    const costOf = (by: number): number => {
      let cost = 0
      for (let i = 0; i < units; i++) cost += costAt(first + i, place + i + by)
      return cost
    }
    if (stays === place - first) return true
    const least = costOf(0) + TOLD * Math.sqrt(2 * size * units)
    if (stays !== undefined && costOf(stays - place + first) < least) return false
    for (let by = 1; by <= NEIGHBOURS; by++) if (costOf(by) < least || costOf(-by) < least) return false
    return true
  }
  const sure: PlacedUnits[] = []
  const lastStart = starts.at(-1) ?? 0
  for (const piece of placed.reverse()) {
    const { first, count: units, place } = piece
    const before = sure.at(-1)
    const goesOn = before !== undefined && before.first + before.count === first && isStart[first] !== ANEW
    // what goes on without a break stays where it is, and what comes to the scan's end where that puts it
    let stays = goesOn ? before.place - before.first : undefined
    if (first === 0) stays = 0
    else if (ended && lastStart > 0 && first >= lastStart) stays = apart
    const counted = ended && first + units === count && place - first === apart
    const at = counted || isTold(piece, stays) ? place - first : stays
    if (at === undefined) continue
    if (goesOn && at === before.place - before.first)
      sure[sure.length - 1] = { ...before, count: before.count + units }
    else sure.push({ first, count: units, place: first + at })
  }
  return withinPicture(sure, total)
}

/** By sign one part of how far it usually is off, of units that are where they were read from either end. */
function scaleOf(
  { count, starts, doubtful }: Line,
  told: Float32Array,
  wanted: Float32Array,
  size: number,
  total: number,
): Float32Array {
  const offs = new Float32Array(LEARNED)
  const breaks = [...starts.slice(1), ...doubtful].sort((a, b) => a - b)
  const usual = (from: number, to: number, shift: number, sign: number): number => {
    let learned = 0
    for (let unit = Math.max(0, from); unit < to && learned < LEARNED; unit++) {
      if (unit + shift < 0 || unit + shift >= total) continue
      offs[learned++] = Math.abs(told[unit * size + sign] - wanted[(unit + shift) * size + sign])
    }
    return learned === 0 ? Number.POSITIVE_INFINITY : NORMAL * medianOf(offs, learned)
  }
  return Float32Array.from({ length: size }, (_, sign) => {
    const head = usual(0, Math.min(count, breaks[0] ?? count), 0, sign)
    const tail = usual(Math.max(breaks.at(-1) ?? 0, count - LEARNED), count, total - count, sign)
    return 1 / Math.max(LEAST_OFF, Math.min(head, tail))
  })
}

/**
 * What lies within the picture and beside each other: where damage put units in, those in front of where others go on are its
 * own.
 */
function withinPicture(placed: readonly PlacedUnits[], total: number): PlacedUnits[] {
  const out: PlacedUnits[] = []
  let until = total
  for (let index = placed.length - 1; index >= 0; index--) {
    const { first, count, place } = placed[index]
    const skipped = Math.max(0, -place)
    const kept = Math.min(count, until - place) - skipped
    if (kept < Math.min(LEAST_COUNT, total)) continue
    out.push({ first: first + skipped, count: kept, place: place + skipped })
    until = place + skipped
  }
  return out.reverse()
}
