import { codeAt } from './codebook.ts'
import {
  CHANNELS,
  CODEBLOCK,
  HEIGHT,
  PATTERN_HEIGHT,
  PATTERN_WIDTH,
  readPair,
  SUBBAND,
  WIDTH,
} from './pairs.ts'

/** What a stream begins with. */
const MAGIC = 0x56_43_2d_35
/** Bands of a channel: the coarsest, and three of each of three wavelets. */
const BANDS = 10
const BANDS_A_LEVEL = 3
const LEVELS = 3
/** Bits of a coefficient of the coarsest band. */
const COARSE_BITS = 16
const WORD_BITS = 32
/** Components of a sensor's pattern. */
const MOST_CHANNELS = 4

/**
 * Whether a VC-5 stream has every band of all its channels, and each band the coefficients that the picture's size asks for and
 * its end, SMPTE ST 2073-1:2014 §8. `unknown` where it is divided otherwise than raw photos are. Steps are in proportion to the
 * bytes.
 */
export function checkStream(bytes: Uint8Array): 'whole' | 'broken' | 'unknown' {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const values = new Map<number, number>()
  if (bytes.length < 4 || view.getUint32(0) !== MAGIC) return 'broken'
  let seen = 0
  for (let at = 4; ; ) {
    const pair = readPair(view, at)
    if (!pair) return 'broken'
    at = pair.end
    if (pair.tag !== CODEBLOCK) {
      values.set(pair.tag, pair.value)
      continue
    }
    const [width, height] = channelSize(values)
    const channels = values.get(CHANNELS) ?? 0
    if (width === 0 || height === 0 || channels === 0 || channels > MOST_CHANNELS) return 'unknown'
    const band = values.get(SUBBAND) ?? 0
    if (band !== seen % BANDS) return 'broken'
    const level = band === 0 ? LEVELS : LEVELS - Math.floor((band - 1) / BANDS_A_LEVEL)
    const count = halved(width, level) * halved(height, level)
    const end = at + pair.length
    if (end > bytes.length) return 'broken'
    const whole =
      band === 0
        ? pair.length === words(count * COARSE_BITS)
        : pair.length === words(bitsOfBand(view, at, end, count))
    if (!whole) return 'broken'
    at = end
    if (++seen === channels * BANDS) return 'whole'
  }
}

/** Width and height of one channel, in coefficients; 0 where none is told. */
function channelSize(values: ReadonlyMap<number, number>): readonly [number, number] {
  const part = (whole: number, by: number): number =>
    Math.floor((values.get(whole) ?? 0) / Math.max(1, values.get(by) ?? 1))
  return [part(WIDTH, PATTERN_WIDTH), part(HEIGHT, PATTERN_HEIGHT)]
}

function halved(size: number, times: number): number {
  return times === 0 ? size : halved(Math.ceil(size / 2), times - 1)
}

/** Bytes of the words that so many bits take. */
function words(bits: number): number {
  return Math.ceil(bits / WORD_BITS) * (WORD_BITS / 8)
}

/** Bits of a band of `count` coefficients with its end; `Infinity` where it has not as many, or more. */
function bitsOfBand(view: DataView, from: number, end: number, count: number): number {
  const bits = (end - from) * 8
  let left = count
  for (let at = 0; at < bits; ) {
    const code = codeAt(bitsAt(view, from, at))
    at += code.length
    if (code.count === 0) return left === 0 ? at : Infinity
    left -= code.count
    if (left < 0) return Infinity
  }
  return Infinity
}

/** 32 bits at a bit: zeros where there are no more. */
function bitsAt(view: DataView, from: number, bit: number): number {
  const at = from + (bit >> 3)
  const off = bit & 7
  if (at + 5 > view.byteLength) return endBitsAt(view, at, off)
  return (view.getUint32(at) << off) | (view.getUint8(at + 4) >> (8 - off))
}

function endBitsAt(view: DataView, at: number, off: number): number {
  let bits = 0
  for (let i = 0; i < 5; i++) bits = bits * 256 + (at + i < view.byteLength ? view.getUint8(at + i) : 0)
  return Math.floor(bits / 2 ** (8 - off)) | 0
}
