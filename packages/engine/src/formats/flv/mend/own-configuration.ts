import type { ByteReader } from '../../../bytes/reader.ts'
import type { Region } from '../../../bytes/regions.ts'
import { parseAudioSpecificConfig } from '../../../codecs/aac/audio-specific-config.ts'
import { readRecord } from '../../../recording/flipped-set-bit.ts'
import { readMediaHeader } from '../read/media-header.ts'
import { KEY, type TagTable } from '../read/tag-table.ts'
import { dataOf, type Stream, unitOf } from '../streams.ts'
import { explains, usualFrame } from './configuration.ts'

/** Share by which frames of sound may be longer or shorter than the configuration says: neighbouring rates differ by more. */
const FRAME_SLACK = 0.04

/**
 * The stream as its units show it. Where a bit of its configuration flipped and the pictures prove which, with the right one,
 * which then has to be written; where they do not read with it and no bit makes them, it is marked.
 */
export function withProvenConfiguration(reader: ByteReader, table: TagTable, stream: Stream): Stream {
  const { kind, codec, headerRow } = stream
  if (headerRow === undefined) return stream
  const header = stream.header ?? dataOf(reader, table, headerRow)
  if (codec === 'aac')
    return stream.header && contradicts(reader, table, stream, header) ? { ...stream, unread: true } : stream
  const front = readMediaHeader(kind, header).length
  const config = header.subarray(front)
  const reading = readRecord(reader, { codec, framing: 'length', config }, keys(reader, table, stream))
  if (!reading || reading.reads) return stream
  if (!reading.mended) return { ...stream, unread: stream.header !== undefined }
  return {
    ...stream,
    header: Uint8Array.from([...header.subarray(0, front), ...reading.mended]),
    configured: false,
  }
}

/** Whether frames of AAC do not read with a configuration, or last otherwise than it says. */
function contradicts(reader: ByteReader, table: TagTable, stream: Stream, header: Uint8Array): boolean {
  const config = parseAudioSpecificConfig(header.subarray(readMediaHeader(stream.kind, header).length))
  if (!config || explains(reader, table, stream, header) === false) return true
  const told = config.frameLength / config.coreSampleRate
  const frame = usualFrame(table, stream.rows)
  // an encoder may name the rate with SBR alone: then frames last twice as long
  return frame > 0 && [1, 2].every((times) => Math.abs(frame / (told * times) - 1) > FRAME_SLACK)
}

function* keys(reader: ByteReader, table: TagTable, { rows }: Stream): Generator<Region> {
  for (const row of rows) {
    if ((table.flags[row] & KEY) === 0) continue
    const { offset, size } = unitOf(reader, table, row)
    yield { offset, length: size }
  }
}
