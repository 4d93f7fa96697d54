import { keyFields } from '../../../codecs/vp8/key-frame.ts'
import { checkKeyFrame, type Hole } from '../../../codecs/vp8/key-frame-reader.ts'
import { checkLossless, checkLosslessAlpha, losslessFields } from '../../../codecs/vp8l/check-image.ts'
import type { Allowance } from '../../../model/allowance.ts'

const MB = 16
/** Bytes of a picture's own header. */
const FRONT = 10
/** Bytes that some encoders leave behind a lossless image, and behind that of a transparency. */
const IMAGE_LEFT = 1
const ALPHA_LEFT = 3
/** Zeros in a row that coded pictures hardly come to: lossless ones have some where they are plain. */
const LEAST_ZEROS = { 'VP8 ': 16, VP8L: 64 }

export interface Size {
  readonly width: number
  readonly height: number
}

/** What the reading of a file may take. */
export interface Effort {
  /** Pixels of all pictures that are read. */
  readonly pixels: Allowance
  /** Pictures that do not come to their end with the bytes that are said to be theirs: each takes time, whatever its pixels. */
  readonly failures: Allowance
}

/** How far a picture's data can be read. */
export interface ImageCheck extends Size {
  readonly type: 'VP8 ' | 'VP8L'
  /** Units in scan order, from the first on, that are there: macroblocks, or pixels as they are coded. */
  readonly there: number
  /** The same of modes alone, which lie in front of a lossy picture. */
  readonly modes: number
  readonly total: number
  /** Units of a row, and the pixels that one is wide and high. */
  readonly perRow: number
  readonly unitWide: number
  readonly unitHigh: number
  /** Can be read to its end, whatever it reads. */
  readonly whole: boolean
  /** `right`: as an encoder left it; `short`: its end is missing; `torn`: something in it was hit. */
  readonly state: 'right' | 'short' | 'torn'
  /** Bytes that it takes, where that is known. */
  readonly bytes: number | undefined
  /** What is missing goes on as its neighbours do when nothing is told of it. */
  readonly predicted: boolean
}

/** Reads the data of a picture; undefined where they do not begin as one, or where that would take too long. */
export function checkImage(
  type: string,
  body: Uint8Array,
  holes: readonly Hole[],
  allowance: Allowance,
): ImageCheck | undefined {
  if (type === 'VP8 ') {
    const fields = keyFields(body)
    if (!fields || !allowance.take(fields.width * fields.height)) return undefined
    const check = checkKeyFrame(body, holes)
    if (!check) return undefined
    const { width, height, mbWide, mbHigh, whole, modesWhole, exact } = check
    const total = mbWide * mbHigh
    return {
      ...{ type, width, height, there: whole, modes: modesWhole, total, perRow: mbWide },
      ...{ unitWide: MB, unitHigh: MB, whole: whole === total, bytes: undefined, predicted: true },
      state: exact ? 'right' : whole < total ? 'short' : 'torn',
    }
  }
  const fields = losslessFields(body)
  if (type !== 'VP8L' || !fields || !allowance.take(fields.width * fields.height)) return undefined
  const end = Math.min(body.length, ...holes.map(({ from }) => from))
  const check = checkLossless(body.subarray(0, end))
  return check && losslessState(check, end, body.length, IMAGE_LEFT)
}

/** Reads the image of a transparency (RFC 9649 §2.7.1.2), one that is no plain levels. */
export function checkAlphaImage(body: Uint8Array, width: number, height: number): ImageCheck {
  return losslessState(checkLosslessAlpha(body, width, height), body.length, body.length, ALPHA_LEFT)
}

function losslessState(
  check: ReturnType<typeof checkLosslessAlpha>,
  end: number,
  length: number,
  left: number,
): ImageCheck {
  const { width, height, pixels, total, rowPixels, bytes, predicted, padded } = check
  const whole = check.end === 'whole'
  const right = whole && bytes <= length && length - bytes <= left && padded
  return {
    ...{ type: 'VP8L', width, height, there: pixels, modes: 0, total, perRow: rowPixels, whole, predicted },
    ...{ unitWide: width / rowPixels, unitHigh: 1, bytes: whole ? bytes : undefined },
    state: right ? 'right' : check.end === 'cut' || end < length ? 'short' : 'torn',
  }
}

/** Stretches of zeros in a picture's data behind its first bytes: nothing was written there, or it was lost. */
export function zeroHoles(type: ImageCheck['type'], body: Uint8Array): Hole[] {
  const holes: Hole[] = []
  let from = FRONT
  for (let at = FRONT; at <= body.length; at++) {
    if (at < body.length && body[at] === 0) continue
    if (at - from >= LEAST_ZEROS[type]) holes.push({ from, to: at })
    from = at + 1
  }
  return holes
}
