import type { Deal, Stretch } from './turn-dealer.ts'

/** Bits that a share loses for each unit by which it is longer or shorter than time has it. */
const UNEVEN = 1
/** Part of a share by which its end is looked for around where time has it. */
const AROUND = 0.3
/** Bits between the best end of a share and the next best that make it certain. */
const CERTAIN = 3

/**
 * Deals a run in which each track has its share in one piece: turns of the sample's length while they last, all shares of a round
 * equally long in time; where a share ends exactly, what the units are like tells.
 * @param clocks seconds at which each lane's next unit starts
 * @param turn units of a share in the sample
 * @param places each lane's place among the shares, where it is always the same
 */
export function dealShares(
  stretch: Stretch,
  clocks: readonly number[],
  turn: number,
  places: readonly number[] | undefined,
): Deal {
  const lanes = clocks.length
  const { units } = stretch
  const which = new Uint8Array(units)
  const times = [...clocks]
  const lengths = times.map((_, lane) => Math.max(1e-6, stretch.seconds(0, lane)))
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
    for (let share = 0; share < lanes; share++) {
      const lane = order[share]
      const rest = order.slice(share)
      let end = until
      if (share < lanes - 1) {
        const found = endOf(stretch, unit, until, rest, lengths)
        end = found.end
        guessed ||= found.guessed
      }
      for (; unit < end; unit++) {
        which[unit] = lane
        times[lane] += stretch.seconds(unit, lane)
      }
    }
  }
  return { which, clocks: times, guessed }
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
