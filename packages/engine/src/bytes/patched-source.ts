import { countBelow } from '../model/bisect.ts'
import type { ByteSource } from './source.ts'

/** A source of which some bytes read otherwise than they stand. */
export class PatchedSource implements ByteSource {
  readonly size: number
  readonly #source: ByteSource
  readonly #offsets: Float64Array
  readonly #values: readonly number[]

  /** @param patches bytes by their places. */
  constructor(source: ByteSource, patches: ReadonlyMap<number, number>) {
    const sorted = [...patches].sort((a, b) => a[0] - b[0])
    this.size = source.size
    this.#source = source
    this.#offsets = Float64Array.from(sorted, ([offset]) => offset)
    this.#values = sorted.map(([, value]) => value)
  }

  read(offset: number, target: Uint8Array): number {
    const got = this.#source.read(offset, target)
    for (let i = countBelow(this.#offsets, offset); i < this.#offsets.length; i++) {
      const at = this.#offsets[i] - offset
      if (at >= got) break
      target[at] = this.#values[i]
    }
    return got
  }
}
