import type { BitReader } from '../../bytes/bit-reader.ts'

/** A coded element that carries channels; its number is `id_syn_ele`. */
export type ChannelElement = typeof SINGLE | typeof PAIR | typeof LFE

export const SINGLE = 0
export const PAIR = 1
export const COUPLING = 2
export const LFE = 3
export const DATA = 4
export const PROGRAM_CONFIG = 5
export const FILL = 6
export const END = 7

/** What a program_config_element() says, as far as recognition needs it. */
export interface ProgramConfig {
  /** Audio object type minus 1, two bits. */
  readonly profile: number
  readonly samplingIndex: number
  /** Channel elements in the order of their lists: front, side, back, LFE. */
  readonly elements: readonly ChannelElement[]
  readonly channels: number
}

/**
 * Reads program_config_element() behind its instance tag's first bit, ISO/IEC 14496-3:2019 §4.4.1.1 Table 4.2.
 * Its byte alignment counts from `origin`, in bits. Leaves `bits` behind its comment; the caller checks for an overrun.
 */
export function readProgramConfig(bits: BitReader, origin: number): ProgramConfig {
  bits.skip(4)
  const profile = bits.bits(2)
  const samplingIndex = bits.bits(4)
  const front = bits.bits(4)
  const side = bits.bits(4)
  const back = bits.bits(4)
  const lfe = bits.bits(2)
  const associated = bits.bits(3)
  const coupled = bits.bits(4)
  if (bits.bit()) bits.skip(4)
  if (bits.bit()) bits.skip(4)
  if (bits.bit()) bits.skip(3)
  const elements: ChannelElement[] = []
  for (let count = front + side + back; count > 0; count--) {
    elements.push(bits.bit() ? PAIR : SINGLE)
    bits.skip(4)
  }
  for (let count = lfe; count > 0; count--) {
    elements.push(LFE)
    bits.skip(4)
  }
  bits.skip(associated * 4 + coupled * 5)
  bits.skip((8 - ((bits.position - origin) & 7)) & 7)
  bits.skip(bits.bits(8) * 8)
  const channels = elements.reduce<number>((sum, element) => sum + (element === PAIR ? 2 : 1), 0)
  return { profile, samplingIndex, elements, channels }
}
