/**
 * By how many seconds a lane is ahead of the reference lane where its runs begin. A run that nothing of the reference lane lies before tells
 * that only where no other does: recorders begin with all the sound that they have, and behind a hole a run's beginning may be missing.
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

  get seconds(): number[] {
    return this.#among.length > 0 ? this.#among : this.#before
  }
}
