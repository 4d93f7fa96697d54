import type { ByteReader } from '../../bytes/reader.ts'
import type { TrackDescription } from '../../model/track.ts'
import type { Codec } from '../codec.ts'
import { IntraRecogniser } from '../intra/intra-recogniser.ts'
import type { Unit } from '../recogniser.ts'
import { searchBytes } from '../search-bytes.ts'

/** Version, and bytes of the header behind these two. */
const HEAD = Uint8Array.of(1, 22)
const HEADER_BYTES = 24
/** A frame stays below its raw samples. */
const BYTES_PER_PIXEL = 4

/** Apple Intermediate Codec: independent frames that begin with version, header length, their own size and the picture's. */
export const aic: Codec = {
  name: 'aic',
  recogniser: ({ width = 0, height = 0 }: TrackDescription) => new AicRecogniser(width, height),
}

class AicRecogniser extends IntraRecogniser {
  readonly codec = 'aic'
  readonly #width: number
  readonly #height: number

  constructor(width: number, height: number) {
    super()
    this.#width = width
    this.#height = height
  }

  protected measure(reader: ByteReader, offset: number, end: number, unit: Unit): boolean {
    if (reader.u8(offset) !== HEAD[0] || reader.u8(offset + 1) !== HEAD[1]) return false
    const size = reader.u32(offset + 2)
    const width = reader.u16(offset + 6)
    const height = reader.u16(offset + 8)
    if (size <= HEADER_BYTES || offset + size > end || width === 0 || height === 0) return false
    if (size > width * height * BYTES_PER_PIXEL + 65_536) return false
    const own = width === this.#width && height === this.#height
    if (!own && this.#width > 0) return false
    unit.length = size
    unit.evidence = 16 + 8 + (own ? 32 : 8)
    return true
  }

  search(reader: ByteReader, from: number, end: number): number {
    return Math.min(end, searchBytes(reader, from, end + 1, HEAD))
  }
}
