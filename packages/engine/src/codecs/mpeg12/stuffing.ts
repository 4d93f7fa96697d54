import type { ByteReader } from '../../bytes/reader.ts'
import { isZero } from '../../bytes/zeros.ts'

const MAX_SIZES = 64

/** Stuffing of zeros behind frames: constant rate encoders give their frames equal sizes with it. */
export class Stuffing {
  readonly #counts = new Map<number, number>()
  #units = 0
  #stuffed = 0

  /** A frame of `size` bytes had `zeros` of them behind its bits. */
  learn(size: number, zeros: number): void {
    this.#units++
    if (zeros > 0) this.#stuffed++
    const count = this.#counts.get(size)
    if (count !== undefined) this.#counts.set(size, count + 1)
    else if (this.#counts.size < MAX_SIZES) this.#counts.set(size, 1)
  }

  /**
   * The end of a frame at `offset` whose bits end at `dataEnd` and whose zeros end at `stop`: its bits' end where the
   * sample's frames are not stuffed, a usual size when one fits and zeros fill it, else `stop`.
   */
  end(reader: ByteReader, offset: number, dataEnd: number, stop: number, limit: number): number {
    if (this.#units > 0 && this.#stuffed === 0) return dataEnd
    if (this.#counts.has(stop - offset)) return stop
    let best = stop
    let most = 1
    for (const [size, count] of this.#counts) {
      const end = offset + size
      if (count <= most || end <= dataEnd || end > limit || !isZero(reader, dataEnd, end)) continue
      best = end
      most = count
    }
    return best
  }
}
