import type { BitReader } from '../../../bytes/bit-reader.ts'
import type { SampleFormat } from './sample-format.ts'

/** Passes over film_grain_params of a frame that is shown, AV1 specification (2019-01-08) §5.9.30. */
export function skipFilmGrain(bits: BitReader, { mono, x, y }: SampleFormat, inter = false): void {
  // apply_grain, then a seed
  if (bits.bit() === 0) return
  bits.skip(16)
  // update_grain; else film_grain_params_ref_idx
  if (inter && bits.bit() === 0) {
    bits.skip(3)
    return
  }
  const points = (): number => {
    const count = bits.bits(4)
    bits.skip(16 * count)
    return count
  }
  const luma = points()
  const fromLuma = !mono && bits.bit() === 1
  const own = !mono && !fromLuma && !(x === 1 && y === 1 && luma === 0)
  const blue = own ? points() : 0
  const red = own ? points() : 0
  // grain_scaling_minus_8
  bits.skip(2)
  const lag = bits.bits(2)
  const positions = 2 * lag * (lag + 1)
  const chroma = positions + (luma > 0 ? 1 : 0)
  if (luma > 0) bits.skip(8 * positions)
  if (fromLuma || blue > 0) bits.skip(8 * chroma)
  if (fromLuma || red > 0) bits.skip(8 * chroma)
  // ar_coeff_shift_minus_6, grain_scale_shift; multipliers and offsets; overlap_flag, clip_to_restricted_range
  bits.skip(4 + (blue > 0 ? 25 : 0) + (red > 0 ? 25 : 0) + 2)
}
