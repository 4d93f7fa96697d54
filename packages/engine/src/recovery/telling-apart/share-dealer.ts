import type { Deal, Stretch } from './turn-dealer.ts'

/** Bits that a share loses for each unit by which it is longer or shorter than time has it. */
const UNEVEN = 1
/** Part of a share by which its end is looked for around where time has it. */
const AROUND = 0.3
/** Bits between the best end of a share and the next best that make it certain. */
const CERTAIN = 3
/** Units that tell where in a round a run begins, and places tried. */
const WITNESSES = 512
const MOST_PLACES = 256

/** Sides on which a hole may have taken a part of a run. */
export interface Cut {
  readonly before: boolean
  readonly after: boolean
}

/** How tracks share runs. */
interface Sharing {
  readonly stretch: Stretch
  /** Seconds that a unit of each lane lasts. */
  readonly lengths: readonly number[]
  /** Units of a share in the sample. */
  readonly turn: number
  /** Each lane's place among the shares, where it is always the same. */
  readonly places: readonly number[] | undefined
}

/**
 * Deals a run in which each track has its share in one piece: turns of the sample's length while they last, all shares of a round
 * equally long in time; where a share ends exactly, what the units are like tells. Of a round that a hole cut the shares on its
 * other side are as long as in the sample.
 * @param clocks seconds at which each lane's next unit starts
 * @param turn units of a share in the sample
 * @param places each lane's place among the shares, where it is always the same
 */
export function dealShares(
  stretch: Stretch,
  clocks: readonly number[],
  turn: number,
  places: readonly number[] | undefined,
  cut: Cut,
): Deal {
  const lengths = clocks.map((_, lane) => Math.max(1e-6, stretch.seconds(0, lane)))
  const sharing: Sharing = { stretch, lengths, turn, places }
  const which = new Uint8Array(stretch.units)
  const times = [...clocks]
  const guessed =
    cut.before || cut.after ? dealCut(sharing, times, cut, which) : dealWhole(sharing, times, which)
  return { which, clocks: times, guessed }
}

/** Deals whole rounds of shares. Returns whether other deals are about as likely. */
function dealWhole(sharing: Sharing, times: number[], which: Uint8Array): boolean {
  const { stretch, lengths, turn, places } = sharing
  const { units } = stretch
  // units of all lanes in the time of the longest share
  const round =
    Math.max(
      1,
      lengths.reduce((sum, length) => sum + Math.min(...lengths) / length, 0),
    ) * turn
  const rounds = Math.max(1, Math.round(units / round))
  let guessed = false
  let unit = 0
  for (let done = 0; done < rounds; done++) {
    const until = Math.round(((done + 1) * units) / rounds)
    const order = orderOf(times, lengths[0], places)
    for (let share = 0; share < order.length; share++) {
      const lane = order[share]
      let end = until
      if (share < order.length - 1) {
        const found = endOf(stretch, unit, until, order.slice(share), lengths)
        end = found.end
        guessed ||= found.guessed
      }
      for (; unit < end; unit++) {
        which[unit] = lane
        times[lane] += stretch.seconds(unit, lane)
      }
    }
  }
  return guessed
}

/**
 * Deals a run of which a hole took a part: where in a round it begins is told by its other end, and by what the units are like
 * where both are gone. Returns whether other deals are about as likely.
 */
function dealCut(sharing: Sharing, times: number[], cut: Cut, which: Uint8Array): boolean {
  const { stretch, lengths, turn, places } = sharing
  const { units } = stretch
  const round = roundOf(orderOf(times, lengths[0], places), lengths, turn)
  // shares of several rounds need not all be as long: too far from an end that is there, they are as good as any
  if (cut.before && cut.after && units > round.length) {
    dealWhole(sharing, times, which)
    return true
  }
  const witnesses = Math.min(units, WITNESSES)
  const ways = cut.before ? beginnings(round.length, units, cut) : [0]
  const likelihoods = ways.map((place) => {
    let bits = 0
    for (let unit = 0; unit < witnesses; unit++) bits += stretch.bits(unit, laneAt(round, place + unit))
    return bits
  })
  const most = Math.max(...likelihoods)
  const best = ways[likelihoods.indexOf(most)]
  for (let unit = 0; unit < units; unit++) {
    const lane = laneAt(round, best + unit)
    which[unit] = lane
    times[lane] += stretch.seconds(unit, lane)
  }
  const isOtherwise = (place: number): boolean =>
    which.subarray(0, witnesses).some((lane, unit) => laneAt(round, place + unit) !== lane)
  return (
    // tracks whose order changes may stand the other way round
    places === undefined ||
    units > round.length ||
    ways.some((place, way) => likelihoods[way] > most - CERTAIN && isOtherwise(place))
  )
}

/**
 * Places in a round of `length` units at which a run may begin behind a hole: the one that ends it with the round, if its end is
 * there.
 */
function beginnings(length: number, units: number, { after }: Cut): number[] {
  if (!after) return [(length - (units % length)) % length]
  const step = Math.ceil(length / MOST_PLACES)
  return Array.from({ length: Math.ceil(length / step) }, (_, way) => way * step)
}

/** A round of shares, of which each lane has one. */
interface Round {
  readonly order: readonly number[]
  /** The place in the round behind each share. */
  readonly ends: readonly number[]
  /** Units of all shares. */
  readonly length: number
}

function roundOf(order: readonly number[], lengths: readonly number[], turn: number): Round {
  const seconds = turn * Math.min(...lengths)
  let length = 0
  const ends = order.map((lane) => {
    length += Math.max(1, Math.round(seconds / lengths[lane]))
    return length
  })
  return { order, ends, length }
}

/** The lane of a unit by its place, counted on from a round to the next. */
function laneAt({ order, ends, length }: Round, place: number): number {
  const within = place % length
  return order[ends.findIndex((end) => within < end)]
}

/** Where the first of the lanes `rest` ends that share the units from `from` to `until`. */
function endOf(
  { bits }: Stretch,
  from: number,
  until: number,
  rest: readonly number[],
  lengths: readonly number[],
): { end: number; guessed: boolean } {
  const rates = rest.map((lane) => 1 / lengths[lane])
  const exact = ((until - from) * rates[0]) / rates.reduce((sum, rate) => sum + rate, 0)
  const even = from + Math.round(exact)
  const reach = Math.ceil(exact * AROUND)
  let best = even
  let most = Number.NEGATIVE_INFINITY
  let second = Number.NEGATIVE_INFINITY
  let score = 0
  for (let end = Math.max(from, even - reach); end <= Math.min(until, even + reach); end++) {
    const total = score - Math.abs(end - from - exact) * UNEVEN
    if (total > most) {
      second = most
      most = total
      best = end
    } else if (total > second) second = total
    if (end < until) score += bits(end, rest[0]) - bits(end, rest[1])
  }
  // shares that part evenly are as the sample has them
  const isEven = best === even && Math.abs(exact - Math.round(exact)) < 1e-6
  return { end: best, guessed: !isEven && most - second < CERTAIN }
}

/** Lanes in the order of their shares: the sample's where that never changes, else those behind first. */
function orderOf(clocks: readonly number[], near: number, places: readonly number[] | undefined): number[] {
  const order = clocks.map((_, index) => index)
  if (places) return order.sort((a, b) => places[a] - places[b])
  return order.sort((a, b) => {
    const apart = clocks[a] - clocks[b]
    return Math.abs(apart) <= near ? a - b : apart
  })
}
