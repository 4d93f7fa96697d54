import { LowBitWriter } from '../../bytes/deflate/low-bit-writer.ts'
import { LowBits } from '../../bytes/deflate/low-bits.ts'
import { type Group, LENGTHS, LITERALS, type SymbolCode, type Word } from './symbol-code.ts'

/** Bits that are copied at once. */
const PIECE = 16

/**
 * The bits of an image up to a pixel, and behind it pixels that differ as little from what is predicted as the codes of their
 * place allow.
 */
export class FillingPixels {
  readonly from: number
  readonly #bytes: Uint8Array
  readonly #writer = new LowBitWriter()
  readonly #plainest = new Map<Group, readonly Word[] | undefined>()
  #begun = false

  /** @param from pixel from which on they are filled in, in scan order */
  constructor(bytes: Uint8Array, from: number) {
    this.#bytes = bytes
    this.from = from
  }

  /**
   * Fills a pixel of a group, at the first one behind the first `bits` bits of the image; false where the group has no word that
   * can be one.
   */
  fill(group: Group, bits: number): boolean {
    if (!this.#begun) this.#copy(bits)
    if (!this.#plainest.has(group)) this.#plainest.set(group, plainest(group))
    const words = this.#plainest.get(group)
    for (const { word, length } of words ?? []) this.#writer.put(word, length)
    return words !== undefined
  }

  done(): Uint8Array {
    return this.#writer.bytes()
  }

  #copy(count: number): void {
    this.#begun = true
    const bits = new LowBits(this.#bytes)
    for (let left = count; left > 0; left -= PIECE) {
      const piece = Math.min(PIECE, left)
      this.#writer.put(bits.take(piece), piece)
    }
  }
}

/** The pixel of a group nearest to zero; one of the cache where it has no levels. */
function plainest([green, red, blue, alpha]: Group): readonly Word[] | undefined {
  const levels = [green, red, blue, alpha].map(nearestToZero)
  if (levels.every((word) => word !== undefined)) return levels
  for (let symbol = LITERALS + LENGTHS; symbol < green.symbols; symbol++) {
    const word = green.wordOf(symbol)
    if (word) return [word]
  }
  return undefined
}

function nearestToZero(code: SymbolCode): Word | undefined {
  for (let distance = 0; distance <= LITERALS / 2; distance++)
    for (const symbol of [distance, (LITERALS - distance) % LITERALS]) {
      const word = code.wordOf(symbol)
      if (word) return word
    }
  return undefined
}
