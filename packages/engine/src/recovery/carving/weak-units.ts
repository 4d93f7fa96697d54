/** Units remembered at once: those of the last megabyte or so. */
const MOST_REMEMBERED = 4096

/**
 * Units met while looking for the end of a hole, too weak to end it by themselves. They count once an anchor stands
 * where they end.
 */
export class WeakUnits {
  readonly #startByEnd = new Map<number, number>()

  remember(start: number, end: number): void {
    if (this.#startByEnd.has(end)) return
    if (this.#startByEnd.size >= MOST_REMEMBERED) {
      const oldest = this.#startByEnd.keys().next().value
      if (oldest !== undefined) this.#startByEnd.delete(oldest)
    }
    this.#startByEnd.set(end, start)
  }

  /** The start of the chain of weak units that leads to `anchor` without a gap; `anchor` itself when none does. */
  chainTo(anchor: number): number {
    let at = anchor
    for (;;) {
      const before = this.#startByEnd.get(at)
      if (before === undefined) return at
      at = before
    }
  }
}
