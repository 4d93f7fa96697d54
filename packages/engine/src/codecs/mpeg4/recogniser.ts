import { BitReader } from '../../bytes/bit-reader.ts'
import type { ByteReader } from '../../bytes/reader.ts'
import { hasZeroRun } from '../../bytes/zeros.ts'
import { NOT_VALID, parseGrowing, TOO_SHORT } from '../growing-window.ts'
import { nextStartCode } from '../nal/start-code.ts'
import { StepLearner } from '../nal/step-learner.ts'
import { Padding } from '../padding.ts'
import { type Recogniser, Unit } from '../recogniser.ts'
import { DisplayTime } from './display-time.ts'
import { type Headers, opensUnit, PLANE, readHeaders, SEQUENCE_END } from './headers.ts'
import { isStuffing, PlaneReader } from './plane-data.ts'
import type { VideoObjectLayer } from './video-object-layer.ts'
import { emptyVop, readVopHeader, VOP_B, VOP_I, type VopHeader } from './vop-header.ts'

/** Bits of evidence that the macroblocks of a whole plane add when all of them are valid. */
const PLANE_EVIDENCE = 40
const HEADER_EVIDENCE = 6
const BYTES_PER_PIXEL = 1.6
/**
 * More zero bytes in a row are damage: codes leave room for no start code's 23 zero bits, and encoders fill up with few, ISO/IEC
 * 14496-2:2004 §6.2.1.
 */
const LONGEST_ZEROS = 64

/** What `recognise` found, kept in `Unit.detail` until `accept`. */
class Plane {
  readonly owner: object
  offset = -1
  layer: VideoObjectLayer | undefined
  groupSeconds = -1
  readonly vop: VopHeader = emptyVop()
  /** Which macroblocks a reference plane left out. */
  skipped = new Uint8Array(0)
  /** All macroblocks were read. */
  whole = false

  constructor(owner: object) {
    this.owner = owner
  }
}

/** Finds MPEG-4 part 2 planes with the headers before them: start codes, and an end found by reading every macroblock. */
export class Mpeg4Recogniser implements Recogniser {
  readonly codec = 'mpeg4'
  readonly timescale = 0
  readonly orderIsTime = true
  readonly selfDelimiting = true
  readonly #headers: Headers = { plane: 0, layer: undefined, groupSeconds: -1, first: 0, evidence: 0 }
  readonly #time = new DisplayTime()
  readonly #steps = new StepLearner(1)
  readonly #padding = new Padding([0])
  readonly #learning = new Unit()
  #layer: VideoObjectLayer | undefined
  #reader: PlaneReader | undefined
  #readerLayer: VideoObjectLayer | undefined
  /** Left out macroblocks of the last accepted reference plane, and whether it was read to its end. */
  #reference = new Uint8Array(0)
  #referenceWhole = false
  /** The same of the reference plane last looked at, and where the planes that refer to it go on. */
  #ahead = new Uint8Array(0)
  #aheadWhole = false
  #aheadEnd = -1
  #started = false
  #lastReference = 0

  constructor(layer: VideoObjectLayer | undefined) {
    this.#layer = layer
  }

  /** Neighbouring planes' distance in ticks. */
  get orderStep(): number {
    return this.#steps.step
  }

  /** Times in headers are within a second. */
  get orderPeriod(): number {
    return this.#layer?.timeResolution ?? 0
  }

  /** Planes count seconds from the one before, headers of groups from the start. */
  get orderLateBy(): number {
    return this.orderPeriod
  }

  recognise(reader: ByteReader, offset: number, end: number, unit: Unit): boolean {
    const headers = this.#headers
    headers.layer = this.#layer
    if (!readHeaders(reader, offset, end, headers)) return false
    const { layer, plane: at } = headers
    if (!layer) return false
    const found = this.#detail(unit)
    found.offset = -1
    const limit = Math.ceil(layer.width * layer.height * BYTES_PER_PIXEL) + 4096
    const planes = this.#planes(layer)
    const { vop } = found
    const reference = this.#referenceFor(offset, layer)
    let hasHeader = false
    const used = parseGrowing(reader, at, end, limit, (bytes) => {
      const bits = new BitReader(bytes)
      hasHeader = readVopHeader(bits, layer, vop)
      if (!hasHeader) return bits.overrun ? TOO_SHORT : NOT_VALID
      if (layer.opaque) return NOT_VALID
      const whole = vop.coded ? planes.read(bits, vop, reference) : isStuffing(bits)
      if (bits.overrun) return TOO_SHORT
      return whole ? bits.position / 8 : NOT_VALID
    })
    if (!hasHeader) return false
    found.offset = offset
    found.layer = layer
    found.groupSeconds = headers.groupSeconds
    unit.key = vop.type === VOP_I && vop.coded
    unit.recovery = false
    unit.duration = 0
    unit.lengthKnown = used > 0
    unit.evidence = headers.evidence + HEADER_EVIDENCE
    if (used > 0) {
      unit.evidence += vop.coded ? PLANE_EVIDENCE : 4
      unit.length = this.#padding.end(reader, offset, withEndCode(reader, at + used, end), end) - offset
    } else {
      unit.length = nextStartCode(reader, at, Math.min(end, at + limit)) - offset
    }
    found.whole = used > 0
    // what a B plane refers to may be what is damaged
    const isTorn = (): boolean =>
      vop.type !== VOP_B ||
      (this.#aheadEnd === offset ? this.#aheadWhole : this.#referenceWhole) ||
      hasZeroRun(reader, at, offset + unit.length, LONGEST_ZEROS)
    unit.damaged = used < 0 && !layer.opaque && isTorn()
    this.#lookAhead(found, planes, offset, unit.length)
    return true
  }

  accept(reader: ByteReader, offset: number, unit: Unit): void {
    let found = this.#detail(unit)
    if (found.offset !== offset) {
      if (!this.recognise(reader, offset, offset + unit.length, unit)) return
      found = this.#detail(unit)
    }
    const { layer, vop } = found
    if (!layer) return
    this.#layer = layer
    if (found.groupSeconds >= 0) this.#time.group(found.groupSeconds)
    if (vop.type !== VOP_B && vop.coded) this.#refer(found)
    unit.order = this.#time.next(vop, layer) | 0
    // some phones' clocks start anew at intra planes
    const back = vop.type !== VOP_B && unit.order <= this.#lastReference
    unit.restart = !this.#started || back
    if (vop.type !== VOP_B) this.#lastReference = unit.order
    unit.gap = 0
    unit.leading = false
    this.#steps.see(unit.order, unit.restart)
    this.#started = true
  }

  discontinuity(): void {
    this.#steps.restart()
    this.#reference = new Uint8Array(0)
    this.#referenceWhole = false
  }

  learn(reader: ByteReader, offset: number, length: number): void {
    const unit = this.#learning
    if (!this.recognise(reader, offset, offset + length, unit)) return
    const found = this.#detail(unit)
    if (found.layer) this.#layer = found.layer
    if (found.vop.type !== VOP_B && found.vop.coded) this.#refer(found)
    if (unit.lengthKnown) this.#padding.learn(length, length - unit.length)
    this.#aheadEnd = -1
  }

  search(reader: ByteReader, from: number, end: number): number {
    const limit = Math.min(reader.size, end + 3)
    let at = nextStartCode(reader, from, limit)
    while (at < Math.min(end, limit) && !this.#opens(reader.u8(at + 3)))
      at = nextStartCode(reader, at + 3, limit)
    return Math.min(at, end)
  }

  #opens(value: number): boolean {
    return opensUnit(value) && (this.#layer !== undefined || value !== PLANE)
  }

  #detail(unit: Unit): Plane {
    if (unit.detail instanceof Plane && unit.detail.owner === this) return unit.detail
    const plane = new Plane(this)
    unit.detail = plane
    return plane
  }

  #planes(layer: VideoObjectLayer): PlaneReader {
    if (this.#reader && this.#readerLayer === layer) return this.#reader
    this.#reader = new PlaneReader(layer)
    this.#readerLayer = layer
    return this.#reader
  }

  /** Left out macroblocks of the plane that B planes at `offset` refer to. */
  #referenceFor(offset: number, layer: VideoObjectLayer): Uint8Array {
    const known = this.#aheadEnd === offset ? this.#ahead : this.#reference
    const count = Math.ceil(layer.width / 16) * Math.ceil(layer.height / 16)
    return known.length === count ? known : new Uint8Array(count)
  }

  /** B planes to come refer to `plane`. */
  #refer(plane: Plane): void {
    this.#reference = plane.skipped.slice()
    this.#referenceWhole = plane.whole
  }

  #lookAhead(found: Plane, planes: PlaneReader, offset: number, length: number): void {
    if (found.vop.type === VOP_B) {
      if (this.#aheadEnd === offset) this.#aheadEnd = offset + length
      return
    }
    if (found.vop.coded) {
      if (found.skipped.length !== planes.skipped.length)
        found.skipped = new Uint8Array(planes.skipped.length)
      found.skipped.set(planes.skipped)
      this.#ahead = planes.skipped.slice()
      this.#aheadWhole = found.whole
      this.#aheadEnd = offset + length
    }
  }
}

/** An end of sequence code belongs to the plane it follows. */
function withEndCode(reader: ByteReader, at: number, end: number): number {
  return at + 4 <= end && reader.u24(at) === 1 && reader.u8(at + 3) === SEQUENCE_END ? at + 4 : at
}
