import type { BitReader } from '../../../bytes/bit-reader.ts'

/** What samples are like, and which tools frames may use: the end of a sequence header, AV1 specification (2019-01-08) §5.5. */
export interface SampleFormat {
  readonly upscales: boolean
  readonly cdef: boolean
  readonly restores: boolean
  readonly high: number
  readonly twelve: number
  readonly depth: number
  readonly mono: boolean
  /** subsampling_x and subsampling_y. */
  readonly x: number
  readonly y: number
  readonly position: number
  readonly separateChroma: boolean
  readonly filmGrain: boolean
}

const BT709 = 1
const SRGB = 13
const IDENTITY = 0

/** Reads from enable_superres on to the end of a sequence header, trailing bits apart. */
export function readSampleFormat(bits: BitReader, profile: number): SampleFormat {
  const flag = (): boolean => bits.bit() === 1
  const tools = { upscales: flag(), cdef: flag(), restores: flag() }
  const high = bits.bit()
  const twelve = profile === 2 && high === 1 ? bits.bit() : 0
  const depth = high === 0 ? 8 : twelve === 1 ? 12 : 10
  const mono = profile !== 1 && flag()
  const [primaries, transfer, matrix] = flag() ? [bits.bits(8), bits.bits(8), bits.bits(8)] : [2, 2, 2]
  let [x, y, position] = [1, 1, 0]
  let separateChroma = false
  if (mono) bits.skip(1)
  else {
    if (primaries === BT709 && transfer === SRGB && matrix === IDENTITY) [x, y] = [0, 0]
    else {
      bits.skip(1)
      if (profile === 1) [x, y] = [0, 0]
      if (profile === 2) {
        x = twelve === 1 ? bits.bit() : 1
        y = twelve === 1 && x === 1 ? bits.bit() : 0
      }
      if (x === 1 && y === 1) position = bits.bits(2)
    }
    separateChroma = flag()
  }
  return { ...tools, high, twelve, depth, mono, x, y, position, separateChroma, filmGrain: flag() }
}
