import type { TrackDescription } from '../../model/track.ts'

/** How the samples of linear or companded PCM lie in bytes. */
export interface PcmLayout {
  readonly channels: number
  /** Bits of one sample with padding: 8, 16, 24, 32 or 64. */
  readonly bits: number
  readonly endian: 'little' | 'big'
  readonly signed: boolean
  readonly float: boolean
  readonly law: 'linear' | 'ulaw' | 'alaw'
  /** Bytes of one sample frame over all channels. */
  readonly blockAlign: number
}

const MAX_CHANNELS = 255

/**
 * The PCM layout a track's facts describe: `endian` (`big`, `little`), `bitsPerSample`, `signed` and `float` (0 or 1), `law`
 * (`linear`, `ulaw`, `alaw`). What is missing is taken as little-endian signed linear. Undefined when sizes contradict.
 */
export function pcmLayoutOf(track: TrackDescription): PcmLayout | undefined {
  const facts = track.facts ?? {}
  const channels = track.channels ?? 1
  const align = track.blockAlign ?? 0
  const bits = Number(facts.bitsPerSample ?? (align > 0 ? (align * 8) / channels : 16))
  const float = facts.float === 1
  const law = facts.law === 'ulaw' || facts.law === 'alaw' ? facts.law : 'linear'
  if (!Number.isInteger(channels) || channels < 1 || channels > MAX_CHANNELS) return undefined
  if (![8, 16, 24, 32, 64].includes(bits) || (float && bits < 32) || (bits === 64 && !float)) return undefined
  const blockAlign = (channels * bits) / 8
  if (align > 0 && align !== blockAlign) return undefined
  const signed = facts.signed === undefined ? bits > 8 : facts.signed === 1
  return { channels, bits, endian: facts.endian === 'big' ? 'big' : 'little', signed, float, law, blockAlign }
}

/** Reads one sample at a byte offset as a whole number of at most 24 bits; not finite or far too loud floats give NaN. */
export type SampleReader = (bytes: Uint8Array, offset: number) => number

/** Bits that a `SampleReader`'s numbers span for this layout. */
export function sampleBits(layout: PcmLayout): number {
  return Math.min(layout.bits, 24)
}

/** Floats louder than this are no sound: eight times full scale. */
const LOUDEST_FLOAT = 8
const FLOAT_SCALE = 2 ** 23

export function sampleReader(layout: PcmLayout): SampleReader {
  // µ-law inverts all bits, so that its codes with the sign bit set are positive and fall with the sound.
  if (layout.law === 'ulaw') return (bytes, offset) => companded(bytes[offset] ^ 127)
  if (layout.law === 'alaw') return (bytes, offset) => companded(bytes[offset] ^ 0x55)
  if (layout.float) return floatReader(layout)
  const width = layout.bits / 8
  const little = layout.endian === 'little'
  const flip = layout.signed ? 0 : 0x80
  if (width === 1) return (bytes, offset) => ((bytes[offset] ^ flip) << 24) >> 24
  if (width === 2) {
    return little
      ? (bytes, offset) => (((bytes[offset + 1] ^ flip) << 24) >> 16) | bytes[offset]
      : (bytes, offset) => (((bytes[offset] ^ flip) << 24) >> 16) | bytes[offset + 1]
  }
  // 24 bits, or the upper 24 of 32: lower ones only hold noise.
  const top = little ? width - 1 : 0
  const step = little ? -1 : 1
  return (bytes, offset) =>
    (((bytes[offset + top] ^ flip) << 24) >> 8) |
    (bytes[offset + top + step] << 8) |
    bytes[offset + top + 2 * step]
}

function floatReader(layout: PcmLayout): SampleReader {
  const view = new DataView(new ArrayBuffer(8))
  const width = layout.bits / 8
  const little = layout.endian === 'little'
  return (bytes, offset) => {
    for (let byte = 0; byte < width; byte++) view.setUint8(byte, bytes[offset + byte])
    const value = width === 4 ? view.getFloat32(0, little) : view.getFloat64(0, little)
    return Math.abs(value) <= LOUDEST_FLOAT ? Math.round(value * FLOAT_SCALE) : Number.NaN
  }
}

/**
 * The sign and magnitude bits of an ITU-T G.711 code word as a number that rises with the sound. Companded numbers, not
 * linear ones: only they are evenly likely in random bytes.
 */
function companded(code: number): number {
  return code & 128 ? code & 127 : -(code & 127) - 1
}
