import type { ByteReader } from '../../../bytes/reader.ts'
import { padded } from '../../../syntax/riff/chunk.ts'
import { type ChunkTable, DAMAGED, REWRITTEN } from '../read/chunk-table.ts'
import type { AviStream } from '../read/stream.ts'
import type { Gap } from '../read/walk.ts'
import { learnedChecks, type UnitCheck } from './unit-check.ts'

/** Bytes of a chunk's size in front of its payload. */
const SIZE_BYTES = 4

/**
 * Takes back sizes that a flipped bit was thought to explain where the unit is not whole by them: what was hit reaches over the
 * chunk's end, and others were in it; or bytes were taken out of sound, which tells nothing of how many. Changes those chunks,
 * and returns the gaps with the ones behind them.
 */
export function withDoubtfulSizes(
  reader: ByteReader,
  chunks: ChunkTable,
  gaps: readonly Gap[],
  streams: readonly AviStream[],
): readonly Gap[] {
  const found: Gap[] = []
  let checks: readonly UnitCheck[] | undefined
  for (let row = 0; row < chunks.length; row++) {
    const offset = chunks.offset[row]
    const size = chunks.size[row]
    const rewritten = chunks.flags[row] & REWRITTEN && !(chunks.flags[row] & DAMAGED)
    if (!rewritten || chunks.stream[row] >= streams.length) continue
    const told = reader.u32le(offset - SIZE_BYTES)
    const isSound = streams[chunks.stream[row]].description.kind === 'audio'
    if (told === size || (told > size && !isSound)) continue
    checks ??= learnedChecks(reader, chunks, streams)
    if (checks[chunks.stream[row]].state(offset, size) === 'whole') continue
    chunks.size[row] = Math.min(size, told)
    chunks.flags[row] |= DAMAGED
    found.push({ offset: padded(offset + chunks.size[row]), end: padded(offset + size), row: row + 1 })
  }
  return found.length === 0 ? gaps : [...gaps, ...found].sort((a, b) => a.row - b.row || a.offset - b.offset)
}
