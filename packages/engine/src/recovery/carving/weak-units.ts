/** Units remembered at least: those of the last megabyte or so. */
const REMEMBERED = 4096

/**
 * Units met while looking for the end of a hole, too weak to end it by themselves. They count once an anchor stands
 * where they end. The oldest are forgotten all together, up to as many again are kept.
 */
export class WeakUnits {
  #startByEnd = new Map<number, number>()
  #before = new Map<number, number>()

  remember(start: number, end: number): void {
    if (this.#startOf(end) !== undefined) return
    if (this.#startByEnd.size >= REMEMBERED) {
      this.#before = this.#startByEnd
      this.#startByEnd = new Map()
    }
    this.#startByEnd.set(end, start)
  }

  #startOf(end: number): number | undefined {
    return this.#startByEnd.get(end) ?? this.#before.get(end)
  }

  /** The start of the chain of weak units that leads to `anchor` without a gap; `anchor` itself when none does. */
  chainTo(anchor: number): number {
    let at = anchor
    for (;;) {
      const before = this.#startOf(at)
      if (before === undefined) return at
      at = before
    }
  }
}
