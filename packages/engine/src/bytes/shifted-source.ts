import type { ByteSource } from './source.ts'

/**
 * A source with zeros put in, or without some of its bytes, at one place, by default its beginning: what everything in it points
 * to then lies where it should.
 */
export class ShiftedSource implements ByteSource {
  readonly size: number
  readonly #source: ByteSource
  readonly #shift: number
  readonly #at: number

  /** @param shift bytes of zeros at `at`; negative: so many bytes less from there on. */
  constructor(source: ByteSource, shift: number, at = 0) {
    this.#source = source
    this.#shift = shift
    this.#at = at
    this.size = Math.max(0, source.size + shift)
  }

  read(offset: number, target: Uint8Array): number {
    const before = Math.min(target.length, Math.max(0, this.#at - offset))
    if (before > 0 && this.#source.read(offset, target.subarray(0, before)) < before) return 0
    const behind = offset + before
    const zeros = Math.min(target.length - before, Math.max(0, this.#at + this.#shift - behind))
    target.fill(0, before, before + zeros)
    const filled = before + zeros
    if (filled === target.length) return filled
    return filled + this.#source.read(behind + zeros - this.#shift, target.subarray(filled))
  }
}
