/** Packets of PIDs that are otherwise unknown, kept for a while. */
const KEPT = 64

export interface Stranger {
  readonly pid: number
  readonly counter: number
  readonly offset: number
}

/** Single packets of unknown PIDs: one bit of their PID may have been flipped. */
export class Strangers {
  readonly #kept: Stranger[] = []

  add(pid: number, counter: number, offset: number): void {
    if (this.#kept.length >= KEPT) this.#kept.shift()
    this.#kept.push({ pid, counter, offset })
  }

  /** The one that is the missing packet of `pid` behind `after`: its counter fits and one bit of its PID is off. */
  find(pid: number, counter: number, after: number): Stranger | undefined {
    return this.#kept.find((stranger) => {
      const off = stranger.pid ^ pid
      return stranger.offset > after && stranger.counter === counter && off !== 0 && (off & (off - 1)) === 0
    })
  }
}
