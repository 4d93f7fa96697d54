import { type Header, pixelBits } from './header.ts'

/** A pass of an interlaced picture, PNG (Third Edition) §8.2; the whole picture is one pass where it is not interlaced. */
export interface Pass {
  readonly x: number
  readonly y: number
  readonly stepX: number
  readonly stepY: number
  /** Pixels across and rows down. */
  readonly width: number
  readonly height: number
  /** Where its first row begins in the inflated data, and bytes of a row with its filter type. */
  readonly start: number
  readonly stride: number
}

const ADAM7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

/** The passes of a picture of this size, empty ones left out. */
export function passesOf(header: Header, width = header.width, height = header.height): readonly Pass[] {
  const passes: Pass[] = []
  let start = 0
  for (const [x, y, stepX, stepY] of header.interlaced ? ADAM7 : ([[0, 0, 1, 1]] as const)) {
    const across = Math.ceil((width - x) / stepX)
    const down = Math.ceil((height - y) / stepY)
    if (across <= 0 || down <= 0) continue
    const stride = 1 + Math.ceil((across * pixelBits(header)) / 8)
    passes.push({ x, y, stepX, stepY, width: across, height: down, start, stride })
    start += stride * down
  }
  return passes
}

/** Bytes of the inflated data. */
export function plainLength(passes: readonly Pass[]): number {
  const last = passes.at(-1)
  return last ? last.start + last.stride * last.height : 0
}

/** Filter types, §9.2. */
export const NONE = 0
export const SUB = 1
export const UP = 2
export const AVERAGE = 3
export const PAETH = 4
