/** Zero bytes in a row that no picture holds unless zeros are how it codes flat blocks: one block of them is shorter. */
const LEAST_RUN = 64
const LENGTHS = 16
const BLOCK = 8

/**
 * How many zero bytes in a row a picture's scan may hold. The code of nothing but zeros is a table's first, ITU-T T.81 Annex C:
 * only where it stands for "no difference" and "end of block" are zeros flat blocks, and then not more than the picture has.
 */
export class ZeroRuns {
  #blocks = 0
  /** Bits of a flat block, by the longest tables; 0 for DC or AC when no table is there. */
  readonly #bits = [0, 0]
  #flat = true
  #sequential = true

  /** A picture begins. */
  reset(): void {
    this.#blocks = 0
    this.#bits.fill(0)
    this.#flat = true
    this.#sequential = true
  }

  /** The body of a segment that defines Huffman tables, T.81 §B.2.4.2. */
  tables(body: Uint8Array): void {
    for (let at = 0; at + 1 + LENGTHS < body.length; ) {
      const counts = body.subarray(at + 1, at + 1 + LENGTHS)
      const kind = (body[at] >> 4) & 1
      const shortest = counts.findIndex((count) => count > 0) + 1
      this.#bits[kind] = Math.max(this.#bits[kind], shortest)
      if (shortest === 0 || body[at + 1 + LENGTHS] !== 0) this.#flat = false
      at += 1 + LENGTHS + counts.reduce((sum, count) => sum + count, 0)
    }
  }

  /** The body of a frame header whose marker's last four bits are `process`, T.81 §B.2.2. */
  frame(body: Uint8Array, process: number): void {
    this.#sequential = process <= 1
    const [, high, low, wide, narrow, components = 0] = body
    let across = 1
    let down = 1
    let blocks = 0
    for (let i = 0; i < components; i++) {
      const factors = body[7 + 3 * i] ?? 0x11
      across = Math.max(across, factors >> 4)
      down = Math.max(down, factors & 15)
      blocks += (factors >> 4) * (factors & 15)
    }
    const columns = Math.ceil(((wide << 8) | narrow) / (BLOCK * across))
    const rows = Math.ceil(((high << 8) | low) / (BLOCK * down))
    this.#blocks = columns * rows * blocks
  }

  /** More zero bytes than these in a row are damage. */
  get longest(): number {
    if (!this.#sequential) return Number.POSITIVE_INFINITY
    const [dc, ac] = this.#bits
    if (!this.#flat || dc === 0 || ac === 0) return LEAST_RUN
    return LEAST_RUN + Math.ceil((this.#blocks * (dc + ac)) / 8)
  }
}
