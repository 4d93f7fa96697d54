import type { ByteReader } from '../../../bytes/reader.ts'
import { framesOf } from '../read/block.ts'
import { HIT, KEY } from '../read/block-table.ts'
import type { Survey } from '../read/survey.ts'

/** One frame of a track. */
export interface Frame {
  readonly offset: number
  readonly size: number
  readonly key: boolean
}

/** Frames of a track that nothing describes. */
export interface Stream {
  readonly number: number
  /** The first ones, whole as far as anybody knows. */
  readonly frames: readonly Frame[]
  /** Of all its blocks, key frames that follow one that is none; all where every block is one. */
  readonly keys: readonly Frame[]
  readonly blocks: number
  /** Nanoseconds from one frame to the next, 0 where nothing tells. */
  readonly pace: number
  /** Blocks say how long they last: subtitles do. */
  readonly timed: boolean
}

const MOST_FRAMES = 256
const MOST_KEYS = 64
/** Blocks by which the pace of a laced track is told. */
const MOST_PACES = 4096
/** Blocks a number must have to be a track's where none stands in a whole Cluster: others are chance. */
const FEWEST_BLOCKS = 3

/** The tracks whose numbers blocks name and `known` does not have; `pace` gives ticks, `scale` nanoseconds a tick. */
export function streamsOf(
  reader: ByteReader,
  { blocks, runs }: Survey,
  known: ReadonlySet<number>,
  pace: ReadonlyMap<number, number>,
  scale: number,
): Stream[] {
  const found = new Map<
    number,
    { frames: Frame[]; keys: Frame[]; blocks: number; timed: number; laced: number }
  >()
  const inWhole = new Set<number>()
  for (const { firstRow, endRow, headed, altered } of runs)
    if (headed && !altered) for (let row = firstRow; row < endRow; row++) inWhole.add(blocks.track[row])
  for (let row = 0; row < blocks.length; row++) {
    const number = blocks.track[row]
    if (known.has(number) || blocks.is(row, HIT)) continue
    let stream = found.get(number)
    if (!stream) {
      stream = { frames: [], keys: [], blocks: 0, timed: 0, laced: 0 }
      found.set(number, stream)
    }
    stream.blocks++
    stream.laced = Math.max(stream.laced, blocks.frames[row])
    if (blocks.duration[row] >= 0) stream.timed++
    const key = blocks.is(row, KEY)
    if (stream.frames.length >= MOST_FRAMES && !(key && stream.keys.length < MOST_KEYS)) continue
    const places = framesOf(reader, blocks.head[row], blocks.payload[row], blocks.end[row]) ?? []
    for (let i = 1; i < places.length; i++) {
      const frame = { offset: places[i - 1], size: places[i] - places[i - 1], key }
      if (stream.frames.length < MOST_FRAMES) stream.frames.push(frame)
      if (key && stream.keys.length < MOST_KEYS) stream.keys.push(frame)
    }
  }
  return [...found]
    .filter(([number, stream]) => stream.blocks >= FEWEST_BLOCKS || inWhole.has(number))
    .map(([number, { frames, keys, blocks: count, timed, laced }]) => ({
      number,
      frames,
      keys,
      blocks: count,
      pace: (laced > 1 ? lacedPace({ blocks, runs }, number) : (pace.get(number) ?? 0)) * scale,
      timed: timed === count,
    }))
    .sort((a, b) => a.number - b.number)
}

/** Ticks of one frame of a laced track, by the time from each block to the next: the last one of a Cluster may hold fewer. */
function lacedPace({ blocks, runs }: Pick<Survey, 'blocks' | 'runs'>, number: number): number {
  const paces: number[] = []
  for (const { firstRow, endRow } of runs) {
    let last = -1
    for (let row = firstRow; row < endRow && paces.length < MOST_PACES; row++) {
      if (blocks.track[row] !== number || blocks.is(row, HIT)) continue
      if (last >= 0) paces.push((blocks.relative[row] - blocks.relative[last]) / blocks.frames[last])
      last = row
    }
  }
  return paces.sort((a, b) => a - b)[paces.length >> 1] ?? 0
}
