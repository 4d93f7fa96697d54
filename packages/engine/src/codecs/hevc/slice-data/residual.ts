import type { ArithmeticDecoder } from '../../cabac/arithmetic.ts'
import * as context from './contexts.ts'

/** Diagonal, horizontal and vertical scans of 4x4 positions, ITU-T H.265 (08/2021) §6.5.3 to §6.5.5: x and y by position. */
const SCAN_X: readonly Uint8Array[] = [
  Uint8Array.of(0, 0, 1, 0, 1, 2, 0, 1, 2, 3, 1, 2, 3, 2, 3, 3),
  Uint8Array.of(0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3),
  Uint8Array.of(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3),
]
const SCAN_Y: readonly Uint8Array[] = [
  Uint8Array.of(0, 1, 0, 2, 1, 0, 3, 2, 1, 0, 3, 2, 1, 3, 2, 3),
  Uint8Array.of(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3),
  Uint8Array.of(0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3),
]
export const DIAGONAL = 0
export const HORIZONTAL = 1
export const VERTICAL = 2

/** Scans of sub-blocks by the block's size in sub-blocks as a power of two: diagonal for all, the others up to 8x8 samples. */
const BLOCKS_X: readonly Uint8Array[] = [
  Uint8Array.of(0),
  Uint8Array.of(0, 0, 1, 1),
  SCAN_X[0],
  diagonal(8, true),
]
const BLOCKS_Y: readonly Uint8Array[] = [
  Uint8Array.of(0),
  Uint8Array.of(0, 1, 0, 1),
  SCAN_Y[0],
  diagonal(8, false),
]
/** Sub-blocks of 8x8 samples in horizontal and vertical scans. */
const BLOCKS_HORIZONTAL_X = Uint8Array.of(0, 1, 0, 1)
const BLOCKS_HORIZONTAL_Y = Uint8Array.of(0, 0, 1, 1)

function diagonal(size: number, x: boolean): Uint8Array {
  const positions: number[] = []
  for (let sum = 0; sum <= 2 * (size - 1); sum++) {
    for (let column = 0; column <= sum; column++) {
      const row = sum - column
      if (column < size && row < size) positions.push(x ? column : row)
    }
  }
  return Uint8Array.from(positions)
}

/** ctxIdxMap of §9.3.4.2.5 for 4x4 blocks. */
const SIGNIFICANT_4X4 = Uint8Array.of(0, 1, 4, 5, 2, 3, 4, 5, 6, 6, 8, 8, 7, 7, 8, 8)
/** coeff_abs_level_remaining prefixes beyond are no coefficient of 16 bits. */
const MAX_PREFIX = 28

/** What of a transform block steers how its coefficients are read. */
export interface BlockKind {
  readonly log2Size: number
  /** 0 luma, 1 and 2 chroma. */
  readonly component: number
  readonly scan: number
  /** cu_transquant_bypass_flag. */
  readonly bypass: boolean
}

/** Reads residual_coding(), §7.3.8.11. One object serves a whole scan. */
export class ResidualReader {
  readonly #engine: ArithmeticDecoder
  readonly #transformSkip: boolean
  readonly #signHiding: boolean
  readonly #coded = new Uint8Array(64)
  /** A coefficient that no stream holds. */
  failed = false

  constructor(engine: ArithmeticDecoder, transformSkip: boolean, signHiding: boolean) {
    this.#engine = engine
    this.#transformSkip = transformSkip
    this.#signHiding = signHiding
  }

  read({ log2Size, component, scan, bypass }: BlockKind): void {
    const engine = this.#engine
    const chroma = component > 0
    if (this.#transformSkip && !bypass && log2Size === 2)
      engine.decode(context.TRANSFORM_SKIP + (chroma ? 1 : 0))
    const prefixX = this.#lastPrefix(context.LAST_X, log2Size, chroma)
    const prefixY = this.#lastPrefix(context.LAST_Y, log2Size, chroma)
    let lastX = this.#lastSuffix(prefixX)
    let lastY = this.#lastSuffix(prefixY)
    if (scan === VERTICAL) [lastX, lastY] = [lastY, lastX]
    const size = log2Size - 2
    const horizontal = scan === HORIZONTAL && size === 1
    const blocksX = horizontal ? BLOCKS_HORIZONTAL_X : BLOCKS_X[size]
    const blocksY = horizontal ? BLOCKS_HORIZONTAL_Y : BLOCKS_Y[size]
    const scanX = SCAN_X[scan]
    const scanY = SCAN_Y[scan]
    if (lastX >> 2 >= 1 << size || lastY >> 2 >= 1 << size) {
      this.failed = true
      return
    }
    let lastBlock = 0
    while (blocksX[lastBlock] !== lastX >> 2 || blocksY[lastBlock] !== lastY >> 2) lastBlock++
    let lastPosition = 0
    while (scanX[lastPosition] !== (lastX & 3) || scanY[lastPosition] !== (lastY & 3)) lastPosition++
    this.#coded.fill(0)
    const width = 1 << size
    let greaterContext = 1
    for (let block = lastBlock; block >= 0 && !this.failed; block--) {
      const blockX = blocksX[block]
      const blockY = blocksY[block]
      const right = blockX + 1 < width ? this.#coded[(blockY << 3) + blockX + 1] : 0
      const below = blockY + 1 < width ? this.#coded[((blockY + 1) << 3) + blockX] : 0
      let coded = 1
      let inferFirst = false
      if (block < lastBlock && block > 0) {
        coded = engine.decode(context.SUB_BLOCK + (right | below) + (chroma ? 2 : 0))
        inferFirst = true
      }
      this.#coded[(blockY << 3) + blockX] = coded
      if (coded === 0) continue
      let count = 0
      let highest = -1
      let lowest = 0
      let from = 15
      if (block === lastBlock) {
        from = lastPosition - 1
        count = 1
        highest = lastPosition
        lowest = lastPosition
      }
      const pattern = right + 2 * below
      for (let at = from; at >= 0; at--) {
        let significant = 1
        if (at > 0 || !inferFirst) {
          const inc = significantContext(
            log2Size,
            chroma,
            scan,
            pattern,
            scanX[at],
            scanY[at],
            blockX,
            blockY,
          )
          significant = engine.decode(context.SIGNIFICANT + inc)
        }
        if (significant === 0) continue
        inferFirst = false
        count++
        if (highest < 0) highest = at
        lowest = at
      }
      if (count === 0) continue
      greaterContext = this.#levels(
        count,
        highest,
        lowest,
        block,
        block === lastBlock,
        greaterContext,
        chroma,
        bypass,
      )
    }
  }

  #lastPrefix(first: number, log2Size: number, chroma: boolean): number {
    const offset = chroma ? 15 : 3 * (log2Size - 2) + ((log2Size - 1) >> 2)
    const shift = chroma ? log2Size - 2 : (log2Size + 1) >> 2
    const most = (log2Size << 1) - 1
    let prefix = 0
    while (prefix < most && this.#engine.decode(first + offset + (prefix >> shift)) === 1) prefix++
    return prefix
  }

  #lastSuffix(prefix: number): number {
    if (prefix < 4) return prefix
    const bits = (prefix >> 1) - 1
    let suffix = 0
    for (let i = 0; i < bits; i++) suffix = (suffix << 1) | this.#engine.bypass()
    return (1 << bits) * (2 + (prefix & 1)) + suffix
  }

  /** Levels and signs of one sub-block. Returns greater1Ctx as the next sub-block needs it. */
  #levels(
    count: number,
    highest: number,
    lowest: number,
    block: number,
    first: boolean,
    lastGreater: number,
    chroma: boolean,
    bypass: boolean,
  ): number {
    const engine = this.#engine
    let set = block > 0 && !chroma ? 2 : 0
    if (!first && lastGreater === 0) set++
    let greater = 1
    let firstGreater = -1
    const checked = Math.min(8, count)
    let flags = 0
    for (let i = 0; i < checked; i++) {
      const inc = 4 * set + greater + (chroma ? 16 : 0)
      const flag = engine.decode(context.GREATER_1 + inc)
      flags |= flag << i
      if (flag === 1) {
        greater = 0
        if (firstGreater < 0) firstGreater = i
      } else if (greater > 0 && greater < 3) greater++
    }
    let greater2 = 0
    if (firstGreater >= 0) greater2 = engine.decode(context.GREATER_2 + set + (chroma ? 4 : 0))
    const hidden = this.#signHiding && !bypass && highest - lowest > 3
    for (let i = hidden ? 1 : 0; i < count; i++) engine.bypass()
    let rice = 0
    for (let i = 0; i < count && !this.failed; i++) {
      const flag = i < 8 ? (flags >> i) & 1 : 0
      const base = 1 + (i < 8 ? flag + (i === firstGreater ? greater2 : 0) : 0)
      const expected = i < 8 ? (i === firstGreater ? 3 : 2) : 1
      if (base !== expected) continue
      const level = base + this.#remaining(rice)
      if (level > 3 * (1 << rice)) rice = Math.min(rice + 1, 4)
    }
    return greater
  }

  /** coeff_abs_level_remaining, §9.3.3.11. */
  #remaining(rice: number): number {
    const engine = this.#engine
    let prefix = 0
    while (engine.bypass() === 1) {
      if (++prefix > MAX_PREFIX) {
        this.failed = true
        return 0
      }
    }
    const bits = prefix <= 3 ? rice : prefix - 3 + rice
    let suffix = 0
    for (let i = 0; i < bits; i++) suffix = suffix * 2 + engine.bypass()
    return prefix <= 3 ? (prefix << rice) + suffix : ((1 << (prefix - 3)) + 3 - 1) * (1 << rice) + suffix
  }
}

/** §9.3.4.2.5 */
function significantContext(
  log2Size: number,
  chroma: boolean,
  scan: number,
  pattern: number,
  x: number,
  y: number,
  blockX: number,
  blockY: number,
): number {
  let inc: number
  if (log2Size === 2) inc = SIGNIFICANT_4X4[(y << 2) + x]
  else if (x + y + blockX + blockY === 0) inc = 0
  else {
    if (pattern === 0) inc = x + y === 0 ? 2 : x + y < 3 ? 1 : 0
    else if (pattern === 1) inc = y === 0 ? 2 : y === 1 ? 1 : 0
    else if (pattern === 2) inc = x === 0 ? 2 : x === 1 ? 1 : 0
    else inc = 2
    if (chroma) inc += log2Size === 3 ? 9 : 12
    else {
      if (blockX + blockY > 0) inc += 3
      inc += log2Size === 3 ? (scan === DIAGONAL ? 9 : 15) : 21
    }
  }
  return chroma ? 27 + inc : inc
}
