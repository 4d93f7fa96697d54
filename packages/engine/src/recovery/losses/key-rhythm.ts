import { SAMPLE_AFTER_HOLE, SAMPLE_KEY, SAMPLE_RESTART, type SampleTable } from '../../model/sample-table.ts'

/** Rows on each side looked at for the rhythm of key units. */
export const SURVEYED = 1024
/** In nats: what breaks a rule of the recording, and a key unit at another distance than the usual, as encoders put them at cuts. */
const RULE_COST = 5
/** The sample's distance of key units counts as often as so many of the recording's own. */
const SAMPLE_WEIGHT = 2
/** Distances of key units that prove them to be always the same. */
const FEWEST_DISTANCES = 4
/** In nats: key units one unit off their usual distance, as reordering may put them. */
const NEARLY_COST = 1
/** In nats: key units further apart than ever, though encoders keep a limit. */
const LIMIT_COST = 8
/** Share of key units that makes a habit of theirs (one distance, numbering from zero) a rule. */
const EVEN = 0.9
/** The rarest that a distance between key units is taken to be. */
const RAREST = 0.1

/**
 * What is assumed of lost key pictures: `none`, those that the rhythm makes due, or, as a number, how many pictures were lost behind
 * the last one.
 */
export type LostKey = 'none' | 'due' | number

/** What the spacing of key units says of a hole. */
export interface KeyRhythm {
  /** Usual distance of key units, 0 when there are fewer than two. */
  readonly spacing: number
  /** Key units start the numbering anew, as far as the track shows: open groups of pictures do not. */
  readonly restarting: boolean
  /** Key units among `pictures` lost ones. */
  lost(pictures: number, key: LostKey): number
  /** Unlikelihood of such a loss, in nats. */
  cost(pictures: number, key: LostKey): number
}

/**
 * The rhythm around the hole before `row`. `keySpacing`: units between key units in the sample, 0 when unknown.
 */
export function keyRhythm(table: SampleTable, row: number, keySpacing: number): KeyRhythm {
  const { spacing, share, longest, strict, restarting } = distances(table, row, keySpacing)
  if (spacing <= 1) {
    const all = spacing === 1
    return { spacing, restarting, lost: (pictures) => (all ? pictures : 0), cost: () => 0 }
  }
  let since = 1
  while (row - since >= 0 && since < SURVEYED && (table.flags[row - since] & SAMPLE_KEY) === 0) since++
  const first = row - since < 0 || since >= SURVEYED
  let until = 0
  while (
    row + until < table.length &&
    until < SURVEYED &&
    (table.flags[row + until] & SAMPLE_KEY) === 0 &&
    !breaks(table, row + until, row)
  )
    until++
  const last = row + until >= table.length || until >= SURVEYED || breaks(table, row + until, row)
  const odd = share >= EVEN ? RULE_COST : -Math.log(Math.max(1 - share, RAREST) / spacing)
  const usual = -Math.log(Math.max(share, RAREST))
  /** Unlikelihood of key units `distance` apart, when others may lie between. */
  const apart = (distance: number): number => {
    const groups = Math.round(distance / spacing)
    const off = Math.abs(distance - groups * spacing)
    if (groups > 0 && off <= 1) return usual * groups + off * (strict ? odd : NEARLY_COST)
    return usual * Math.floor(distance / spacing) + odd
  }
  /** Key units that the rhythm makes due among the first `pictures` of the hole: those due earlier did not come. */
  const dueAmong = (pictures: number): number =>
    first ? 0 : Math.max(0, Math.floor((since - 1 + pictures) / spacing) - Math.floor((since - 1) / spacing))
  return {
    spacing,
    restarting,
    lost: (pictures, key) => {
      if (key === 'none' || pictures === 0) return 0
      if (key === 'due') return dueAmong(pictures)
      return 1 + dueAmong(pictures - 1 - key)
    },
    cost: (pictures, key) => {
      if (typeof key === 'number') {
        const before = first ? 0 : apart(since + pictures - 1 - key)
        return before + (last ? 0 : apart(key + 1 + until))
      }
      if (first) return 0
      const distance = since + pictures + until
      // a stretch on either side that is longer shows that the encoder keeps no such limit
      const limited = longest > 0 && Math.max(since, until) <= longest
      const tooLong = key === 'none' && limited && distance > longest ? LIMIT_COST : 0
      return tooLong + (last ? 0 : apart(distance))
    },
  }
}

/** Whether another hole lies before `row`, beyond the one before `from`. */
function breaks(table: SampleTable, row: number, from: number): boolean {
  return row > from && (table.flags[row] & SAMPLE_AFTER_HOLE) !== 0
}

/** The usual distance of key units, the share that has it, whether all do, and the longest, from undamaged stretches around `around`. */
function distances(
  table: SampleTable,
  around: number,
  keySpacing: number,
): { spacing: number; share: number; longest: number; strict: boolean; restarting: boolean } {
  const counts = new Map<number, number>()
  let last = -1
  let all = 0
  if (keySpacing > 0) {
    counts.set(keySpacing, SAMPLE_WEIGHT)
    all += SAMPLE_WEIGHT
  }
  let keys = 0
  let restarts = 0
  const end = Math.min(table.length, around + SURVEYED)
  for (let row = Math.max(0, around - SURVEYED); row < end; row++) {
    if (table.flags[row] & SAMPLE_AFTER_HOLE) last = -1
    if ((table.flags[row] & SAMPLE_KEY) === 0) continue
    keys++
    if (table.flags[row] & SAMPLE_RESTART) restarts++
    if (last >= 0) {
      counts.set(row - last, (counts.get(row - last) ?? 0) + 1)
      all++
    }
    last = row
  }
  const own = [...counts.keys()].filter((distance) => distance !== keySpacing)
  const isStrange = counts.get(keySpacing) === SAMPLE_WEIGHT && all - SAMPLE_WEIGHT >= FEWEST_DISTANCES
  if (isStrange && own.every((distance) => sampleNear(distance, keySpacing) === 0)) {
    counts.delete(keySpacing)
    all -= SAMPLE_WEIGHT
  }
  let spacing = 0
  let most = 0
  let longest = keySpacing
  for (const [distance, times] of counts) {
    longest = Math.max(longest, distance)
    // one unit more or less is how pictures are reordered: the recording itself knows better than its sample
    const near = times + (distance === keySpacing ? 0 : sampleNear(distance, keySpacing))
    if (near > most || (near === most && distance > spacing)) {
      most = near
      spacing = distance
    }
  }
  // few distances prove no rule
  const share = all > 0 ? most / (all + 1) : 0
  const strict = all >= FEWEST_DISTANCES && most === all
  return { spacing, share, longest, strict, restarting: restarts >= keys * EVEN }
}

/** How often the sample's distance of key units counts for one of the recording's own. */
function sampleNear(distance: number, keySpacing: number): number {
  return keySpacing > 0 && Math.abs(distance - keySpacing) <= 1 ? SAMPLE_WEIGHT : 0
}
