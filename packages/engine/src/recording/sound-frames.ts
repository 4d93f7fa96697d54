import { parseSyncFrame } from '../codecs/ac3/sync-frame.ts'
import { parseAdtsHeader } from '../codecs/adts/header.ts'
import { frameBytes as dtsBytes } from '../codecs/dts/frame.ts'
import { parseHeader } from '../codecs/mp3/header.ts'

/** Sync word and length of an audio sync stream's frame, ISO/IEC 14496-3:2019 §1.7.2: 11 and 13 bits. */
const LATM_SYNC = 0x2b7
const LATM_HEADER = 3

/** Bytes of the frame of sound whose header is at `at`; 0 where none is, or the codec's frames have no length of their own. */
export function frameBytes(codec: string, bytes: Uint8Array, at: number): number {
  if (codec === 'aac-adts') return parseAdtsHeader(bytes, at)?.length ?? 0
  if (codec === 'ac3' || codec === 'eac3') return parseSyncFrame(bytes, at)?.length ?? 0
  if (codec === 'dts') return dtsBytes(bytes, at)
  if (at + 4 > bytes.length) return 0
  if (codec === 'mp2') {
    const word = ((bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3]) >>> 0
    return parseHeader(word)?.length ?? 0
  }
  if (codec === 'aac-latm') {
    const sync = (bytes[at] << 3) | (bytes[at + 1] >> 5)
    return sync === LATM_SYNC ? LATM_HEADER + (((bytes[at + 1] & 0x1f) << 8) | bytes[at + 2]) : 0
  }
  return 0
}

/** Bits of a frame's header, from its sync word on, that are the same in all frames of a stream. */
const SAME: Readonly<Record<string, readonly number[]>> = {
  'aac-adts': [0xff, 0xff, 0xff, 0xf0],
  mp2: [0xff, 0xff, 0x0c],
  ac3: [0xff, 0xff, 0x00, 0x00, 0xc0, 0xff],
  eac3: [0xff, 0xff, 0x00, 0x00, 0x00, 0xf8],
  'aac-latm': [0xff, 0xe0],
  dts: [0xff, 0xff, 0xff, 0xff],
}

/** A mask of those bits, byte by byte; empty for codecs whose frames have no length of their own. */
export function headerMask(codec: string): readonly number[] {
  return SAME[codec] ?? []
}

/** Whether the headers at two places may be of frames of one stream. */
export function isAlike(
  codec: string,
  bytes: Uint8Array,
  at: number,
  others: Uint8Array,
  place: number,
): boolean {
  return headerMask(codec).every((mask, i) => ((bytes[at + i] ^ others[place + i]) & mask) === 0)
}

/** Frames one behind the other. */
export interface FrameRow {
  readonly start: number
  /** End of the last whole one. */
  readonly end: number
  readonly count: number
}

/** The first row of frames in a payload, each of which leads to another or to the end; undefined where there is none. */
export function frameRow(codec: string, bytes: Uint8Array): FrameRow | undefined {
  for (let start = 0; start < bytes.length; start++) {
    const first = frameBytes(codec, bytes, start)
    if (first === 0) continue
    let end = start
    let count = 0
    let length = first
    while (length > 0 && end + length <= bytes.length) {
      end += length
      count++
      length = frameBytes(codec, bytes, end)
    }
    // a single header may be chance, but for what begins or fills all there is
    const leads = length > 0 || count > 1 || end === bytes.length || start === 0
    if (count > 0 && leads) return { start, end, count }
  }
  return undefined
}
