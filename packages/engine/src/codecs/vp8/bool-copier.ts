import { BoolDecoder } from '../bool-decoder.ts'
import { BoolEncoder } from '../bool-encoder.ts'

/** Reads symbols and codes them anew, so that others may follow where the bytes end or go wrong. */
export class BoolCopier extends BoolDecoder {
  readonly #encoder = new BoolEncoder()
  #filling = false

  /** From here on every symbol is a zero, whatever the bytes say. */
  fill(): void {
    this.#filling = true
  }

  override bool(probability: number): number {
    const bit = this.#filling ? 0 : super.bool(probability)
    this.#encoder.put(bit, probability)
    return bit
  }

  override leaf(tree: Int8Array, probabilities: Uint8Array, first: number): number {
    let node = 0
    do node = tree[node + this.bool(probabilities[first + (node >> 1)])]
    while (node > 0)
    return -node
  }

  copy(): Uint8Array {
    return this.#encoder.done()
  }
}
