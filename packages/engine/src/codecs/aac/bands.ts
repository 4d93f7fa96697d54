/** Edges of scale factor bands for one sampling rate, ISO/IEC 14496-3:2019 §4.5.4, Table 4.110 to 4.128. */
export interface ScaleFactorBands {
  /** First coefficient of each band of a long window, and the window's length. */
  readonly long: Uint16Array
  /** The same for one of eight short windows. */
  readonly short: Uint16Array
  /** Bands that Main profile prediction reaches, Table 4.147. */
  readonly predicted: number
}

/** Sampling rates by index, Table 1.18. */
export const SAMPLING_RATES: readonly number[] = [
  96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350,
]

const LONG_96 = widths([4, 14], [8, 5], [12, 5], [16, 2], [24], [28], [36], [44], [64, 11])
const LONG_64 = widths([4, 14], [8, 4], [12, 3], [16, 3], [20], [24, 2], [28], [36], [40, 18])
const LONG_48 = widths([4, 10], [8, 7], [12, 4], [16, 2], [20, 2], [24, 2], [28, 2], [32, 19], [96])
const LONG_32 = widths([4, 10], [8, 7], [12, 4], [16, 2], [20, 2], [24, 2], [28, 2], [32, 22])
const LONG_24 = widths(
  [4, 11],
  [8, 10],
  [12, 4],
  [16, 3],
  [20, 2],
  [24, 2],
  [28, 2],
  [32],
  [36, 2],
  [40],
  [44],
  [48],
  [52, 2],
  [64, 5],
)
const LONG_16 = widths(
  [8, 11],
  [12, 9],
  [16, 4],
  [20, 3],
  [24, 2],
  [28, 2],
  [32],
  [36],
  [40, 2],
  [44],
  [48],
  [52],
  [56],
  [60],
  [64, 3],
)
const LONG_8 = widths(
  [12, 13],
  [16, 7],
  [20, 4],
  [24, 3],
  [28, 2],
  [32],
  [36, 2],
  [40],
  [44],
  [48],
  [52],
  [56],
  [60],
  [64],
  [80],
)
const SHORT_96 = widths([4, 6], [8, 3], [16], [28], [36])
const SHORT_48 = widths([4, 5], [8, 3], [12, 3], [16, 3])
const SHORT_24 = widths([4, 7], [8, 3], [12, 2], [16, 2], [20])
const SHORT_16 = widths([4, 8], [8, 2], [12, 2], [16], [20, 2])
const SHORT_8 = widths([4, 7], [8, 4], [12], [16], [20, 2])

/** Band tables by sampling rate index 0 to 12: long, short, predicted bands. */
const BY_INDEX: readonly (readonly [readonly number[], readonly number[], number])[] = [
  [LONG_96, SHORT_96, 33],
  [LONG_96, SHORT_96, 33],
  [LONG_64, SHORT_96, 38],
  [LONG_48, SHORT_48, 40],
  [LONG_48, SHORT_48, 40],
  [LONG_32, SHORT_48, 40],
  [LONG_24, SHORT_24, 41],
  [LONG_24, SHORT_24, 41],
  [LONG_16, SHORT_16, 37],
  [LONG_16, SHORT_16, 37],
  [LONG_16, SHORT_16, 37],
  [LONG_8, SHORT_8, 34],
  [LONG_8, SHORT_8, 34],
]

/** Lowest rate that still uses the tables of each index, Table 4.82. */
const LOWEST_RATE: readonly number[] = [
  92017, 75132, 55426, 46009, 37566, 27713, 23004, 18783, 13856, 11502, 9391, 0,
]

/** The index whose tables a sampling rate in Hz uses. */
export function samplingIndexOf(rate: number): number {
  return LOWEST_RATE.findIndex((lowest) => rate >= lowest)
}

/** Bands for a sampling rate index (0 to 12) and a frame length of 1024 or 960 samples. */
export function scaleFactorBands(samplingIndex: number, frameLength: number): ScaleFactorBands {
  const [long, short, predicted] = BY_INDEX[samplingIndex]
  return { long: edges(long, frameLength), short: edges(short, frameLength / 8), predicted }
}

/** Runs of equally wide bands, spelled out. */
function widths(...runs: readonly (readonly [number, number?])[]): number[] {
  return runs.flatMap(([width, count]) => new Array<number>(count ?? 1).fill(width))
}

/** Cumulates widths up to `length`: transforms of 960 use the tables of 1024, cut off at their own length. */
function edges(bands: readonly number[], length: number): Uint16Array {
  const result = [0]
  let edge = 0
  for (const width of bands) {
    if (edge >= length) break
    edge = Math.min(edge + width, length)
    result.push(edge)
  }
  return Uint16Array.from(result)
}
