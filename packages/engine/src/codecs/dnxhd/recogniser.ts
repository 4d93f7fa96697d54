import type { ByteReader } from '../../bytes/reader.ts'
import { IntraRecogniser } from '../intra/intra-recogniser.ts'
import type { Unit } from '../recogniser.ts'
import { type CloserLook, searchBytes } from '../search-bytes.ts'
import { frameSize } from './frame-sizes.ts'

/** Header prefix, SMPTE ST 2019-1:2016 §6.2: the header's size of 640 bytes or more, then its version. */
const HEADER_SIZE = 0x280
const PREFIX_START = Uint8Array.of(0, 0)
const PREFIX: CloserLook = {
  length: 5,
  fits: (bytes, at) => {
    const size = (bytes[at + 2] << 8) | bytes[at + 3]
    const version = bytes[at + 4]
    return size >= HEADER_SIZE && size % 4 === 0 && version >= 1 && version <= 3
  },
}
/** Places of the fields in the header. */
const HEIGHT = 0x18
const WIDTH = 0x1a
const COMPRESSION_ID = 0x28
const EVIDENCE = 24 + 20

/** Finds DNxHD and DNxHR frames: their sizes follow from the compression id. */
export class DnxhdRecogniser extends IntraRecogniser {
  readonly codec = 'dnxhd'
  readonly #width: number
  /** Bytes of every frame in the sample, 0 when unknown or differing, and of which kind these are. */
  #size = 0
  #kind = ''
  #differs = false

  constructor(width: number) {
    super()
    this.#width = width
  }

  protected measure(reader: ByteReader, offset: number, end: number, unit: Unit): boolean {
    if (!isPrefix(reader, offset)) return false
    const width = reader.u16(offset + WIDTH)
    const height = reader.u16(offset + HEIGHT)
    const computed = frameSize(reader.u32(offset + COMPRESSION_ID), width, height)
    const size = this.#size > 0 && this.#kind === kindOf(reader, offset) ? this.#size : computed
    if (computed === 0 || offset + size > end) return false
    unit.length = size
    unit.evidence = EVIDENCE + (width === this.#width ? 14 : 0)
    return true
  }

  learn(reader: ByteReader, offset: number, length: number): void {
    if (!isPrefix(reader, offset)) return
    this.#differs ||= this.#size > 0 && this.#size !== length
    this.#size = this.#differs ? 0 : length
    this.#kind = kindOf(reader, offset)
  }

  search(reader: ByteReader, from: number, end: number): number {
    return searchBytes(reader, from, end, PREFIX_START, PREFIX)
  }
}

/** What the size of a frame follows from. */
function kindOf(reader: ByteReader, at: number): string {
  return [reader.u32(at + COMPRESSION_ID), reader.u16(at + WIDTH), reader.u16(at + HEIGHT)].join()
}

function isPrefix(reader: ByteReader, at: number): boolean {
  return (
    reader.u16(at) === 0 &&
    at + PREFIX.length <= reader.size &&
    PREFIX.fits(reader.bytes(at, PREFIX.length), 0)
  )
}
