import { ChunkTable, LOST } from '../read/chunk-table.ts'
import { secondsOf } from '../read/clock.ts'
import type { AviStream } from '../read/stream.ts'

/**
 * The chunks without what is lost of all streams alike at the start: a recording begins with what is there of it. What one stream lost more
 * than another stays lost, so that they keep together.
 */
export function trimStart(chunks: ChunkTable, streams: readonly AviStream[], limit: number): ChunkTable {
  let first = 0
  const lost = streams.map(() => 0)
  while (first < chunks.length && chunks.flags[first] & LOST) {
    lost[chunks.stream[first]] += seconds(chunks, first, streams)
    first++
  }
  const timed = streams.filter(({ description: { kind } }) => kind === 'video' || kind === 'audio')
  const common = Math.min(...timed.map(({ number }) => lost[number]))
  if (first === 0 || !(common > 0)) return chunks
  const left = streams.map(() => common)
  const result = new ChunkTable(limit)
  for (let row = 0; row < chunks.length; row++) {
    const stream = chunks.stream[row]
    const each = row < first ? seconds(chunks, row, streams) : 0
    if (row < first && left[stream] > each / 2) {
      left[stream] -= each
      continue
    }
    result.push(chunks.offset[row], chunks.size[row], chunks.id[row], stream, chunks.flags[row])
  }
  return result
}

function seconds(chunks: ChunkTable, row: number, streams: readonly AviStream[]): number {
  return secondsOf(streams[chunks.stream[row]], chunks.size[row])
}
