import type { BitReader } from '../../bytes/bit-reader.ts'
import { type Look, parseLook } from '../nal/look.ts'

/** Video usability information, ITU-T H.264 (08/2021) Annex E.1.1, as far as timing and reordering need it. */
export interface Vui extends Look {
  /** num_units_in_tick over time_scale is the duration of a field; both 0 when absent. */
  readonly unitsInTick: number
  readonly timeScale: number
  readonly fixedFrameRate: boolean
  readonly picStructPresent: boolean
  /** Frames that may precede another in decoding order and follow it in output order; undefined when not said. */
  readonly reorderFrames: number | undefined
  readonly maxDecFrameBuffering: number | undefined
  /** Fields of the picture timing message, 0 when no HRD parameters are present. */
  readonly cpbRemovalDelayLength: number
  readonly dpbOutputDelayLength: number
}

/** Reads the VUI at the reader's place. One that runs past the end yields undefined: some encoders cut it off. */
export function parseVui(bits: BitReader): Vui | undefined {
  const look = parseLook(bits)
  let unitsInTick = 0
  let timeScale = 0
  let fixedFrameRate = false
  if (bits.bit() === 1) {
    unitsInTick = bits.bits(32)
    timeScale = bits.bits(32)
    fixedFrameRate = bits.bit() === 1
    if (unitsInTick === 0 || timeScale === 0) {
      unitsInTick = 0
      timeScale = 0
    }
  }
  const hrd = { cpb: 0, dpb: 0 }
  const nal = bits.bit() === 1
  if (nal) readHrd(bits, hrd)
  const vcl = bits.bit() === 1
  if (vcl) readHrd(bits, hrd)
  if (nal || vcl) bits.skip(1)
  const picStructPresent = bits.bit() === 1
  let reorderFrames: number | undefined
  let maxDecFrameBuffering: number | undefined
  if (bits.bit() === 1) {
    bits.skip(1)
    bits.ue()
    bits.ue()
    bits.ue()
    bits.ue()
    const reorder = bits.ue()
    const buffering = bits.ue()
    if (!bits.overrun && reorder <= 16 && buffering <= 16 && reorder <= buffering) {
      reorderFrames = reorder
      maxDecFrameBuffering = buffering
    }
  }
  if (bits.overrun) return undefined
  return {
    ...look,
    unitsInTick,
    timeScale,
    fixedFrameRate,
    picStructPresent,
    reorderFrames,
    maxDecFrameBuffering,
    cpbRemovalDelayLength: hrd.cpb,
    dpbOutputDelayLength: hrd.dpb,
  }
}

function readHrd(bits: BitReader, lengths: { cpb: number; dpb: number }): void {
  const count = bits.ue() + 1
  bits.skip(8)
  for (let i = 0; i < count && i < 32; i++) {
    bits.ue()
    bits.ue()
    bits.skip(1)
  }
  bits.skip(5)
  lengths.cpb = bits.bits(5) + 1
  lengths.dpb = bits.bits(5) + 1
  bits.skip(5)
}

/** Pictures a second as a fraction, from a VUI that gives it; the rate is that of frames, two fields each. */
export function frameRate(vui: Vui | undefined): { readonly num: number; readonly den: number } | undefined {
  if (!vui || vui.timeScale === 0) return undefined
  return { num: vui.timeScale, den: vui.unitsInTick * 2 }
}
