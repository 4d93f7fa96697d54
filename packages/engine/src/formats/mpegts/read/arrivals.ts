/** Arrival times have 30 bits of 27 MHz, two bits of copy permission in front. */
export const ARRIVAL_BITS = 2 ** 30
/** Between two packets nothing waits longer than this. */
const LONGEST_WAIT = 3 * 27_000_000
/** Rising times in a row that are a clock, and equal ones that a writer may give packets it puts in. */
const CLOCKED = 16
const MOST_EQUAL = 8

/** The arrival time that stands at `at`. */
export function arrivalOf(bytes: Uint8Array, at: number): number {
  return (
    ((bytes[at] & 0x3f) * 2 ** 24 + ((bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3])) %
    ARRIVAL_BITS
  )
}

/** Packets in a row whose arrival times belong to no clock. */
export interface ArrivalRun {
  /** Where the first one begins. */
  readonly from: number
  readonly count: number
  /** Times in front of it and behind; NaN where there is none. */
  readonly before: number
  readonly after: number
}

/** Follows the arrival times in front of packets. */
export class Arrivals {
  readonly #runs: ArrivalRun[] = []
  #packets = 0
  #wrong = 0
  /** Ticks of all steps that were kept to, and how many those are. */
  #ticks = 0
  #steps = 0
  #last = Number.NaN
  /** Rising steps of the row in progress, and equal ones at its end. */
  #rising = 0
  #equal = 0
  /** Where that row begins, and its first time. */
  #rowFrom = 0
  #rowFirst = 0
  /** Packets since the last clock in front of that row; where they begin, and that clock's last time. */
  #waiting = 0
  #waitFrom = -1
  #before = Number.NaN
  /** Packets of the row in progress. */
  #row = 0

  /** The stretch is over: what comes next stands elsewhere. */
  interrupt(): void {
    if (this.#rising < CLOCKED && this.#waiting + this.#row > 0)
      this.#close(this.#waiting > 0 ? this.#waitFrom : this.#rowFrom, this.#waiting + this.#row, Number.NaN)
    this.#before = Number.NaN
    this.#last = Number.NaN
    this.#rising = 0
    this.#waiting = 0
    this.#row = 0
  }

  take(time: number, offset: number): void {
    this.#packets++
    const step = Number.isNaN(this.#last) ? -1 : (time - this.#last + ARRIVAL_BITS) % ARRIVAL_BITS
    const joins = step > 0 ? step <= LONGEST_WAIT : step === 0 && this.#equal < MOST_EQUAL
    const last = this.#last
    this.#last = time
    if (!joins) {
      this.#begin(time, offset, last)
      return
    }
    this.#row++
    this.#equal = step === 0 ? this.#equal + 1 : 0
    if (step === 0) return
    this.#ticks += step
    this.#steps++
    if (++this.#rising === CLOCKED && this.#waiting > 0) {
      this.#close(this.#waitFrom, this.#waiting, this.#rowFirst)
      this.#waiting = 0
    }
  }

  #begin(time: number, offset: number, last: number): void {
    if (this.#rising >= CLOCKED) {
      this.#before = last
      this.#waiting = 0
    } else if (this.#row > 0) {
      if (this.#waiting === 0) this.#waitFrom = this.#rowFrom
      this.#waiting += this.#row
    }
    this.#rowFrom = offset
    this.#rowFirst = time
    this.#row = 1
    this.#rising = 0
    this.#equal = 0
  }

  #close(from: number, count: number, after: number): void {
    this.#wrong += count
    // neither side has a clock
    if (Number.isNaN(this.#before) && Number.isNaN(after)) return
    this.#runs.push({ from, count, before: this.#before, after })
  }

  /** Usual ticks from one packet to the next. */
  get usual(): number {
    return this.#steps === 0 ? 0 : this.#ticks / this.#steps
  }

  /** Runs of wrong times in the order of the file; none where most are wrong: there nobody kept a clock. */
  get runs(): readonly ArrivalRun[] {
    return this.#wrong * 2 > this.#packets ? [] : this.#runs
  }
}

/**
 * The arrival time of the `k`th packet of a run, evenly between those around, whose distance is told but for whole turns of the
 * clock.
 */
export function arrivalIn({ count, before, after }: ArrivalRun, k: number, usual: number): number {
  if (Number.isNaN(after)) return wrapped(before + usual * (k + 1))
  if (Number.isNaN(before)) return wrapped(after - usual * (count - k))
  const apart = (after - before + ARRIVAL_BITS) % ARRIVAL_BITS
  const turns = Math.max(0, Math.round((usual * (count + 1) - apart) / ARRIVAL_BITS))
  return wrapped(before + ((apart + turns * ARRIVAL_BITS) * (k + 1)) / (count + 1))
}

function wrapped(time: number): number {
  const whole = Math.round(time) % ARRIVAL_BITS
  return whole < 0 ? whole + ARRIVAL_BITS : whole
}
