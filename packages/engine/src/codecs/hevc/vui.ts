import type { BitReader } from '../../bytes/bit-reader.ts'
import { type Look, parseLook } from '../nal/look.ts'

/** Video usability information, ITU-T H.265 (08/2021) Annex E.2.1, as far as timing needs it. */
export interface Vui extends Look {
  /** vui_num_units_in_tick over vui_time_scale is the duration of a picture; both 0 when absent. */
  readonly unitsInTick: number
  readonly timeScale: number
  /** Each picture is a field. */
  readonly fieldSequence: boolean
}

/** Reads the VUI at the reader's place, HRD parameters included; undefined when it runs past the end. */
export function parseVui(bits: BitReader, maxSubLayers: number): Vui | undefined {
  const look = parseLook(bits)
  bits.skip(1)
  const fieldSequence = bits.bit() === 1
  bits.skip(1)
  if (bits.bit() === 1) for (let i = 0; i < 4; i++) bits.ue()
  let unitsInTick = 0
  let timeScale = 0
  if (bits.bit() === 1) {
    unitsInTick = bits.bits(32)
    timeScale = bits.bits(32)
    if (bits.bit() === 1) bits.ue()
    if (bits.bit() === 1) skipHrd(bits, maxSubLayers)
    if (unitsInTick === 0 || timeScale === 0) {
      unitsInTick = 0
      timeScale = 0
    }
  }
  if (bits.bit() === 1) {
    bits.skip(3)
    for (let i = 0; i < 5; i++) bits.ue()
  }
  if (bits.overrun) return undefined
  return {
    ...look,
    unitsInTick,
    timeScale,
    fieldSequence,
  }
}

/** hrd_parameters(1, …), Annex E.2.2. */
function skipHrd(bits: BitReader, maxSubLayers: number): void {
  const nal = bits.bit() === 1
  const vcl = bits.bit() === 1
  let subPicture = false
  if (nal || vcl) {
    subPicture = bits.bit() === 1
    if (subPicture) bits.skip(19)
    bits.skip(8)
    if (subPicture) bits.skip(4)
    bits.skip(15)
  }
  for (let layer = 0; layer < maxSubLayers && !bits.overrun; layer++) {
    const fixedGeneral = bits.bit() === 1
    const fixed = fixedGeneral || bits.bit() === 1
    let lowDelay = false
    let buffers = 1
    if (fixed) bits.ue()
    else lowDelay = bits.bit() === 1
    if (!lowDelay) buffers = bits.ue() + 1
    for (let kind = 0; kind < (nal ? 1 : 0) + (vcl ? 1 : 0); kind++) {
      for (let i = 0; i < buffers && !bits.overrun; i++) {
        bits.ue()
        bits.ue()
        if (subPicture) {
          bits.ue()
          bits.ue()
        }
        bits.skip(1)
      }
    }
  }
}

/** Pictures a second as a fraction, from a VUI that gives it. */
export function frameRate(vui: Vui | undefined): { readonly num: number; readonly den: number } | undefined {
  if (!vui || vui.timeScale === 0) return undefined
  return { num: vui.timeScale, den: vui.unitsInTick * (vui.fieldSequence ? 2 : 1) }
}
