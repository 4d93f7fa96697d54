import type { ByteReader } from '../../bytes/reader.ts'
import { BitReservoir } from '../../codecs/mp3/bit-reservoir.ts'
import type { TrackReport } from '../../model/report.ts'
import { TrackOutcome } from '../../recording/track-outcome.ts'
import { type ChunkTable, DAMAGED, LOST, NO_TIME } from './read/chunk-table.ts'
import { countOf, secondsOf, unitsOf } from './read/clock.ts'
import type { AviStream } from './read/stream.ts'

/** Ticks a second in which ranges are told. */
const TICKS = 1_000_000
/** Bytes of a chunk of sound that are looked at: more than a frame and all that it reaches back for. */
const LOOKED_AT = 8_192

/** What became of a stream's chunks, and of those that a header says were there behind the last one. */
export function trackReport(
  reader: ByteReader,
  chunks: ChunkTable,
  stream: AviStream,
  estimated: boolean,
): TrackReport {
  const outcome = new TrackOutcome(TICKS, 0)
  const reservoir = stream.description.codec === 'mp3' ? new BitReservoir() : undefined
  let ticks = 0
  let units = 0
  for (let row = 0; row < chunks.length; row++) {
    const flags = chunks.flags[row]
    if (chunks.stream[row] !== stream.number || flags & NO_TIME) continue
    const size = chunks.size[row]
    const from = ticks
    const duration = secondsOf(stream, size) * TICKS
    ticks += duration
    units += unitsOf(stream, size)
    const hit = flags & LOST ? 'lost' : flags & DAMAGED ? 'damaged' : undefined
    if (hit) reservoir?.lose()
    const look = Math.min(LOOKED_AT, size)
    const fed = hit || !reservoir?.isLow || reservoir.take(reader.bytes(chunks.offset[row], look))
    const state = hit ?? (fed ? 'recovered' : 'damaged')
    const offset = flags & LOST ? -1 : chunks.offset[row]
    const counted = { units: countOf(stream, size), from, duration, offset, size }
    outcome.count(state, counted, state === 'recovered' ? '' : 'bytes-lost')
  }
  const rest = stream.description.kind === 'video' ? Math.round(stream.header.length - units) : 0
  if (rest > 0 && stream.header.length < reader.size) {
    const duration = rest * secondsOf(stream, 0) * TICKS
    outcome.count('lost', { units: rest, from: ticks, duration, offset: -1, size: 0 }, 'bytes-lost')
  }
  return outcome.report(stream.description, ticks / TICKS, estimated ? 'estimated' : 'exact')
}
