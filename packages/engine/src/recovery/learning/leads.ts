/**
 * By how many seconds a lane is ahead of the reference lane where its runs begin. A run that nothing of the reference lane lies
 * before tells that only where no other does: recorders begin with all the sound that they have, and behind a hole a run's
 * beginning may be missing.
 */
export class Leads {
  readonly #most: number
  readonly #among: number[] = []
  readonly #before: number[] = []

  /** `most`: run starts to keep. */
  constructor(most: number) {
    this.#most = most
  }

  /** A run begins; `begun`: the reference lane has. */
  add(seconds: number, begun: boolean): void {
    const kept = begun ? this.#among : this.#before
    if (kept.length < this.#most) kept.push(seconds)
  }

  get seconds(): readonly number[] {
    return this.#among.length > 0 ? this.#among : this.#before
  }

  /** The usual lead, the median; undefined without any. */
  get usual(): number | undefined {
    const { seconds } = this
    return [...seconds].sort((a, b) => a - b)[seconds.length >> 1]
  }

  /** How far leads wander: half the range that holds nearly all. */
  get wander(): number {
    const sorted = [...this.seconds].sort((a, b) => a - b)
    if (sorted.length === 0) return 0
    const last = sorted.length - 1
    return (sorted[Math.ceil(last * (1 - OUTLIERS))] - sorted[Math.floor(last * OUTLIERS)]) / 2
  }
}

/** Share of leads left out at each end of their range. */
const OUTLIERS = 0.05
