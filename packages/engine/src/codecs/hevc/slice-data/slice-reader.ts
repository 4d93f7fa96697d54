import { ArithmeticDecoder } from '../../cabac/arithmetic.ts'
import { stopBit } from '../../nal/rbsp.ts'
import type { Pps } from '../pps.ts'
import type { Sps } from '../sps.ts'
import * as context from './contexts.ts'
import { DC, IntraModes } from './intra-modes.ts'
import { type InterFacts, PredictionUnitReader } from './prediction-units.ts'
import { SampleOffsets } from './sample-offsets.ts'
import { TransformTree } from './transform-tree.ts'

/** How far a slice could be read. */
export interface SliceReading {
  /** Coding tree units that were read without contradiction. */
  readonly units: number
  /** The last one ended right where the slice's trailing bits begin: the reading is right. */
  readonly exact: boolean
  /** Bytes read, the last of them in part: what the reading cost. */
  readonly bytes: number
  /** Offsets of samples (§7.4.9.3.2) that are not 0, and what they add up to without their signs. */
  readonly offsets: { readonly count: number; readonly sum: number }
}

/** Facts of a slice header that its blocks depend on. */
export interface SliceFacts {
  /** First byte of the blocks, and one past the last, in unescaped bytes. */
  readonly start: number
  readonly end: number
  /** slice_segment_address. */
  readonly address: number
  /** SliceQpY. */
  readonly qp: number
  readonly saoLuma: boolean
  readonly saoChroma: boolean
  /** Absent in I slices. */
  readonly inter?: InterFacts
}

/** Samples of both chroma planes for one of luma, by chroma_format_idc. */
const CHROMA_SHARE = [0, 0.5, 1, 2]
/** Largest transform block, as a power of two. */
const MAX_TRANSFORM = 5

/**
 * Whether slices of these sets can be read: no tiles, no extensions that change blocks, no planes apart, and transform blocks of
 * sizes that ITU-T H.265 (08/2021) §7.4.3.2.1 allows.
 */
export function isReadable(sps: Sps, pps: Pps): boolean {
  return (
    sps.log2MaxTb <= Math.min(sps.log2Ctb, MAX_TRANSFORM) &&
    sps.log2MinTb < sps.log2MinCb &&
    !pps.tiles &&
    !pps.rangeTools &&
    !sps.rangeTools &&
    !sps.separateColourPlanes &&
    !sps.screenContent.currPicRef
  )
}

/**
 * Reads the coding tree units of slices (ITU-T H.265 (08/2021) §7.3.8, §9.3), to see whether their bits are what they are taken
 * for. `width` and `height` are coded luma samples.
 */
export class SliceReader {
  readonly #engine = new ArithmeticDecoder(context.CONTEXTS)
  readonly #saved = new Uint8Array(context.CONTEXTS)
  readonly #sps: Sps
  readonly #pps: Pps
  readonly #width: number
  readonly #height: number
  readonly #unitsWide: number
  readonly #units: number
  /** Quadtree depth by smallest coding block: the row above in the first line, then the current row of units. */
  readonly #depths: Uint8Array
  readonly #depthColumns: number
  #unitX = 0
  #unitY = 0
  #hasLeft = false
  #hasAbove = false
  /** cu_skip_flag by smallest coding block, as `#depths`. */
  readonly #skips: Uint8Array
  readonly #prediction: PredictionUnitReader
  readonly #modes: IntraModes
  readonly #transforms: TransformTree
  readonly #sao: SampleOffsets
  #inter: InterFacts | undefined
  #initType = 0

  constructor(sps: Sps, pps: Pps, width: number, height: number) {
    this.#sps = sps
    this.#pps = pps
    this.#width = width
    this.#height = height
    const size = 1 << sps.log2Ctb
    this.#unitsWide = Math.ceil(width / size)
    this.#units = this.#unitsWide * Math.ceil(height / size)
    this.#depthColumns = this.#unitsWide << (sps.log2Ctb - sps.log2MinCb)
    this.#depths = new Uint8Array(this.#depthColumns * ((1 << (sps.log2Ctb - sps.log2MinCb)) + 1))
    this.#skips = new Uint8Array(this.#depths.length)
    this.#prediction = new PredictionUnitReader(this.#engine)
    this.#modes = new IntraModes(this.#engine, sps, this.#unitsWide)
    this.#transforms = new TransformTree(this.#engine, sps, pps, this.#modes)
    this.#sao = new SampleOffsets(this.#engine, sps)
  }

  read(bytes: Uint8Array, slice: SliceFacts): SliceReading {
    const engine = this.#engine
    const { log2Ctb } = this.#sps
    this.#inter = slice.inter
    this.#initType = initTypeOf(slice.inter)
    context.startContexts(engine.states, slice.qp, this.#initType)
    engine.start(bytes, slice.start, slice.end)
    this.#transforms.startSlice()
    this.#prediction.failed = false
    this.#sao.startSlice()
    for (let address = slice.address; address < this.#units; address++) {
      const column = address % this.#unitsWide
      this.#unitX = column << log2Ctb
      this.#unitY = Math.floor(address / this.#unitsWide) << log2Ctb
      this.#hasLeft = column > 0 && address > slice.address
      this.#hasAbove = address - this.#unitsWide >= slice.address
      if (column === 0 && address > slice.address) {
        this.#nextRow()
        if (this.#pps.wavefronts) this.#syncContexts(slice, address)
      }
      this.#modes.enter(this.#unitX, this.#unitY, this.#hasLeft)
      if (slice.saoLuma || slice.saoChroma) this.#sao.read(slice, this.#hasLeft, this.#hasAbove)
      this.#quadtree(this.#unitX, this.#unitY, log2Ctb, 0)
      if (this.#hasFailed || engine.overrun) return this.#reading(slice, address, false)
      if (engine.terminate() === 1) {
        const exact = engine.endsAt(stopBit(bytes.subarray(0, slice.end)))
        return this.#reading(slice, address + 1, exact)
      }
      if (!this.#pps.wavefronts) continue
      if (column === 1 || this.#unitsWide === 1) this.#saved.set(engine.states)
      if (column === this.#unitsWide - 1) {
        // end_of_subset_one_bit, then the next row's own substream
        if (engine.terminate() === 0) return this.#reading(slice, address + 1, false)
        engine.restart(engine.behind)
      }
    }
    return this.#reading(slice, this.#units, false)
  }

  get #hasFailed(): boolean {
    return this.#transforms.failed || this.#prediction.failed
  }

  #reading(slice: SliceFacts, until: number, exact: boolean): SliceReading {
    const bytes = Math.ceil(this.#engine.position / 8) - slice.start
    const { count, sum } = this.#sao
    return { units: until - slice.address, exact, bytes, offsets: { count, sum } }
  }

  #syncContexts(slice: SliceFacts, address: number): void {
    const aboveRight = address - this.#unitsWide + 1
    const available = aboveRight >= slice.address && (this.#unitsWide > 1 || address > slice.address)
    if (available) this.#engine.states.set(this.#saved)
    else context.startContexts(this.#engine.states, slice.qp, this.#initType)
  }

  #nextRow(): void {
    const columns = this.#depthColumns
    this.#depths.copyWithin(0, this.#depths.length - columns)
    this.#skips.copyWithin(0, this.#skips.length - columns)
  }

  /** §7.3.8.4 */
  #quadtree(x: number, y: number, log2Size: number, depth: number): void {
    const size = 1 << log2Size
    const { log2MinCb } = this.#sps
    let split = log2Size > log2MinCb
    if (split && x + size <= this.#width && y + size <= this.#height) {
      const inc = (this.#depthLeft(x, y) > depth ? 1 : 0) + (this.#depthAbove(x, y) > depth ? 1 : 0)
      split = this.#engine.decode(context.SPLIT_CU + inc) === 1
    }
    const { qpDeltaDepth } = this.#pps
    if (qpDeltaDepth >= 0 && log2Size >= this.#sps.log2Ctb - qpDeltaDepth) this.#transforms.startQuantiser()
    if (!split) {
      this.#codingUnit(x, y, log2Size, depth)
      return
    }
    const half = size >> 1
    for (let part = 0; part < 4 && !this.#hasFailed; part++) {
      const partX = x + (part & 1 ? half : 0)
      const partY = y + (part & 2 ? half : 0)
      if (partX < this.#width && partY < this.#height) this.#quadtree(partX, partY, log2Size - 1, depth + 1)
    }
  }

  #depthLeft(x: number, y: number): number {
    if (x === this.#unitX && !this.#hasLeft) return -1
    return this.#depths[this.#depthIndex(x - 1, y)]
  }

  #depthAbove(x: number, y: number): number {
    if (y === this.#unitY && !this.#hasAbove) return -1
    return this.#depths[this.#depthIndex(x, y - 1)]
  }

  #depthIndex(x: number, y: number): number {
    const { log2MinCb } = this.#sps
    const row = y < this.#unitY ? 0 : 1 + ((y - this.#unitY) >> log2MinCb)
    return row * this.#depthColumns + (x >> log2MinCb)
  }

  /** §7.3.8.5 */
  #codingUnit(x: number, y: number, log2Size: number, depth: number): void {
    const engine = this.#engine
    const { log2MinCb } = this.#sps
    this.#note(this.#depths, x, y, log2Size, depth)
    const bypass = this.#pps.transquantBypass && engine.decode(context.TRANSQUANT_BYPASS) === 1
    const inter = this.#inter
    if (inter) {
      const skip = engine.decode(context.SKIP + this.#skipLeft(x, y) + this.#skipAbove(x, y))
      this.#note(this.#skips, x, y, log2Size, skip)
      if (skip === 1) {
        this.#prediction.mergeIndex(inter)
        this.#modes.note(x, y, log2Size, DC)
        return
      }
      if (engine.decode(context.PRED_MODE) === 0) {
        this.#interUnit(inter, x, y, log2Size, depth, bypass)
        return
      }
    }
    const four = log2Size === log2MinCb && engine.decode(context.PART_MODE) === 0
    this.#intraUnit(x, y, log2Size, four, bypass)
  }

  #interUnit(
    inter: InterFacts,
    x: number,
    y: number,
    log2Size: number,
    depth: number,
    bypass: boolean,
  ): void {
    const { log2MinCb, unevenParts, interTransformDepth } = this.#sps
    this.#modes.note(x, y, log2Size, DC)
    const parts = this.#prediction.parts(log2Size, log2Size === log2MinCb, unevenParts)
    const quarter = log2Size - 2
    let merged = false
    for (const [width, height] of parts)
      merged = this.#prediction.read(inter, width << quarter, height << quarter, depth)
    const isParted = parts.length > 1
    if (!(merged && !isParted) && this.#engine.decode(context.ROOT_CODED) === 0) return
    this.#transforms.readInter(log2Size, interTransformDepth, isParted, bypass)
  }

  #intraUnit(x: number, y: number, log2Size: number, four: boolean, bypass: boolean): void {
    const engine = this.#engine
    const { pcm } = this.#sps
    if (pcm && !four && log2Size >= pcm.min && log2Size <= pcm.max && engine.terminate() === 1) {
      const samples = 1 << (2 * log2Size)
      const chroma = samples * CHROMA_SHARE[this.#sps.chromaFormat]
      engine.restart(engine.behind + (samples * pcm.luma + chroma * pcm.chroma) / 8)
      this.#modes.note(x, y, log2Size, DC)
      return
    }
    this.#modes.read(x, y, log2Size, four)
    this.#transforms.readIntra(log2Size, this.#sps.transformDepth + (four ? 1 : 0), four, bypass)
  }

  #skipLeft(x: number, y: number): number {
    if (x === this.#unitX && !this.#hasLeft) return 0
    return this.#skips[this.#depthIndex(x - 1, y)]
  }

  #skipAbove(x: number, y: number): number {
    if (y === this.#unitY && !this.#hasAbove) return 0
    return this.#skips[this.#depthIndex(x, y - 1)]
  }

  /** Notes a value for all smallest coding blocks of a unit. */
  #note(values: Uint8Array, x: number, y: number, log2Size: number, value: number): void {
    const { log2MinCb } = this.#sps
    const blocks = 1 << (log2Size - log2MinCb)
    for (let row = 0; row < blocks; row++) {
      const at = this.#depthIndex(x, y + (row << log2MinCb))
      values.fill(value, at, Math.min(at + blocks, at - (at % this.#depthColumns) + this.#depthColumns))
    }
  }
}

/** §9.3.2.2: cabac_init_flag exchanges the values of P and B slices. */
function initTypeOf(inter: InterFacts | undefined): number {
  if (!inter) return 0
  return inter.bidirectional === inter.cabacInit ? 1 : 2
}
