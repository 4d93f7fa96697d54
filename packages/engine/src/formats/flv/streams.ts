import type { ByteReader } from '../../bytes/reader.ts'
import { parseAudioSpecificConfig } from '../../codecs/aac/audio-specific-config.ts'
import { isWholeAvcC } from '../../codecs/h264/avcc.ts'
import { isWholeHvcC } from '../../codecs/hevc/hvcc.ts'
import type { TrackDescription } from '../../model/track.ts'
import { rowsOf } from './mend/times.ts'
import { MEDIA_HEAD, readMediaHeader } from './read/media-header.ts'
import { AUDIO, CONFIG, TAG_HEADER, type TagTable, VIDEO } from './read/tag-table.ts'

/** Codecs whose units say nothing without a configuration. */
const CONFIGURED: ReadonlySet<string> = new Set(['h264', 'hevc', 'av1', 'aac', 'opus', 'flac'])
/** What times of tags count in a second. */
export const MILLISECONDS = 1000
/** Configurations beyond this are damage. */
const LONGEST = 64 * 1024

/** One elementary stream of a file. */
export interface Stream {
  readonly kind: typeof AUDIO | typeof VIDEO
  readonly codec: string
  /** Rows that carry units, in file order. */
  readonly rows: Uint32Array
  /** Data of the tag with the configuration, where there is one that can be read, and the codec needs one. */
  readonly header: Uint8Array | undefined
  /** The row of that tag, or of one whose configuration cannot be read where there is no other. */
  readonly headerRow: number | undefined
  /** The configuration stands in the file in front of the first unit as it has to be, or none is needed. */
  readonly configured: boolean
  /** Pictures or sound do not read with the configuration, and no bit of it makes them. */
  readonly unread: boolean
}

/** Pictures and sound of a file; of several codecs of a kind the one most tags are of. */
export function streamsOf(reader: ByteReader, table: TagTable): Stream[] {
  return ([VIDEO, AUDIO] as const).flatMap((kind) => {
    const rows = rowsOf(table, kind)
    const codec = usualCodec(table, rows)
    if (codec === undefined) return []
    const own = rowsWith(table, rows, table.codecs.indexOf(codec))
    const header = CONFIGURED.has(codec) ? configurationIn(reader, table, kind, codec) : undefined
    return [
      {
        kind,
        codec,
        rows: own,
        header: header?.whole ? dataOf(reader, table, header.row) : undefined,
        headerRow: header?.row,
        configured: !CONFIGURED.has(codec) || (header?.whole === true && header.row < own[0]),
        unread: false,
      },
    ]
  })
}

/** The rows whose codec has a number. */
function rowsWith(table: TagTable, rows: Uint32Array, codec: number): Uint32Array {
  const own = new Uint32Array(rows.length)
  let count = 0
  for (let i = 0; i < rows.length; i++) if (table.codec[rows[i]] === codec) own[count++] = rows[i]
  return own.subarray(0, count)
}

function usualCodec(table: TagTable, rows: Uint32Array): string | undefined {
  const counts = new Uint32Array(256)
  for (let i = 0; i < rows.length; i++) counts[table.codec[rows[i]]]++
  let best: string | undefined
  let most = 0
  table.codecs.forEach((name, i) => {
    if (name === '' || name === 'script' || counts[i] <= most) return
    best = name
    most = counts[i]
  })
  return best
}

function configurationIn(
  reader: ByteReader,
  table: TagTable,
  kind: number,
  codec: string,
): { row: number; whole: boolean } | undefined {
  let broken: number | undefined
  for (let row = 0; row < table.length; row++) {
    if (table.kind[row] !== kind || (table.flags[row] & CONFIG) === 0 || table.codecName(row) !== codec)
      continue
    const data = dataOf(reader, table, row)
    if (isWhole(codec, data.subarray(readMediaHeader(kind, data).length))) return { row, whole: true }
    broken ??= row
  }
  return broken === undefined ? undefined : { row: broken, whole: false }
}

export function dataOf(reader: ByteReader, table: TagTable, row: number): Uint8Array {
  return reader.bytes(table.offset[row] + TAG_HEADER, Math.min(LONGEST, table.size[row])).slice()
}

/** Whether a configuration record can be read. */
function isWhole(codec: string, config: Uint8Array): boolean {
  if (codec === 'h264') return isWholeAvcC(config)
  if (codec === 'hevc') return isWholeHvcC(config)
  if (codec === 'aac') return parseAudioSpecificConfig(config) !== undefined
  return config.length > 0
}

/** What is known of a stream, as its codec takes it. */
export function descriptionOf({ kind, codec, header }: Stream): TrackDescription {
  return {
    id: kind,
    kind: kind === VIDEO ? 'video' : 'audio',
    codec,
    timescale: MILLISECONDS,
    config: header ? header.subarray(readMediaHeader(kind, header).length) : new Uint8Array(0),
    framing: codec === 'h264' || codec === 'hevc' ? 'length' : 'raw',
  }
}

/** Where the unit of a row begins, and how many bytes of it there are. */
export function unitOf(reader: ByteReader, table: TagTable, row: number): { offset: number; size: number } {
  const start = table.offset[row] + TAG_HEADER
  const { length } = readMediaHeader(
    table.kind[row],
    reader.bytes(start, Math.min(MEDIA_HEAD, table.size[row])),
  )
  return { offset: start + length, size: Math.max(0, table.size[row] - length) }
}
