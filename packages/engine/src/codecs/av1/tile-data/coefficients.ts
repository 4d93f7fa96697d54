import {
  ALL_ZERO,
  DC_SIGN,
  END_16,
  END_32,
  END_64,
  END_128,
  END_256,
  END_512,
  END_1024,
  END_EXTRA,
  LAST_LEVEL,
} from '../symbols/coefficient-symbols.ts'
import { FURTHER_LEVEL } from '../symbols/further-level-symbols.ts'
import { LEVEL } from '../symbols/level-symbols.ts'
import type { SymbolDecoder } from '../symbols/symbol-decoder.ts'
import { BOTH, HORIZONTAL, scanOf } from './scans.ts'
import { LONGEST_CODED } from './sizes.ts'

const ENDS = [END_16, END_32, END_64, END_128, END_256, END_512, END_1024]
/** From this one on ends do not depend on the direction. */
const END_OF_ALL = 5
/** Contexts of each kind, AV1 specification (2019-01-08) §3. */
const ALL_ZERO_CONTEXTS = 13
const LEVEL_CONTEXTS = 42
const FURTHER_CONTEXTS = 21
const LAST_CONTEXTS = 4
const EXTRA_CONTEXTS = 9
const SIGN_CONTEXTS = 3
const LEVELS_2D = 26
/** Levels up to this are told by symbols, by how many at a time, and from which on by more of them. */
const MOST_TOLD = 14
const FURTHER = 3
const BASE = 2
/** Levels from here on are alike to those around. */
const MOST_ENERGY = 63
/** More zeros before a number no encoder writes. */
const MOST_ZEROS = 20
/** Coefficients a side, and places behind the last one that neighbours are looked up in. */
const SIDE = 32
const MARGIN = 4
const STRIDE = SIDE + MARGIN
/** Coeff_Base_Ctx_Offset, §9.3, of square, wider and higher transforms; by row and column up to four. */
// biome-ignore format: a table
const OFFSETS = [
  [0, 1, 6, 6, 21, 1, 6, 6, 21, 21, 6, 6, 21, 21, 21, 6, 21, 21, 21, 21, 21, 21, 21, 21, 21],
  [0, 16, 6, 6, 21, 16, 16, 6, 21, 21, 16, 16, 21, 21, 21, 16, 16, 21, 21, 21, 16, 16, 21, 21, 21],
  [0, 11, 11, 11, 11, 11, 11, 11, 11, 11, 6, 6, 21, 21, 21, 6, 21, 21, 21, 21, 21, 21, 21, 21, 21],
].map((offsets) => Uint8Array.from(offsets))
/** Coefficients that are looked at besides those next to it, by direction: Sig_Ref_Diff_Offset. */
const FURTHER_OFF = [
  [STRIDE + 1, 2, 2 * STRIDE],
  [2, 3, 4],
  [2 * STRIDE, 3 * STRIDE, 4 * STRIDE],
]
/** The third that tells how likely larger levels are: Mag_Ref_Offset_With_Tx_Class. */
const THIRD = [STRIDE + 1, 2, 2 * STRIDE]

/** Levels and signs of the transforms along an edge. */
export interface LevelEdge {
  readonly levels: Uint8Array
  readonly signs: Uint8Array
}

/** Reads the coefficients of transforms, for their contexts' sake: §5.11.39. */
export class Coefficients {
  /** What was read may not be. */
  broken = false
  /** Sum of levels, at most 63, and 1 or 2 for a first coefficient below or above zero: of the transform read last. */
  energy = 0
  sign = 0
  readonly #decoder: SymbolDecoder
  readonly #levels = new Uint8Array(STRIDE * (SIDE + MARGIN))

  constructor(decoder: SymbolDecoder) {
    this.#decoder = decoder
  }

  /** Whether a transform of these sides has no coefficient. */
  isZero(wide: number, high: number, context: number): boolean {
    const size = sizeContext(wide, high)
    return this.#decoder.symbol(ALL_ZERO.at + 2 * (ALL_ZERO_CONTEXTS * size + context), 2) === 1
  }

  /** Reads the coefficients of one that has some; `signs` is the context of the first one's sign. */
  read(wide: number, high: number, chroma: number, direction: number, signs: number): void {
    const decoder = this.#decoder
    const size = sizeContext(wide, high)
    const codedWide = Math.min(wide, LONGEST_CODED)
    const codedHigh = Math.min(high, LONGEST_CODED)
    const end = this.#end(codedWide + codedHigh, chroma, direction, size)
    const scan = scanOf(direction, codedWide, codedHigh)
    if (end > scan.length) {
      this.broken = true
      return
    }
    const levels = this.#levels
    const shift = codedWide + 2
    const mask = (1 << shift) - 1
    const kind = 2 * size + chroma
    const base = LEVEL.at + 4 * LEVEL_CONTEXTS * kind
    const further = FURTHER_LEVEL.at + 4 * FURTHER_CONTEXTS * (2 * Math.min(size, LONGEST_CODED) + chroma)
    const offsets = OFFSETS[wide === high ? 0 : wide > high ? 1 : 2]
    const [off0, off1, off2] = FURTHER_OFF[direction]
    const third = THIRD[direction]
    for (let c = end - 1; c >= 0; c--) {
      const place = scan[c]
      const row = place >> shift
      const column = place & mask
      const at = STRIDE * row + column
      const right = levels[at + 1]
      const below = levels[at + STRIDE]
      let level: number
      if (c === end - 1) {
        const context = LAST_CONTEXTS * kind + lastContext(c, scan.length)
        level = 1 + decoder.symbol(LAST_LEVEL.at + 3 * context, 3)
      } else {
        const sum =
          Math.min(right, 3) +
          Math.min(below, 3) +
          Math.min(levels[at + off0], 3) +
          Math.min(levels[at + off1], 3) +
          Math.min(levels[at + off2], 3)
        let context = Math.min((sum + 1) >> 1, 4)
        if (direction !== BOTH)
          context += LEVELS_2D + 5 * Math.min(direction === HORIZONTAL ? column : row, 2)
        else if (place === 0) context = 0
        else context += offsets[5 * Math.min(row, 4) + Math.min(column, 4)]
        level = decoder.symbol(base + 4 * context, 4)
      }
      if (level > BASE) {
        let context = Math.min((right + below + levels[at + third] + 1) >> 1, 6)
        if (place > 0) {
          const near =
            direction === BOTH ? row < 2 && column < 2 : (direction === HORIZONTAL ? column : row) === 0
          context += near ? 7 : 14
        }
        const from = further + 4 * context
        for (let more = FURTHER; more === FURTHER && level <= MOST_TOLD; level += more)
          more = decoder.symbol(from, 4)
      }
      levels[at] = level
    }
    this.#readSigns(scan, end, shift, mask, chroma, signs)
  }

  /** Reads signs and what larger levels are, and clears the levels. */
  #readSigns(scan: Uint16Array, end: number, shift: number, mask: number, chroma: number, signs: number) {
    const decoder = this.#decoder
    const levels = this.#levels
    let energy = 0
    this.sign = 0
    for (let c = 0; c < end; c++) {
      const place = scan[c]
      const at = STRIDE * (place >> shift) + (place & mask)
      let level = levels[at]
      if (level === 0) continue
      levels[at] = 0
      if (c > 0) decoder.bit()
      else this.sign = decoder.symbol(DC_SIGN.at + 2 * (SIGN_CONTEXTS * chroma + signs), 2) === 1 ? 1 : 2
      if (level > MOST_TOLD) level += this.#golomb()
      energy = Math.min(energy + level, MOST_ENERGY)
    }
    this.energy = energy
  }

  /** How many of the first coefficients there are up to the last one that is not zero. */
  #end(sides: number, chroma: number, direction: number, size: number): number {
    const decoder = this.#decoder
    const { at, values } = ENDS[sides]
    const context = sides >= END_OF_ALL ? chroma : 2 * chroma + (direction === BOTH ? 0 : 1)
    const kind = 1 + decoder.symbol(at + values * context, values)
    if (kind < 3) return kind
    let end = (1 << (kind - 2)) + 1
    const extra = EXTRA_CONTEXTS * (2 * size + chroma) + kind - 3
    if (decoder.symbol(END_EXTRA.at + 2 * extra, 2) === 1) end += 1 << (kind - 3)
    return end + decoder.bits(kind - 3)
  }

  #golomb(): number {
    let zeros = 0
    while (this.#decoder.bit() === 0) {
      if (++zeros >= MOST_ZEROS) {
        this.broken = true
        return 0
      }
    }
    return (1 << zeros) + this.#decoder.bits(zeros) - 1
  }
}

/** txSzCtx. */
function sizeContext(wide: number, high: number): number {
  return (wide + high + 1) >> 1
}

/** get_coeff_base_ctx of the last coefficient. */
function lastContext(c: number, count: number): number {
  if (c === 0) return 0
  if (c <= count >> 3) return 1
  return c <= count >> 2 ? 2 : 3
}
