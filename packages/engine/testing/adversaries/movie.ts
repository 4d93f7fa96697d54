import { pictureEntry } from '../../src/formats/isobmff/boxes/sample-entries.ts'
import { streamFixture } from '../video/stream-fixture.ts'
import { box, fullBox, joined, text, words } from './bytes.ts'

export const FILE_TYPE = box('ftyp', text('isom'), words([512]), text('isomiso2mp41'))

/** Tables of a track; a plain one where absent. */
export interface HostileTables {
  readonly stts?: Uint8Array
  readonly ctts?: Uint8Array
  readonly stss?: Uint8Array
  readonly stsc?: Uint8Array
  readonly stsz?: Uint8Array
  readonly stco?: Uint8Array
}

export interface HostileTrack extends HostileTables {
  readonly id?: number
  readonly handler?: string
  readonly entry?: Uint8Array
  /** Ticks of its media, at 30,000 a second. */
  readonly duration?: number
  /** Boxes of `trak` between its header and its media. */
  readonly edits?: Uint8Array
}

/** Sample entry of the stored H.264 stream. */
export function h264Entry(): Uint8Array {
  const { width, height, config } = streamFixture('h264-baseline')
  return pictureEntry({ format: 'avc1', width, height, boxes: [['avcC', config]] })
}

/** A `moov` box of such tracks. */
export function movieBox(tracks: readonly HostileTrack[], ...more: readonly Uint8Array[]): Uint8Array {
  return box('moov', movieHeader(), ...tracks.map((track, i) => trackBox(track, i + 1)), ...more)
}

export function movieHeader(): Uint8Array {
  const tail = words([
    0x10000, 0x1000000, 0, 0, 0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000, 0, 0, 0, 0, 0, 0, 99,
  ])
  return fullBox('mvhd', 0, words([0, 0, 1000, 1000]), tail)
}

export function trackBox(track: HostileTrack, number: number): Uint8Array {
  const { id = number, handler = 'vide', duration = 30_000, edits, entry = h264Entry() } = track
  const matrix = words([0, 0, 0, 0, 0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000, 96 << 16, 64 << 16])
  const parts = [fullBox('tkhd', 3, words([0, 0, id, 0, 1000]), matrix)]
  if (edits) parts.push(box('edts', edits))
  const media = handler === 'vide' ? fullBox('vmhd', 1, words([0, 0])) : fullBox('smhd', 0, words([0]))
  parts.push(
    box(
      'mdia',
      fullBox('mdhd', 0, words([0, 0, 30_000, duration]), words([0x55c40000])),
      fullBox('hdlr', 0, words([0]), text(handler), words([0, 0, 0]), new Uint8Array(1)),
      box(
        'minf',
        media,
        box('dinf', fullBox('dref', 0, words([1]), fullBox('url ', 1))),
        tables(track, entry),
      ),
    ),
  )
  return box('trak', ...parts)
}

function tables(track: HostileTables, entry: Uint8Array): Uint8Array {
  return box(
    'stbl',
    fullBox('stsd', 0, words([1]), entry),
    track.stts ?? counted('stts', words([0, 0])),
    ...(track.ctts ? [track.ctts] : []),
    ...(track.stss ? [track.stss] : []),
    track.stsc ?? counted('stsc', words([1, 1, 1]), 12),
    track.stsz ?? fullBox('stsz', 0, words([0, 0])),
    track.stco ?? counted('stco', new Uint8Array(0), 4),
  )
}

/** A full box of a count and entries of so many bytes. */
export function counted(type: string, entries: Uint8Array, entryBytes = 8): Uint8Array {
  return fullBox(type, 0, words([entries.length / entryBytes]), entries)
}

/** A file of such a movie and media data behind it. */
export function movieFile(
  tracks: readonly HostileTrack[],
  payload: Uint8Array = new Uint8Array(0),
): Uint8Array {
  return joined([FILE_TYPE, movieBox(tracks), box('mdat', payload)])
}
