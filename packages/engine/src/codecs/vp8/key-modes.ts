import type { BoolDecoder } from '../bool-decoder.ts'
import { KEY_BLOCK_MODES } from './mode-probabilities.ts'

const BLOCK_MODES = 10
const EVEN = 128
/** Mode of a whole macroblock as its blocks' neighbours see it: DC, V, H, TM. */
const AS_BLOCKS = { dc: 0, v: 2, h: 3, tm: 1 }

/** Reads the modes of a key frame's macroblocks in scan order, RFC 6386 §11.2 and §16.1. */
export class KeyModes {
  /** Modes of blocks above and to the left. */
  readonly #above: Uint8Array
  readonly #left = new Uint8Array(4)

  /** @param wide macroblocks of a row */
  constructor(wide: number) {
    this.#above = new Uint8Array(4 * wide)
  }

  beginRow(): void {
    this.#left.fill(0)
  }

  /** Reads those of the macroblock in column `x`: whether each of its blocks has one of its own. */
  read(modes: BoolDecoder, x: number): boolean {
    const above = this.#above
    const left = this.#left
    const isSplit = modes.bool(145) === 0
    if (isSplit) {
      for (let row = 0; row < 4; row++)
        for (let column = 0; column < 4; column++) {
          const at = (above[4 * x + column] * BLOCK_MODES + left[row]) * (BLOCK_MODES - 1)
          const mode = readBlockMode(modes, KEY_BLOCK_MODES, at)
          above[4 * x + column] = mode
          left[row] = mode
        }
    } else {
      const mode =
        modes.bool(156) === 1
          ? modes.bool(EVEN) === 1
            ? AS_BLOCKS.tm
            : AS_BLOCKS.h
          : modes.bool(163) === 1
            ? AS_BLOCKS.v
            : AS_BLOCKS.dc
      above.fill(mode, 4 * x, 4 * x + 4)
      left.fill(mode)
    }
    // the mode of chroma
    if (modes.bool(142) === 1 && modes.bool(114) === 1) modes.bool(183)
    return isSplit
  }
}

/** A mode of a block of four by four, §11.2; the modes in the order of `KEY_BLOCK_MODES`, nine probabilities at `at`. */
export function readBlockMode(modes: BoolDecoder, p: Uint8Array, at: number): number {
  if (modes.bool(p[at]) === 0) return 0
  if (modes.bool(p[at + 1]) === 0) return 1
  if (modes.bool(p[at + 2]) === 0) return 2
  if (modes.bool(p[at + 3]) === 0) {
    if (modes.bool(p[at + 4]) === 0) return 3
    return modes.bool(p[at + 5]) === 0 ? 4 : 5
  }
  if (modes.bool(p[at + 6]) === 0) return 6
  if (modes.bool(p[at + 7]) === 0) return 7
  return modes.bool(p[at + 8]) === 0 ? 8 : 9
}
