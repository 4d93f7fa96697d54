import { BitReader } from '../../bytes/bit-reader.ts'
import { SAMPLING_RATES, samplingIndexOf } from './bands.ts'
import { CHANNEL_ELEMENTS, channelCount } from './channel-elements.ts'
import { type ChannelElement, readProgramConfig } from './program-config.ts'

/** Audio object types, ISO/IEC 14496-3:2019 Table 1.17. */
export const AAC_MAIN = 1
export const AAC_LC = 2
export const AAC_SSR = 3
export const AAC_LTP = 4
export const SBR = 5
export const PS = 29
const ER_BSAC = 22
/** Types whose configuration is a GASpecificConfig(). */
const GENERAL_AUDIO = [1, 2, 3, 4, 6, 7, 17, 19, 20, 21, 22, 23]
const ESCAPE_TYPE = 31
const EXPLICIT_RATE = 15
const SBR_SYNC = 0x2b7
const PS_SYNC = 0x548

/** What an AudioSpecificConfig() says, ISO/IEC 14496-3:2019 §1.6.2.1. */
export interface AudioSpecificConfig {
  /** Type of the core coder: 1 Main, 2 LC, 4 LTP, …; with SBR or PS the type below them. */
  readonly objectType: number
  /** Sampling rate of the core coder in Hz. With SBR decoders put out `outputSampleRate`, usually twice as much. */
  readonly coreSampleRate: number
  readonly outputSampleRate: number
  /** Index of the core's scale factor band tables, 0 to 12. */
  readonly samplingIndex: number
  /** 0 when a program config element lists the channels. */
  readonly channelConfiguration: number
  /** Channels of the core coder; with PS one is put out as two. */
  readonly channels: number
  /** Samples a frame codes at the core rate: 1024 or 960 (AAC-LD and its kin: 512 or 480). */
  readonly frameLength: number
  /** Signalled explicitly or backward compatibly; streams may carry SBR or PS without saying so. */
  readonly sbr: boolean
  readonly ps: boolean
  /** Channel elements in the order they are to be coded. */
  readonly elements: readonly ChannelElement[]
}

/**
 * Parses an AudioSpecificConfig, as `esds`, Matroska's CodecPrivate and FLV's sequence header carry it. Undefined when
 * it is cut off, uses reserved values or is not of the general audio family.
 */
export function parseAudioSpecificConfig(bytes: Uint8Array): AudioSpecificConfig | undefined {
  const bits = new BitReader(bytes)
  let objectType = readObjectType(bits)
  const coreRate = readRate(bits)
  const channelConfiguration = bits.bits(4)
  let outputRate = coreRate
  let sbr = false
  let ps = false
  if (objectType === SBR || objectType === PS) {
    sbr = true
    ps = objectType === PS
    outputRate = readRate(bits)
    objectType = readObjectType(bits)
    if (objectType === ER_BSAC) bits.skip(4)
  }
  if (!GENERAL_AUDIO.includes(objectType) || coreRate === 0 || outputRate === 0 || bits.overrun)
    return undefined
  const shortFrame = bits.bit() === 1
  if (bits.bit()) bits.skip(14)
  const extension = bits.bit() === 1
  let elements = CHANNEL_ELEMENTS[channelConfiguration] ?? []
  if (channelConfiguration === 0) {
    elements = readProgramConfig(bits, 0).elements
    if (bits.overrun) return undefined
  }
  if (objectType === 6 || objectType === 20) bits.skip(3)
  if (extension) {
    if (objectType === ER_BSAC) bits.skip(16)
    if (objectType === 17 || objectType === 19 || objectType === 20 || objectType === 23) bits.skip(3)
    bits.skip(1)
  }
  // Encoders exist that set dependsOnCoreCoder without writing its delay, so flags may be cut off.
  if (elements.length === 0) return undefined
  if (objectType >= 17) bits.skip(2)
  if (!sbr && bits.left >= 16 && bits.bits(11) === SBR_SYNC && readObjectType(bits) === SBR && bits.bit()) {
    const rate = readRate(bits)
    if (rate > 0 && !bits.overrun) {
      sbr = true
      outputRate = rate
      ps = bits.left >= 12 && bits.bits(11) === PS_SYNC && bits.bit() === 1
    }
  }
  const lowDelay = objectType === 23
  return {
    objectType,
    coreSampleRate: coreRate,
    outputSampleRate: outputRate,
    samplingIndex: samplingIndexOf(coreRate),
    channelConfiguration,
    channels: channelCount(elements),
    frameLength: (shortFrame ? 960 : 1024) / (lowDelay ? 2 : 1),
    sbr,
    ps,
    elements,
  }
}

/** A plain AAC-LC configuration, for tracks whose own is lost. Undefined for rates and channels it cannot express. */
export function plainConfig(sampleRate: number, channels: number): Uint8Array | undefined {
  const rateIndex = SAMPLING_RATES.indexOf(sampleRate)
  const configuration = channels === 8 ? 7 : channels
  if (rateIndex < 0 || channels < 1 || channels === 7 || channels > 8) return undefined
  const word = (AAC_LC << 11) | (rateIndex << 7) | (configuration << 3)
  return Uint8Array.of(word >> 8, word & 255)
}

function readObjectType(bits: BitReader): number {
  const type = bits.bits(5)
  return type === ESCAPE_TYPE ? 32 + bits.bits(6) : type
}

/** A sampling rate in Hz, 0 when reserved. */
function readRate(bits: BitReader): number {
  const index = bits.bits(4)
  return index === EXPLICIT_RATE ? bits.bits(24) : (SAMPLING_RATES[index] ?? 0)
}
