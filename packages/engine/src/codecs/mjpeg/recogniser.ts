import type { ByteReader } from '../../bytes/reader.ts'
import { hasZeroRun } from '../../bytes/zeros.ts'
import { IntraRecogniser } from '../intra/intra-recogniser.ts'
import { Padding } from '../padding.ts'
import { Unit } from '../recogniser.ts'
import { searchBytes } from '../search-bytes.ts'
import { scanEnd } from './scan.ts'
import { ZeroRuns } from './zero-runs.ts'

/** JPEG markers, ITU-T T.81 Table B.1. */
const SOI = 0xd8
const EOI = 0xd9
const SOS = 0xda
const DQT = 0xdb
const DHT = 0xc4
const DRI = 0xdd
const COM = 0xfe
const START = Uint8Array.of(0xff, SOI, 0xff)
/** Segments in front of the scan: tables, application data, comments. */
const MAX_SEGMENTS = 256
/** Scans of a progressive picture. */
const MAX_SCANS = 128
const SEGMENT_EVIDENCE = 5
const SIZE_EVIDENCE = 24

/** Finds JPEG pictures (ITU-T T.81 Annex B) by walking their markers; padding behind them as the sample had it. */
export class MjpegRecogniser extends IntraRecogniser {
  readonly codec = 'mjpeg'
  readonly #width: number
  readonly #height: number
  readonly #padding = new Padding([0, 0xff])
  readonly #zeros = new ZeroRuns()
  readonly #seen = new Unit()
  /** JPEG images in a unit: two fields in interlaced Motion-JPEG A. */
  #images = 1

  constructor(width: number, height: number) {
    super()
    this.#width = width
    this.#height = height
  }

  protected measure(reader: ByteReader, offset: number, end: number, unit: Unit): boolean {
    unit.evidence = 0
    let at = offset
    for (let image = 0; image < this.#images; image++) {
      const next = this.#image(reader, image === 0 ? at : this.#nextImage(reader, at, end), end, unit)
      if (next < 0) return false
      at = next
    }
    unit.length = this.#padding.end(reader, offset, at, end) - offset
    return true
  }

  learn(reader: ByteReader, offset: number, length: number): void {
    const end = offset + length
    const unit = { evidence: 0, damaged: false }
    let at = this.#image(reader, offset, end, unit)
    if (at < 0) return
    let images = 1
    for (let next = this.#nextImage(reader, at, end); next < end; next = this.#nextImage(reader, at, end)) {
      const after = this.#image(reader, next, end, unit)
      if (after < 0) break
      at = after
      images++
    }
    this.#images = images
    this.#padding.learn(length, end - at)
  }

  intact(reader: ByteReader, offset: number, length: number): boolean {
    this.#seen.damaged = false
    return this.measure(reader, offset, offset + length, this.#seen) && !this.#seen.damaged
  }

  search(reader: ByteReader, from: number, end: number): number {
    return searchBytes(reader, from, end, START)
  }

  /** The next image of the same unit begins behind at most some filler. */
  #nextImage(reader: ByteReader, at: number, end: number): number {
    const found = searchBytes(reader, at, Math.min(end, at + 4096), START)
    return found < Math.min(end, at + 4096) ? found : end
  }

  /** The end of the image at `offset`, or -1. */
  #image(reader: ByteReader, offset: number, end: number, unit: Pick<Unit, 'evidence' | 'damaged'>): number {
    if (offset + 4 > end || reader.u24(offset) !== 0xff_d8ff) return -1
    unit.evidence += 24
    this.#zeros.reset()
    let at = offset + 2
    let scans = 0
    for (let count = 0; count < MAX_SEGMENTS + MAX_SCANS; count++) {
      while (reader.u8(at) === 0xff && reader.u8(at + 1) === 0xff && at < end) at++
      if (at + 2 > end || reader.u8(at) !== 0xff) return -1
      const marker = reader.u8(at + 1)
      if (marker === EOI) return scans > 0 ? at + 2 : -1
      const length = reader.u16(at + 2)
      if (!isSegment(marker) || length < 2 || at + 2 + length > end) return -1
      unit.evidence += SEGMENT_EVIDENCE
      if (isFrame(marker)) {
        const bits = this.#frame(reader, at + 4)
        if (bits < 0) return -1
        unit.evidence += bits
        this.#zeros.frame(reader.bytes(at + 4, length - 2), marker & 15)
      } else if (marker === DHT) this.#zeros.tables(reader.bytes(at + 4, length - 2))
      at += 2 + length
      if (marker !== SOS) continue
      if (++scans > MAX_SCANS) return -1
      const stop = scanEnd(reader, at, end)
      if (stop.at < 0) return -1
      if (stop.damaged || hasZeroRun(reader, at, stop.at, this.#zeros.longest)) unit.damaged = true
      at = stop.at
    }
    return -1
  }

  /** Start of frame, T.81 §B.2.2: evidence of its size, or -1. */
  #frame(reader: ByteReader, at: number): number {
    const precision = reader.u8(at)
    const height = reader.u16(at + 1)
    const width = reader.u16(at + 3)
    const components = reader.u8(at + 5)
    if ((precision !== 8 && precision !== 12) || width === 0 || components === 0 || components > 4) return -1
    // a field has half the height
    const same =
      width === this.#width && (height === this.#height || Math.abs(height * 2 - this.#height) < 16)
    return same ? SIZE_EVIDENCE : 4
  }
}

function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== DHT && marker !== 0xc8 && marker !== 0xcc
}

function isSegment(marker: number): boolean {
  if (isFrame(marker) || marker === DHT || marker === SOS || marker === DQT || marker === DRI) return true
  return marker === 0xdc || marker === 0xcc || (marker >= 0xe0 && marker <= 0xef) || marker === COM
}
