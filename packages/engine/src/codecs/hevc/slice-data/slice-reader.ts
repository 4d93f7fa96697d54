import { ArithmeticDecoder } from '../../cabac/arithmetic.ts'
import { stopBit } from '../../nal/rbsp.ts'
import type { Pps } from '../pps.ts'
import type { Sps } from '../sps.ts'
import * as context from './contexts.ts'
import { type InterFacts, PredictionUnitReader } from './prediction-units.ts'
import { DIAGONAL, HORIZONTAL, ResidualReader, VERTICAL } from './residual.ts'

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

const PLANAR = 0
const DC = 1
const ANGULAR_26 = 26
/** Samples of both chroma planes for one of luma, by chroma_format_idc. */
const CHROMA_SHARE = [0, 0.5, 1, 2]
/** Directions of 4:2:2 chroma, whose samples are twice as wide as high, by those of luma (Table 8-3). */
const MODES_422 = Uint8Array.of(
  ...[0, 1, 2, 2, 2, 2, 3, 5, 7, 8, 10, 11, 13, 15, 16, 18, 19, 20],
  ...[21, 22, 23, 23, 24, 24, 25, 25, 26, 27, 27, 28, 28, 29, 29, 30, 31],
)
/** Samples of the smallest prediction block's side as a power of two. */
const LOG2_MODE = 2
/** cu_qp_delta_abs beyond is no quantiser. */
const MAX_QP_SUFFIX = 7

/** Largest transform block, as a power of two. */
const MAX_TRANSFORM = 5

/**
 * Whether slices of these sets can be read: no tiles, no extensions that change blocks, no planes apart, and transform blocks of sizes that ITU-T
 * H.265 (08/2021) §7.4.3.2.1 allows.
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
  readonly #residual: ResidualReader
  readonly #sps: Sps
  readonly #pps: Pps
  readonly #width: number
  readonly #height: number
  readonly #unitsWide: number
  readonly #units: number
  /** Prediction modes of the current row of units, by 4x4 block. */
  readonly #modes: Uint8Array
  readonly #modeColumns: number
  /** Quadtree depth by smallest coding block: the row above in the first line, then the current row of units. */
  readonly #depths: Uint8Array
  readonly #depthColumns: number
  #failed = false
  #unitX = 0
  #unitY = 0
  #hasLeft = false
  #hasAbove = false
  #qpCoded = false
  #offsets = 0
  #offsetSum = 0
  #bypass = false
  #modeOfBlock = [DC, DC, DC, DC]
  #chromaModes = [DC, DC, DC, DC]
  /** cu_skip_flag by smallest coding block, as `#depths`. */
  readonly #skips: Uint8Array
  readonly #prediction: PredictionUnitReader
  #inter: InterFacts | undefined
  #initType = 0
  /** The unit in work is predicted from other pictures: whether it has several parts. */
  #isInter = false
  #isParted = false

  constructor(sps: Sps, pps: Pps, width: number, height: number) {
    this.#sps = sps
    this.#pps = pps
    this.#width = width
    this.#height = height
    const size = 1 << sps.log2Ctb
    this.#unitsWide = Math.ceil(width / size)
    this.#units = this.#unitsWide * Math.ceil(height / size)
    this.#modeColumns = this.#unitsWide << (sps.log2Ctb - LOG2_MODE)
    this.#modes = new Uint8Array(this.#modeColumns << (sps.log2Ctb - LOG2_MODE))
    this.#depthColumns = this.#unitsWide << (sps.log2Ctb - sps.log2MinCb)
    this.#depths = new Uint8Array(this.#depthColumns * ((1 << (sps.log2Ctb - sps.log2MinCb)) + 1))
    this.#skips = new Uint8Array(this.#depths.length)
    this.#prediction = new PredictionUnitReader(this.#engine)
    this.#residual = new ResidualReader(this.#engine, pps.transformSkip, pps.signHiding)
  }

  read(bytes: Uint8Array, slice: SliceFacts): SliceReading {
    const engine = this.#engine
    const { log2Ctb } = this.#sps
    this.#inter = slice.inter
    this.#initType = initTypeOf(slice.inter)
    context.startContexts(engine.states, slice.qp, this.#initType)
    engine.start(bytes, slice.start, slice.end)
    this.#failed = false
    this.#residual.failed = false
    this.#prediction.failed = false
    this.#offsets = 0
    this.#offsetSum = 0
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
      if (slice.saoLuma || slice.saoChroma) this.#sao(slice)
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
    return this.#failed || this.#residual.failed || this.#prediction.failed
  }

  #reading(slice: SliceFacts, until: number, exact: boolean): SliceReading {
    const bytes = Math.ceil(this.#engine.position / 8) - slice.start
    const offsets = { count: this.#offsets, sum: this.#offsetSum }
    return { units: until - slice.address, exact, bytes, offsets }
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

  /** §7.3.8.3 */
  #sao(slice: SliceFacts): void {
    const engine = this.#engine
    if (this.#hasLeft && engine.decode(context.SAO_MERGE) === 1) return
    if (this.#hasAbove && engine.decode(context.SAO_MERGE) === 1) return
    let type = 0
    for (let component = 0; component < (this.#sps.chromaFormat === 0 ? 1 : 3); component++) {
      if (component === 0 ? !slice.saoLuma : !slice.saoChroma) continue
      if (component < 2) type = engine.decode(context.SAO_TYPE) === 0 ? 0 : engine.bypass() === 0 ? 1 : 2
      if (type === 0) continue
      const depth = component === 0 ? this.#sps.bitDepthLuma : this.#sps.bitDepthChroma
      const most = (1 << (Math.min(depth, 10) - 5)) - 1
      let nonzero = 0
      for (let i = 0; i < 4; i++) {
        let offset = 0
        while (offset < most && engine.bypass() === 1) offset++
        if (offset > 0) nonzero++
        this.#offsetSum += offset
      }
      this.#offsets += nonzero
      if (type === 1) this.#skipBypass(nonzero + 5)
      else if (component < 2) this.#skipBypass(2)
    }
  }

  #skipBypass(count: number): void {
    for (let i = 0; i < count; i++) this.#engine.bypass()
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
    if (qpDeltaDepth >= 0 && log2Size >= this.#sps.log2Ctb - qpDeltaDepth) this.#qpCoded = false
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
    this.#bypass = this.#pps.transquantBypass && engine.decode(context.TRANSQUANT_BYPASS) === 1
    const inter = this.#inter
    this.#isInter = false
    if (inter) {
      const skip = engine.decode(context.SKIP + this.#skipLeft(x, y) + this.#skipAbove(x, y))
      this.#note(this.#skips, x, y, log2Size, skip)
      if (skip === 1) {
        this.#prediction.mergeIndex(inter)
        this.#noteMode(x, y, log2Size, DC)
        return
      }
      if (engine.decode(context.PRED_MODE) === 0) {
        this.#interUnit(inter, x, y, log2Size, depth)
        return
      }
    }
    const four = log2Size === log2MinCb && engine.decode(context.PART_MODE) === 0
    this.#intraUnit(x, y, log2Size, four)
  }

  #interUnit(inter: InterFacts, x: number, y: number, log2Size: number, depth: number): void {
    const { log2MinCb, unevenParts, interTransformDepth, chromaFormat } = this.#sps
    this.#noteMode(x, y, log2Size, DC)
    const parts = this.#prediction.parts(log2Size, log2Size === log2MinCb, unevenParts)
    const quarter = log2Size - 2
    let merged = false
    for (const [width, height] of parts)
      merged = this.#prediction.read(inter, width << quarter, height << quarter, depth)
    this.#isInter = true
    this.#isParted = parts.length > 1
    if (!(merged && !this.#isParted) && this.#engine.decode(context.ROOT_CODED) === 0) return
    this.#modeOfBlock.fill(DC)
    this.#chromaModes.fill(DC)
    const chroma = chromaFormat === 0 ? 0 : 1
    this.#transformTree(log2Size, 0, 0, 0, interTransformDepth, false, chroma, chroma)
  }

  #intraUnit(x: number, y: number, log2Size: number, four: boolean): void {
    const engine = this.#engine
    const { pcm } = this.#sps
    if (pcm && !four && log2Size >= pcm.min && log2Size <= pcm.max && engine.terminate() === 1) {
      const samples = 1 << (2 * log2Size)
      const chroma = samples * CHROMA_SHARE[this.#sps.chromaFormat]
      engine.restart(engine.behind + (samples * pcm.luma + chroma * pcm.chroma) / 8)
      this.#noteMode(x, y, log2Size, DC)
      return
    }
    this.#predictionModes(x, y, log2Size, four)
    const maxDepth = this.#sps.transformDepth + (four ? 1 : 0)
    const chroma = this.#sps.chromaFormat === 0 ? 0 : 1
    this.#transformTree(log2Size, 0, 0, 0, maxDepth, four, chroma, chroma)
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

  #predictionModes(x: number, y: number, log2Size: number, four: boolean): void {
    const engine = this.#engine
    const parts = four ? 4 : 1
    const log2Part = four ? log2Size - 1 : log2Size
    let previous = 0
    for (let part = 0; part < parts; part++) previous |= engine.decode(context.PREVIOUS_MODE) << part
    for (let part = 0; part < parts; part++) {
      const partX = x + (part & 1 ? 1 << log2Part : 0)
      const partY = y + (part & 2 ? 1 << log2Part : 0)
      const mode = this.#lumaMode(partX, partY, ((previous >> part) & 1) === 1)
      this.#modeOfBlock[part] = mode
      this.#noteMode(partX, partY, log2Part, mode)
    }
    const { chromaFormat } = this.#sps
    if (chromaFormat === 0) return
    // with as much chroma as luma each part has a mode of its own
    const chromaParts = chromaFormat === 3 ? parts : 1
    for (let part = 0; part < chromaParts; part++) this.#chromaModes[part] = this.#chromaMode(part)
  }

  /** §8.4.3 */
  #chromaMode(part: number): number {
    const engine = this.#engine
    let choice = 4
    if (engine.decode(context.CHROMA_MODE) === 1) choice = (engine.bypass() << 1) | engine.bypass()
    const luma = this.#modeOfBlock[part]
    const named = [PLANAR, ANGULAR_26, 10, DC][choice]
    const mode = named === undefined ? luma : named === luma ? 34 : named
    return this.#sps.chromaFormat === 2 ? MODES_422[mode] : mode
  }

  /** §8.4.2 */
  #lumaMode(x: number, y: number, previous: boolean): number {
    const engine = this.#engine
    const left = x > this.#unitX || this.#hasLeft ? this.#modes[this.#modeIndex(x - 1, y)] : DC
    const above = y > this.#unitY ? this.#modes[this.#modeIndex(x, y - 1)] : DC
    let first: number
    let second: number
    let third: number
    if (left === above) {
      if (left < 2) {
        first = PLANAR
        second = DC
        third = ANGULAR_26
      } else {
        first = left
        second = 2 + ((left + 29) % 32)
        third = 2 + ((left - 2 + 1) % 32)
      }
    } else {
      first = left
      second = above
      third = left !== PLANAR && above !== PLANAR ? PLANAR : left !== DC && above !== DC ? DC : ANGULAR_26
    }
    if (previous) {
      if (engine.bypass() === 0) return first
      return engine.bypass() === 0 ? second : third
    }
    let mode = 0
    for (let i = 0; i < 5; i++) mode = (mode << 1) | engine.bypass()
    if (first > second) [first, second] = [second, first]
    if (first > third) [first, third] = [third, first]
    if (second > third) [second, third] = [third, second]
    if (mode >= first) mode++
    if (mode >= second) mode++
    if (mode >= third) mode++
    return mode
  }

  #modeIndex(x: number, y: number): number {
    return ((y - this.#unitY) >> LOG2_MODE) * this.#modeColumns + (x >> LOG2_MODE)
  }

  #noteMode(x: number, y: number, log2Size: number, mode: number): void {
    const blocks = 1 << (log2Size - LOG2_MODE)
    for (let row = 0; row < blocks; row++) {
      const at = this.#modeIndex(x, y + (row << LOG2_MODE))
      this.#modes.fill(mode, at, Math.min(at + blocks, at - (at % this.#modeColumns) + this.#modeColumns))
    }
  }

  /** §7.3.8.8; `parentCb` and `parentCr` tell which chroma blocks of the parent are coded, a bit each. */
  #transformTree(
    log2Size: number,
    depth: number,
    block: number,
    part: number,
    maxDepth: number,
    four: boolean,
    parentCb: number,
    parentCr: number,
  ): void {
    const engine = this.#engine
    const { log2MinTb, log2MaxTb, chromaFormat } = this.#sps
    const { interTransformDepth } = this.#sps
    const parted = this.#isInter && this.#isParted && interTransformDepth === 0
    const forced = depth === 0 && (four || parted)
    let split = log2Size > log2MaxTb || forced
    if (log2Size <= log2MaxTb && log2Size > log2MinTb && depth < maxDepth && !forced)
      split = engine.decode(context.SPLIT_TRANSFORM + 5 - log2Size) === 1
    let cb = parentCb
    let cr = parentCr
    if (chromaFormat === 3 || (log2Size > 2 && chromaFormat !== 0)) {
      const two = chromaFormat === 2 && (!split || log2Size === 3)
      if (parentCb !== 0) cb = this.#codedChroma(depth, two)
      if (parentCr !== 0) cr = this.#codedChroma(depth, two)
    }
    if (split) {
      if (log2Size <= 2) {
        this.#failed = true
        return
      }
      for (let child = 0; child < 4 && !this.#hasFailed; child++) {
        const childPart = depth === 0 ? child : part
        this.#transformTree(log2Size - 1, depth + 1, child, childPart, maxDepth, four, cb, cr)
      }
      return
    }
    const told = !this.#isInter || depth > 0 || cb !== 0 || cr !== 0
    const luma = !told || engine.decode(context.CBF_LUMA + (depth === 0 ? 1 : 0)) === 1
    this.#transformUnit(log2Size, block, four ? part : 0, luma, cb, cr)
  }

  /** cbf_cb or cbf_cr, of two blocks one below the other where 4:2:2 has `two`. */
  #codedChroma(depth: number, two: boolean): number {
    const upper = this.#engine.decode(context.CBF_CHROMA + depth)
    return two ? upper | (this.#engine.decode(context.CBF_CHROMA + depth) << 1) : upper
  }

  /** §7.3.8.10; below 8x8 the subsampled chroma of four blocks comes with the last of them. */
  #transformUnit(log2Size: number, block: number, part: number, luma: boolean, cb: number, cr: number): void {
    if (!luma && cb === 0 && cr === 0) return
    if (this.#pps.qpDeltaDepth >= 0 && !this.#qpCoded) this.#qpDelta()
    const mode = this.#modeOfBlock[part]
    const bypass = this.#bypass
    const lumaScan = this.#isInter ? DIAGONAL : scanOf(mode, log2Size, 3)
    if (luma) this.#residual.read({ log2Size, component: 0, scan: lumaScan, bypass })
    const full = this.#sps.chromaFormat === 3
    if (!full && log2Size === 2 && block !== 3) return
    const log2Chroma = full ? log2Size : Math.max(2, log2Size - 1)
    const chromaMode = this.#chromaModes[full ? part : 0]
    const scan = this.#isInter ? DIAGONAL : scanOf(chromaMode, log2Chroma, full ? 3 : 2)
    for (const [component, coded] of [cb, cr].entries())
      for (let below = coded; below !== 0; below >>= 1)
        if ((below & 1) === 1)
          this.#residual.read({ log2Size: log2Chroma, component: component + 1, scan, bypass })
  }

  #qpDelta(): void {
    const engine = this.#engine
    this.#qpCoded = true
    let value = 0
    while (value < 5 && engine.decode(context.QP_DELTA + (value === 0 ? 0 : 1)) === 1) value++
    if (value === 0) return
    if (value === 5) {
      let bits = 0
      while (engine.bypass() === 1) {
        if (++bits > MAX_QP_SUFFIX) {
          this.#failed = true
          return
        }
      }
      this.#skipBypass(bits)
    }
    engine.bypass()
  }
}

/** §9.3.2.2: cabac_init_flag exchanges the values of P and B slices. */
function initTypeOf(inter: InterFacts | undefined): number {
  if (!inter) return 0
  return inter.bidirectional === inter.cabacInit ? 1 : 2
}

/** scanIdx of §7.4.9.11: steep predictions leave coefficients in rows or columns, in blocks up to `largest` (a power of two). */
function scanOf(mode: number, log2Size: number, largest: number): number {
  if (log2Size > largest) return DIAGONAL
  if (mode >= 6 && mode <= 14) return VERTICAL
  return mode >= 22 && mode <= 30 ? HORIZONTAL : DIAGONAL
}
