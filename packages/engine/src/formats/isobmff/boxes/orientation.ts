/** The way a picture is turned and mirrored for display, as the matrix of a track header says it. */
export interface Orientation {
  /** Quarter turns clockwise, 0 to 3. */
  readonly turns: number
  /** Mirrored left to right before it is turned. */
  readonly mirrored: boolean
}

export const UPRIGHT: Orientation = { turns: 0, mirrored: false }

const MATRIX = 16
const SIZE = 52
/** 1.0 in 16.16 and in 2.30 fixed point. */
const ONE = 0x0001_0000
const W_ONE = 0x4000_0000

/** a and b of the matrix by quarter turns clockwise: the picture's horizontal axis on the screen. */
const AXES = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
] as const

/**
 * The orientation that the last 60 bytes of a track header give, ISO/IEC 14496-12:2022 §8.3.2; undefined for a matrix that
 * scales, shears or is none.
 */
export function orientationOf(tail: Uint8Array): Orientation | undefined {
  const view = new DataView(tail.buffer, tail.byteOffset, tail.length)
  const at = (index: number): number => view.getInt32(MATRIX + 4 * index) / ONE
  const [a, b, c, d] = [at(0), at(1), at(3), at(4)]
  if (view.getInt32(MATRIX + 32) !== W_ONE || view.getInt32(MATRIX + 8) !== 0) return undefined
  for (const mirrored of [false, true]) {
    const sign = mirrored ? -1 : 1
    const turns = AXES.findIndex(([x, y]) => a === x * sign && b === y * sign && c === -y && d === x)
    if (turns >= 0) return { turns, mirrored }
  }
  return undefined
}

/** Whether the last 60 bytes of a track header hold a matrix at all: zeroed ones do not. */
export function hasMatrix(tail: Uint8Array): boolean {
  const view = new DataView(tail.buffer, tail.byteOffset, tail.length)
  const at = (index: number): number => view.getInt32(MATRIX + 4 * index)
  return at(8) === W_ONE && at(0) * at(4) !== at(1) * at(3)
}

/** A copy of a track header's last 60 bytes whose matrix turns a picture of that header's size so that it stays in view. */
export function oriented(tail: Uint8Array, { turns, mirrored }: Orientation): Uint8Array {
  const copy = tail.slice()
  const view = new DataView(copy.buffer)
  const [width, height] = [view.getUint32(SIZE), view.getUint32(SIZE + 4)]
  const [x, y] = AXES[turns & 3]
  const sign = mirrored ? -1 : 1
  const [a, b, c, d] = [x * sign, y * sign, -y, x]
  // the corner that lands furthest to the left and to the top is moved to the origin
  const left = Math.min(0, a * width) + Math.min(0, c * height)
  const top = Math.min(0, b * width) + Math.min(0, d * height)
  const values = [a * ONE, b * ONE, 0, c * ONE, d * ONE, 0, 0 - left, 0 - top, W_ONE]
  for (const [i, value] of values.entries()) view.setInt32(MATRIX + 4 * i, value)
  return copy
}

/** A copy of a track header's last 60 bytes for a picture of another size, in pixels; turns are kept. */
export function resized(tail: Uint8Array, width: number, height: number): Uint8Array {
  const copy = tail.slice()
  const view = new DataView(copy.buffer)
  view.setUint32(SIZE, width * ONE)
  view.setUint32(SIZE + 4, height * ONE)
  const orientation = orientationOf(tail)
  return orientation ? oriented(copy, orientation) : copy
}
