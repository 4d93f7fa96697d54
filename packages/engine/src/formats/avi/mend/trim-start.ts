import { ChunkTable, LOST } from '../read/chunk-table.ts'
import { secondsOf } from '../read/clock.ts'
import type { AviStream } from '../read/stream.ts'

/** Share of a chunk that is rounding. */
const ROUNDING = 0.01

/**
 * The chunks without what is lost of all streams alike at the start: a recording begins with what is there of it. What one stream
 * lost more than another stays lost, so that they keep together: as much is left out as is whole chunks of the stream with the
 * longest ones.
 */
export function trimStart(chunks: ChunkTable, streams: readonly AviStream[], limit: number): ChunkTable {
  let first = 0
  const lost = streams.map(() => 0)
  const longest = streams.map(() => 0)
  while (first < chunks.length && chunks.flags[first] & LOST) {
    const stream = chunks.stream[first]
    const each = seconds(chunks, first, streams)
    lost[stream] += each
    if (!isPlain(streams[stream])) longest[stream] = Math.max(longest[stream], each)
    first++
  }
  const timed = streams.filter(({ description: { kind } }) => kind === 'video' || kind === 'audio')
  const least = Math.min(...timed.map(({ number }) => lost[number]))
  const unit = Math.max(...longest)
  const common = unit > 0 ? Math.floor(least / unit + ROUNDING) * unit : least
  if (first === 0 || !(common > 0)) return chunks
  const left = streams.map(() => common)
  const result = new ChunkTable(limit, chunks.length)
  for (let row = 0; row < chunks.length; row++) {
    const stream = chunks.stream[row]
    const each = row < first ? seconds(chunks, row, streams) : 0
    const gone = Math.min(left[stream], each)
    left[stream] -= gone
    const plain = gone > 0 && isPlain(streams[stream])
    const size = plain ? shortened(chunks.size[row], 1 - gone / each, streams[stream]) : chunks.size[row]
    if (plain ? size === 0 : gone > each / 2) continue
    result.push(chunks.offset[row], size, chunks.id[row], stream, chunks.flags[row])
  }
  return result
}

/** Sound of which any part may be left out. */
function isPlain({ description }: AviStream): boolean {
  return description.codec === 'pcm'
}

/** Bytes of a share of plain sound, in whole samples. */
function shortened(size: number, share: number, { wave }: AviStream): number {
  const align = Math.max(1, wave?.blockAlign ?? 1)
  return Math.round((size * share) / align) * align
}

function seconds(chunks: ChunkTable, row: number, streams: readonly AviStream[]): number {
  return secondsOf(streams[chunks.stream[row]], chunks.size[row])
}
