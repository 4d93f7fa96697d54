/** Turns remembered on either side of a hole: enough to narrow a threshold, few enough to follow a drifting clock. */
const REMEMBERED = 64

/** Ranges in seconds that should all hold one value. */
export interface Ranges {
  readonly low: number[]
  readonly high: number[]
}

/**
 * Where sound and pictures take turns in a file. A multiplexer goes on with the other one once the lane that it writes has passed
 * it by a certain time, so that each turn bounds that time: before the last unit it was not reached, behind it it was. Many
 * turns tell it to a fraction of a unit. All values are the sound's clock minus the pictures', in seconds.
 */
export class Turns {
  /** Where pictures follow sound, and where sound follows pictures. */
  readonly toPictures: Ranges = { low: [], high: [] }
  readonly toSound: Ranges = { low: [], high: [] }
  /** Clock of the sound where pictures follow it: start and end of the unit before, in seconds. */
  readonly sound: Ranges = { low: [], high: [] }
  readonly #most: number
  #last: 'pictures' | 'sound' | undefined
  #whole = true
  #pictures = { start: 0, end: 0 }
  #sound = { start: 0, end: 0 }

  /** `most`: turns to keep. */
  constructor(most = REMEMBERED) {
    this.#most = most
  }

  /** The next picture lasts from `start` to `end`. */
  picture(start: number, end: number): void {
    if (this.#last === 'sound' && this.#whole && this.toPictures.low.length < this.#most) {
      add(this.toPictures, this.#sound.start - start, this.#sound.end - start)
      add(this.sound, this.#sound.start, this.#sound.end)
    }
    this.#last = 'pictures'
    this.#pictures = { start, end }
  }

  /** The next unit of sound lasts from `start` to `end`; `whole` unless its beginning may be missing. */
  soundUnit(start: number, end: number, whole = true): void {
    if (this.#last === 'pictures' && this.toSound.low.length < this.#most) {
      add(this.toSound, start - this.#pictures.end, start - this.#pictures.start)
    }
    this.#last = 'sound'
    this.#whole = whole
    this.#sound = { start, end }
  }
}

function add(ranges: Ranges, low: number, high: number): void {
  ranges.low.push(low)
  ranges.high.push(high)
}

/** The ranges of the last turns, which are also kept in order: each hole asks what they have in common. */
export class LastRanges implements Ranges {
  readonly low: number[] = []
  readonly high: number[] = []
  readonly #lows = new Float64Array(REMEMBERED)
  readonly #highs = new Float64Array(REMEMBERED)

  /** Appends ranges moved by `shift`, and forgets the oldest. */
  remember(more: Ranges, shift: number): void {
    for (let i = 0; i < more.low.length; i++) {
      if (this.low.length === REMEMBERED) {
        remove(this.#lows, this.low.shift())
        remove(this.#highs, this.high.shift())
      }
      insert(this.#lows, this.low.length, more.low[i] + shift)
      insert(this.#highs, this.low.length, more.high[i] + shift)
      add(this, more.low[i] + shift, more.high[i] + shift)
    }
  }

  get common(): Common | undefined {
    return inCommon(this, this.#lows, this.#highs)
  }
}

/** The last place is free behind it. */
function remove(rising: Float64Array, number: number | undefined): void {
  let at = rising.length - 1
  while (at > 0 && rising[at] !== number) at--
  rising.copyWithin(at, at + 1)
}

function insert(rising: Float64Array, length: number, number: number): void {
  let at = length
  for (; at > 0 && rising[at - 1] > number; at--) rising[at] = rising[at - 1]
  rising[at] = number
}

/**
 * The stretch that most of the ranges hold, and how far the others miss it: the mean over all, in seconds; `turns`: how many they
 * are.
 */
export interface Common {
  readonly low: number
  readonly high: number
  readonly misfit: number
  readonly turns: number
}

/** Undefined without ranges. */
export function common(ranges: Ranges): Common | undefined {
  return inCommon(ranges, Float64Array.from(ranges.low).sort(), Float64Array.from(ranges.high).sort())
}

/** @param lows @param highs those of the ranges, rising; more than as many may follow */
function inCommon(ranges: Ranges, lows: Float64Array, highs: Float64Array): Common | undefined {
  const count = ranges.low.length
  if (count === 0) return undefined
  let most = 0
  let low = lows[0]
  let high = highs[0]
  let closed = 0
  for (let opened = 0; opened < count; opened++) {
    while (closed < count && highs[closed] < lows[opened] - ROUNDING) closed++
    if (opened + 1 - closed <= most) continue
    most = opened + 1 - closed
    low = lows[opened]
    high = Math.max(low, highs[closed])
  }
  let misfit = 0
  for (let i = 0; i < count; i++) misfit += Math.max(0, ranges.low[i] - high, low - ranges.high[i])
  return { low, high, misfit: misfit / count, turns: count }
}

/** Seconds by which clocks in ticks are rounded. */
const ROUNDING = 1e-4
