import type { ByteSource } from './source.ts'

/** A source that begins later, behind zeros, or without its first bytes: what everything in it points to then lies where it should. */
export class ShiftedSource implements ByteSource {
  readonly size: number
  readonly #source: ByteSource
  readonly #shift: number

  /** @param shift bytes of zeros in front; negative: so many bytes less. */
  constructor(source: ByteSource, shift: number) {
    this.#source = source
    this.#shift = shift
    this.size = Math.max(0, source.size + shift)
  }

  read(offset: number, target: Uint8Array): number {
    const zeros = Math.min(target.length, Math.max(0, this.#shift - offset))
    target.fill(0, 0, zeros)
    if (zeros === target.length) return zeros
    return zeros + this.#source.read(offset + zeros - this.#shift, target.subarray(zeros))
  }
}
