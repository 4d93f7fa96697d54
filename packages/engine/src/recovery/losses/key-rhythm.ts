import { SAMPLE_AFTER_HOLE, SAMPLE_KEY, type SampleTable } from '../../model/sample-table.ts'
import { type KeyDistances, SURVEYED } from './key-distances.ts'

/**
 * In nats: what breaks a rule of the recording, and a key unit at another distance than the usual, as encoders put them at cuts.
 */
const RULE_COST = 5
/** In nats: key units one unit off their usual distance, as reordering may put them. */
const NEARLY_COST = 1
/** In nats: key units further apart than ever, though encoders keep a limit. */
const LIMIT_COST = 8
/** Share of distances of key units that makes one of them a rule. */
const EVEN = 0.9
/** The rarest that a distance between key units is taken to be. */
const RAREST = 0.1

/**
 * What is assumed of lost key pictures: `none`, those that the rhythm makes due, or, as a number, how many pictures were lost
 * behind the last one.
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

/** The rhythm around the hole before `row`, by what `keys` tell there. */
export function keyRhythm(table: SampleTable, row: number, keys: KeyDistances): KeyRhythm {
  const { spacing, share, longest, strict, restarting } = keys.spacing
  if (spacing <= 1) {
    const all = spacing === 1
    return { spacing, restarting, lost: (pictures) => (all ? pictures : 0), cost: () => 0 }
  }
  const before = keys.firstFrom(row) - 1
  const since = Math.min(SURVEYED, row - (before < keys.first ? -1 : keys.key(before)))
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
