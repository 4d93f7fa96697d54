import type { ByteReader } from '../../bytes/reader.ts'
import { IntraRecogniser } from '../intra/intra-recogniser.ts'
import type { Unit } from '../recogniser.ts'
import { searchBytes } from '../search-bytes.ts'

/** Frame identifiers behind the frame's size: ProRes (SMPTE RDD 36 §5.1) and ProRes RAW. */
const ICPF = 0x69637066
const PRRF = 0x70727266
const ICPF_BYTES = Uint8Array.of(0x69, 0x63, 0x70, 0x66)
const PRRF_BYTES = Uint8Array.of(0x70, 0x72, 0x72, 0x66)
/** frame_size and frame_identifier. */
const FRAME_HEAD = 8
/** The fixed part of a frame header, RDD 36 §5.1.1. */
const MIN_HEADER = 20
const MAX_HEADER = 1024
/** A frame stays below its raw samples: at most 4:4:4:4 of 16 bits. */
const BYTES_PER_PIXEL = 8

/** Finds ProRes frames: each begins with its own size. */
export class ProresRecogniser extends IntraRecogniser {
  readonly codec = 'prores'
  readonly #width: number
  readonly #height: number
  readonly #pattern: Uint8Array

  constructor(width: number, height: number, raw: boolean) {
    super()
    this.#width = width
    this.#height = height
    this.#pattern = raw ? PRRF_BYTES : ICPF_BYTES
  }

  protected measure(reader: ByteReader, offset: number, end: number, unit: Unit): boolean {
    const size = reader.u32(offset)
    const identifier = reader.u32(offset + 4)
    if (identifier !== ICPF && identifier !== PRRF) return false
    const header = reader.u16(offset + FRAME_HEAD)
    if (size < FRAME_HEAD + header || offset + size > end) return false
    if (header < MIN_HEADER || header > MAX_HEADER) return false
    unit.length = size
    unit.evidence = 32 + 8
    if (identifier === PRRF) return true
    if (reader.u16(offset + FRAME_HEAD + 2) > 3) return false
    const width = reader.u16(offset + FRAME_HEAD + 8)
    const height = reader.u16(offset + FRAME_HEAD + 10)
    if (width === 0 || height === 0 || size > width * height * BYTES_PER_PIXEL + 65_536) return false
    if (width === this.#width && height === this.#height) unit.evidence += 24
    const picture = reader.u32(offset + FRAME_HEAD + header + 1)
    if (picture > size) unit.damaged = true
    else unit.evidence += 8
    return true
  }

  search(reader: ByteReader, from: number, end: number): number {
    const found = searchBytes(reader, from + 4, end + 4, this.#pattern)
    return Math.min(found - 4, end)
  }
}
