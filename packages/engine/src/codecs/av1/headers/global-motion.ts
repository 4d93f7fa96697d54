import type { BitReader } from '../../../bytes/bit-reader.ts'

/** WARPEDMODEL_PREC_BITS, AV1 specification (2019-01-08) §3. */
export const PRECISION = 16
export const TRANSLATION = 1
const ROTATION = 2
const AFFINE = 3
export const NO_GLOBALS: readonly (readonly number[])[] = Array.from({ length: 8 }, () => [
  ...[0, 0, 1 << PRECISION],
  ...[0, 0, 1 << PRECISION],
])

/** Reads global_motion_params, §5.9.24: by reference, from 1 on. */
export function readGlobalMotion(
  bits: BitReader,
  before: readonly (readonly number[])[] = NO_GLOBALS,
  precise: boolean,
): { globals: readonly (readonly number[])[]; globalTypes: readonly number[] } {
  const globals = NO_GLOBALS.map((values) => [...values])
  const globalTypes = [0]
  for (let reference = 1; reference < 8; reference++) {
    const type = bits.bit() === 0 ? 0 : bits.bit() === 1 ? ROTATION : bits.bit() === 1 ? TRANSLATION : AFFINE
    globalTypes.push(type)
    const values = globals[reference]
    const read = (at: number): void => {
      values[at] = readParameter(bits, type, at, before[reference][at], precise)
    }
    if (type >= ROTATION) {
      read(2)
      read(3)
      if (type === AFFINE) {
        read(4)
        read(5)
      } else {
        values[4] = -values[3]
        values[5] = values[2]
      }
    }
    if (type >= TRANSLATION) {
      read(0)
      read(1)
    }
  }
  return { globals, globalTypes }
}

/** read_global_param, §5.9.25. */
function readParameter(bits: BitReader, type: number, at: number, before: number, precise: boolean): number {
  let absolute = 12
  let precision = 15
  if (at < 2) {
    absolute = type === TRANSLATION ? 9 - (precise ? 0 : 1) : 12
    precision = type === TRANSLATION ? 3 - (precise ? 0 : 1) : 6
  }
  const shift = PRECISION - precision
  const isScale = at % 3 === 2
  const most = 1 << absolute
  const reference = (before >> shift) - (isScale ? 1 << precision : 0)
  const value = near(bits, 2 * most + 1, reference + most) - most
  return (value << shift) + (isScale ? 1 << PRECISION : 0)
}

/** decode_unsigned_subexp_with_ref. */
function near(bits: BitReader, most: number, reference: number): number {
  const value = exponential(bits, most)
  return 2 * reference <= most
    ? recentred(reference, value)
    : most - 1 - recentred(most - 1 - reference, value)
}

function recentred(reference: number, value: number): number {
  if (value > 2 * reference) return value
  return value % 2 === 1 ? reference - ((value + 1) >> 1) : reference + (value >> 1)
}

/** decode_subexp. */
function exponential(bits: BitReader, count: number): number {
  let least = 0
  for (let i = 0; ; i++) {
    const width = i > 0 ? 3 + i - 1 : 3
    if (count <= least + 3 * (1 << width)) return least + oneOf(bits, count - least)
    if (bits.bit() === 0) return least + bits.bits(width)
    least += 1 << width
  }
}

/** ns(n), §4.10.7. */
function oneOf(bits: BitReader, count: number): number {
  const width = 32 - Math.clz32(count)
  const short = (1 << width) - count
  const value = bits.bits(width - 1)
  return value < short ? value : 2 * value - short + bits.bit()
}
