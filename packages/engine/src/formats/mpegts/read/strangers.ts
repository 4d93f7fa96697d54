/** Packets of PIDs that are otherwise unknown, kept for a while. */
const KEPT = 64

export interface Stranger {
  readonly pid: number
  readonly counter: number
  readonly offset: number
  /** There are others of its PID, to which it does not belong. */
  readonly known: boolean
}

/** Single packets of unknown PIDs, and such as do not belong to their own: one bit of their PID may have been flipped. */
export class Strangers {
  readonly #kept: Stranger[] = []

  /** Those that belong to nobody so far. */
  get kept(): readonly Stranger[] {
    return this.#kept
  }

  /** Leaves out one whose owner was found. */
  take(stranger: Stranger): void {
    this.#kept.splice(this.#kept.indexOf(stranger), 1)
  }

  add(stranger: Stranger): void {
    if (this.#kept.length >= KEPT) this.#kept.shift()
    this.#kept.push(stranger)
  }

  /** The one that is the missing packet of `pid` behind `after`: its counter fits and one bit of its PID is off. */
  find(pid: number, counter: number, after: number): Stranger | undefined {
    return this.#kept.find((stranger) => {
      const off = stranger.pid ^ pid
      return stranger.offset > after && stranger.counter === counter && off !== 0 && (off & (off - 1)) === 0
    })
  }
}
