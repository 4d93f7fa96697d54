import type { ByteReader } from '../../bytes/reader.ts'
import { parseGrowing } from '../growing-window.ts'
import { Padding } from '../padding.ts'
import type { Recogniser, Unit } from '../recogniser.ts'
import { type CloserLook, searchBytes } from '../search-bytes.ts'
import { type Measured, measurePicture } from './measure.ts'
import type { PictureHeader } from './picture-header.ts'

const ZEROS = Uint8Array.of(0, 0)
/** The rest of a start code, then the two fixed bits of PTYPE behind eight bits of temporal reference, ITU-T H.263 §5.1. */
const START: CloserLook = {
  length: 4,
  fits: (bytes, at) => (bytes[at + 2] & 0xfc) === 0x80 && (bytes[at + 3] & 3) === 2,
}
/**
 * No picture has so many in a row: start codes, of sixteen zero bits, occur nowhere else (ITU-T H.263 §5.1.1), and little fills
 * them up.
 */
const ZERO_RUN = new Uint8Array(8)
/** Bits of evidence that the macroblocks of a whole picture add when all of them are valid. */
const PICTURE_EVIDENCE = 40
const SIZE_EVIDENCE = 5
/** Coded pictures stay below their raw samples; the standard's own bound is lower (Table 1). */
const BYTES_PER_PIXEL = 1.6
/** Temporal references count modulo 256. */
const REFERENCE_CYCLE = 256

/** Finds H.263 pictures: a start code, and an end found by reading every macroblock. */
export class H263Recogniser implements Recogniser {
  readonly codec = 'h263'
  readonly timescale = 0
  readonly orderStep = 1
  readonly orderPeriod = REFERENCE_CYCLE
  readonly selfDelimiting = true
  readonly #width: number
  readonly #height: number
  readonly #measured: Measured = { header: undefined, bytes: -1 }
  readonly #padding = new Padding([0])
  #order = 0
  #lastReference = -1
  #started = false

  constructor(width: number, height: number) {
    this.#width = width
    this.#height = height
  }

  recognise(reader: ByteReader, offset: number, end: number, unit: Unit): boolean {
    if (!isStart(reader, offset)) return false
    const found = this.#measured
    const limit = Math.ceil(Math.max(this.#width * this.#height, 352 * 288) * BYTES_PER_PIXEL) + 4096
    parseGrowing(reader, offset, end, limit, (bytes) => measurePicture(bytes, found))
    const { header } = found
    if (!header) return false
    unit.detail = header
    unit.key = header.intra
    unit.recovery = false
    unit.duration = 0
    unit.damaged = false
    unit.lengthKnown = found.bytes > 0
    unit.evidence = header.evidence
    if (header.width === this.#width && header.height === this.#height) unit.evidence += SIZE_EVIDENCE
    if (found.bytes > 0) {
      unit.evidence += PICTURE_EVIDENCE
      unit.length = this.#padding.end(reader, offset, offset + found.bytes, end) - offset
    } else {
      unit.damaged = !header.opaque
      const next = Math.min(this.search(reader, offset + 3, Math.min(end, offset + limit)), end)
      unit.length = searchBytes(reader, offset + 3, next, ZERO_RUN) - offset
    }
    return true
  }

  accept(_reader: ByteReader, _offset: number, unit: Unit): void {
    const reference = isHeader(unit.detail) ? unit.detail.temporalReference : this.#lastReference + 1
    const first = !this.#started
    const step = first ? 0 : (reference - this.#lastReference + REFERENCE_CYCLE) % REFERENCE_CYCLE
    this.#order += !first && step === 0 ? 1 : step
    this.#lastReference = reference
    this.#started = true
    unit.order = this.#order
    unit.restart = first
    unit.gap = 0
    unit.leading = false
  }

  discontinuity(): void {}

  learn(reader: ByteReader, offset: number, length: number): void {
    const found = this.#measured
    parseGrowing(reader, offset, offset + length, length, (bytes) => measurePicture(bytes, found))
    if (found.bytes > 0) this.#padding.learn(length, length - found.bytes)
  }

  search(reader: ByteReader, from: number, end: number): number {
    return searchBytes(reader, from, end, ZEROS, START)
  }
}

function isStart(reader: ByteReader, at: number): boolean {
  return (
    reader.u16(at) === 0 && at + START.length <= reader.size && START.fits(reader.bytes(at, START.length), 0)
  )
}

function isHeader(detail: unknown): detail is PictureHeader {
  return typeof detail === 'object' && detail !== null && 'temporalReference' in detail
}
