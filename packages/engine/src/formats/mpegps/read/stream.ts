import type { TrackKind } from '../../../model/report.ts'
import { SAMPLE_DAMAGED, SAMPLE_UNFED, SampleTable } from '../../../model/sample-table.ts'
import { isAudioId, isVideoId, PRIVATE_1 } from '../../../syntax/pes/stream-ids.ts'
import type { Item } from './item.ts'

/** An elementary stream of a program stream, or a substream of a DVD's private stream. */
export class ProgramStream {
  readonly id: number
  /** Substream id; -1 where there is none. */
  readonly substream: number
  readonly kind: TrackKind
  codec: string
  /** Packets with a time stamp: what follows up to the next one belongs to it. */
  readonly table: SampleTable
  /** Seconds of a picture or frame of sound; 0 while unknown. */
  unit = 0
  packets = 0
  /** Where the first few packets begin. */
  readonly places: number[] = []
  scrambled = 0
  /** Where the first few of those begin. */
  readonly scrambledAt: number[] = []
  /** Unwrapped decoding time seen last; NaN before. */
  dts = Number.NaN
  /** The last one far from it. */
  farDts = Number.NaN

  /**
   * @param limit of packets with a time stamp
   * @param bytes of the file
   */
  constructor(id: number, substream: number, limit: number, bytes = 0) {
    this.id = id
    this.substream = substream
    const known = natureOf(id, substream)
    this.kind = known.kind
    this.codec = known.codec
    this.table = new SampleTable(limit, bytes)
  }

  /** What is in progress was hit. */
  damage(): void {
    this.#mark(SAMPLE_DAMAGED)
  }

  /** What is in progress needs bytes that were lost in front of it. */
  starve(): void {
    this.#mark(SAMPLE_UNFED)
  }

  #mark(flag: number): void {
    if (this.table.length > 0) this.table.flags[this.table.length - 1] |= flag
  }
}

/** Bytes between a packet's header and the sound of a substream. */
const SUBSTREAM_HEADER = 4
const FIRST_SOUND = 0x80

/** Where the pictures or sound in a packet of a stream begin and end. */
export function payloadOf(
  { offset, length, header }: Item,
  { substream }: ProgramStream,
): { readonly start: number; readonly end: number } {
  const skipped = substream >= FIRST_SOUND ? SUBSTREAM_HEADER : 0
  return { start: offset + (header?.headerLength ?? 0) + skipped, end: offset + length }
}

/** Substreams of DVDs by their first id: subpictures, AC-3, DTS, linear PCM. */
const SUBSTREAMS: readonly (readonly [first: number, last: number, kind: TrackKind, codec: string])[] = [
  [0x20, 0x3f, 'text', 'dvd-subtitle'],
  [0x80, 0x87, 'audio', 'ac3'],
  [0x88, 0x8f, 'audio', 'dts'],
  [0xa0, 0xaf, 'audio', 'pcm-dvd'],
]

/** Whether a private stream's first byte names a substream of a DVD. */
export function isSubstream(byte: number): boolean {
  return SUBSTREAMS.some(([first, last]) => byte >= first && byte <= last)
}

function natureOf(id: number, substream: number): { kind: TrackKind; codec: string } {
  if (isVideoId(id)) return { kind: 'video', codec: '' }
  if (isAudioId(id)) return { kind: 'audio', codec: '' }
  for (const [first, last, kind, codec] of SUBSTREAMS)
    if (substream >= first && substream <= last) return { kind, codec }
  return { kind: id === PRIVATE_1 ? 'audio' : 'data', codec: '' }
}
