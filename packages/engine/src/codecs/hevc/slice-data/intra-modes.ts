import type { ArithmeticDecoder } from '../../cabac/arithmetic.ts'
import type { Sps } from '../sps.ts'
import * as context from './contexts.ts'

const PLANAR = 0
/** Mode of what is not predicted from its own picture. */
export const DC = 1
const ANGULAR_26 = 26
/** Directions of 4:2:2 chroma, whose samples are twice as wide as high, by those of luma (Table 8-3). */
const MODES_422 = Uint8Array.of(
  ...[0, 1, 2, 2, 2, 2, 3, 5, 7, 8, 10, 11, 13, 15, 16, 18, 19, 20],
  ...[21, 22, 23, 23, 24, 24, 25, 25, 26, 27, 27, 28, 28, 29, 29, 30, 31],
)
/** Samples of the smallest prediction block's side as a power of two. */
const LOG2_MODE = 2

/** Reads which direction blocks are predicted in from their own picture: ITU-T H.265 (08/2021) §8.4.2, §8.4.3. */
export class IntraModes {
  /** Modes of the coding unit in work, by part. */
  readonly luma = [DC, DC, DC, DC]
  readonly chroma = [DC, DC, DC, DC]
  readonly #engine: ArithmeticDecoder
  readonly #chromaFormat: number
  /** Modes of the current row of units, by 4x4 block. */
  readonly #modes: Uint8Array
  readonly #modeColumns: number
  #unitX = 0
  #unitY = 0
  #hasLeft = false

  /** `unitsWide` are coding tree units of a row. */
  constructor(engine: ArithmeticDecoder, sps: Sps, unitsWide: number) {
    this.#engine = engine
    this.#chromaFormat = sps.chromaFormat
    this.#modeColumns = unitsWide << (sps.log2Ctb - LOG2_MODE)
    this.#modes = new Uint8Array(this.#modeColumns << (sps.log2Ctb - LOG2_MODE))
  }

  /** Goes to the coding tree unit at (x, y); `hasLeft` tells whether the one on its left is of the same slice. */
  enter(x: number, y: number, hasLeft: boolean): void {
    this.#unitX = x
    this.#unitY = y
    this.#hasLeft = hasLeft
  }

  /** Reads the modes of a coding unit at (x, y), of four parts or one: §7.3.8.5. */
  read(x: number, y: number, log2Size: number, four: boolean): void {
    const engine = this.#engine
    const parts = four ? 4 : 1
    const log2Part = four ? log2Size - 1 : log2Size
    let previous = 0
    for (let part = 0; part < parts; part++) previous |= engine.decode(context.PREVIOUS_MODE) << part
    for (let part = 0; part < parts; part++) {
      const partX = x + (part & 1 ? 1 << log2Part : 0)
      const partY = y + (part & 2 ? 1 << log2Part : 0)
      const mode = this.#lumaMode(partX, partY, ((previous >> part) & 1) === 1)
      this.luma[part] = mode
      this.note(partX, partY, log2Part, mode)
    }
    if (this.#chromaFormat === 0) return
    // with as much chroma as luma each part has a mode of its own
    const chromaParts = this.#chromaFormat === 3 ? parts : 1
    for (let part = 0; part < chromaParts; part++) this.chroma[part] = this.#chromaMode(part)
  }

  /** §8.4.3 */
  #chromaMode(part: number): number {
    const engine = this.#engine
    let choice = 4
    if (engine.decode(context.CHROMA_MODE) === 1) choice = (engine.bypass() << 1) | engine.bypass()
    const luma = this.luma[part]
    const named = [PLANAR, ANGULAR_26, 10, DC][choice]
    const mode = named === undefined ? luma : named === luma ? 34 : named
    return this.#chromaFormat === 2 ? MODES_422[mode] : mode
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

  /** Notes the mode of all blocks of a unit. */
  note(x: number, y: number, log2Size: number, mode: number): void {
    const blocks = 1 << (log2Size - LOG2_MODE)
    for (let row = 0; row < blocks; row++) {
      const at = this.#modeIndex(x, y + (row << LOG2_MODE))
      this.#modes.fill(mode, at, Math.min(at + blocks, at - (at % this.#modeColumns) + this.#modeColumns))
    }
  }

  #modeIndex(x: number, y: number): number {
    return ((y - this.#unitY) >> LOG2_MODE) * this.#modeColumns + (x >> LOG2_MODE)
  }
}
