import type { BitReader } from '../../bytes/bit-reader.ts'

/** What mpegh3daConfig() says of its frames. */
export interface MpeghConfiguration {
  readonly sampleRate: number
  /** Samples that a frame sounds. */
  readonly frameSamples: number
}

/** usacSamplingFrequency by its index, ISO/IEC 23003-3:2020 Table 70; 0 is reserved. */
const RATES = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350, 0, 0,
  57_600, 51_200, 40_000, 38_400, 34_150, 28_800, 25_600, 20_000, 19_200, 17_075, 14_400, 12_800, 9600, 0, 0,
  0,
]
/** outputFrameLength by coreSbrFrameLengthIndex, Table 73 there. */
const FRAME_SAMPLES = [768, 1024, 2048, 2048, 4096]

/** The beginning of mpegh3daConfig(), ISO/IEC 23008-3:2022 §5.2.2.1; undefined with reserved values. */
export function readConfiguration(bits: BitReader): MpeghConfiguration | undefined {
  // mpegh3daProfileLevelIndication
  bits.skip(8)
  const index = bits.bits(5)
  const sampleRate = index < RATES.length ? RATES[index] : bits.bits(24)
  const frameSamples = FRAME_SAMPLES[bits.bits(3)]
  if (bits.overrun || sampleRate === 0 || frameSamples === undefined) return undefined
  return { sampleRate, frameSamples }
}
