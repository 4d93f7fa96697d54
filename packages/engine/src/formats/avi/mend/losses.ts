import type { Limits } from '../../../bytes/limits.ts'
import type { ByteReader } from '../../../bytes/reader.ts'
import { SAMPLE_KEY, SAMPLE_RESTART } from '../../../model/sample-table.ts'
import type { Hole } from '../../../recovery/carving/assembler.ts'
import { type Lane, makeLanes, type RecordedTrack } from '../../../recovery/carving/lane.ts'
import { type Interleave, learn } from '../../../recovery/learning/learn.ts'
import { Interplay } from '../../../recovery/losses/interplay.ts'
import { segments } from '../../../recovery/losses/segments.ts'
import { timeline } from '../../../recovery/timing/timeline.ts'
import { type ChunkTable, DAMAGED, LOST, NO_TIME } from '../read/chunk-table.ts'
import { secondsOf } from '../read/clock.ts'
import type { AviStream } from '../read/stream.ts'
import type { Gap } from '../read/walk.ts'
import { type Healthy, Rows } from './rows.ts'
import { wholeSize } from './torn-sound.ts'

/** What a hole cost. */
export interface HoleLoss {
  /** Pictures of the main stream. */
  readonly pictures: number
  /** Seconds of every other stream by its number. */
  readonly others: ReadonlyMap<number, number>
  /**
   * Pictures after which their own numbers repeat, so that any multiple more or less may have been lost; 0 where numbers tell
   * nothing.
   */
  readonly period: number
  /** The pictures' own numbers tell how many were lost. */
  readonly numbered: boolean
  /** No other count is nearly as likely. */
  readonly certain: boolean
}

/** A hole that cost nothing, as far as is known. */
export const NOTHING: HoleLoss = {
  ...{ pictures: 0, others: new Map<number, number>(), period: 0 },
  ...{ numbered: false, certain: true },
}

/** Rows that a layout is learned from. */
const LEARNED = 6000
/** Share of a picture that is rounding. */
const ROUNDING = 0.01
/** Pictures behind a hole whose numbers tell what it cost: those shown before few ones may be decoded behind these. */
const TELLING = 8
/** Codecs that AVI holds with pictures that are decoded before they are shown. */
const DELAYED: ReadonlySet<string> = new Set(['mpeg4', 'h264'])
/** Chunks before and behind a hole whose pictures are read: those farther off are counted. */
const NEAR = 2000

/**
 * Tells what holes cost that no index tells of, by their offsets: by the pictures' own numbers, the bytes of the hole, the rhythm
 * of key pictures, and how sound and pictures take turns.
 */
export function lossesOf(
  reader: ByteReader,
  chunks: ChunkTable,
  gaps: readonly Gap[],
  streams: readonly AviStream[],
  healthy: Healthy,
  limits: Limits,
): ReadonlyMap<number, HoleLoss> {
  const timed = streams.filter(({ description: { kind } }) => kind === 'video' || kind === 'audio')
  if (timed.length === 0) return new Map()
  const { lanes } = makeLanes(
    timed.map(({ description }) => description),
    limits.samplesPerTrack,
  )
  const main = timed.findIndex(({ description }) => description.kind === 'video')
  const holes = fill(reader, chunks, gaps, timed, lanes, healthy)
  const interleave = learned(healthy, timed, lanes)
  const times = timeline(lanes, interleave, holes)
  const isOpen = isStartOpen(lanes, interleave, holes)
  const untold = new Set([
    ...unlinkedCuts(gaps, holes, lanes, Math.max(0, main)),
    ...holes.filter((hole) => mayHoldDelay(hole, lanes[Math.max(0, main)])),
  ])
  const found = new Map<number, HoleLoss>()
  const { orderPeriod = 0, orderStep = 0 } = lanes[Math.max(0, main)]?.recogniser ?? {}
  const period = orderStep > 0 ? Math.round(orderPeriod / orderStep) : 0
  for (const [lane, { losses }] of times.entries()) {
    for (const { hole, seconds, numbered: told, uncertain } of losses) {
      const known = found.get(hole.offset) ?? { ...NOTHING, period }
      const others = new Map(known.others)
      const isMain = lane === Math.max(0, main)
      const each = secondsOf(timed[lane], 0)
      if (!isMain) others.set(timed[lane].number, seconds)
      const pictures = isMain && each > 0 ? Math.round(seconds / each) : known.pictures
      const isKnown = !uncertain && !(isOpen && hole === holes[0]) && !untold.has(hole)
      const isTold = told && hole.rows[lane] + TELLING <= lanes[lane].table.length
      const numbered = isMain ? isTold : known.numbered
      found.set(hole.offset, { ...known, pictures, others, numbered, certain: known.certain && isKnown })
    }
  }
  const each = secondsOf(timed[Math.max(0, main)], 0)
  const [start] = holes
  const lost = times[Math.max(0, main)]?.losses.find(({ hole }) => hole === start)?.seconds ?? 0
  const known = start && found.get(start.offset)
  if (known && isStart(start)) found.set(start.offset, wholePictures(known, lost, each))
  return found
}

/** What a lost beginning cost in whole pictures: where that is more than `lost` seconds, all else is later by as much. */
function wholePictures(loss: HoleLoss, lost: number, each: number): HoleLoss {
  const pictures = each > 0 ? Math.ceil(lost / each - ROUNDING) : 0
  const more = pictures * each - lost
  return {
    ...loss,
    pictures,
    others: new Map([...loss.others].map(([stream, time]) => [stream, time + more])),
  }
}

/**
 * The holes of no byte behind which pictures number themselves anew: no byte that is left tells how much was taken out there, and
 * no number either.
 */
function unlinkedCuts(
  gaps: readonly Gap[],
  holes: readonly Hole[],
  lanes: readonly Lane[],
  main: number,
): ReadonlySet<Hole> {
  const { flags, length } = lanes[main].table
  const anew = SAMPLE_KEY | SAMPLE_RESTART
  const isUntold = ({ rows }: Hole, index: number): boolean =>
    gaps[index].offset === gaps[index].end &&
    rows[main] > 0 &&
    rows[main] < length &&
    (flags[rows[main]] & anew) === anew
  return new Set(holes.filter(isUntold))
}

/**
 * Whether a hole may have taken a chunk without a picture that encoders put behind the first one while they wait for those that
 * are decoded before they are shown: pictures' numbers do not count it.
 */
function mayHoldDelay({ rows }: Hole, { index, description: { codec } }: Lane): boolean {
  return rows[index] === 1 && DELAYED.has(codec)
}

function isStart({ rows }: Hole): boolean {
  return rows.every((row) => row === 0)
}

/** Seconds by which sound may be off before it is noticed: the narrower threshold of ITU-R BT.1359-1, on both sides. */
const NOTICED = 0.09

/** Whether the beginning is lost, and turns of sound and pictures leave it open how both lay to each other there. */
function isStartOpen(
  lanes: readonly Lane[],
  { reference, sound, turns }: Interleave,
  holes: readonly Hole[],
): boolean {
  if (sound < 0 || sound === reference || holes.length === 0 || !isStart(holes[0])) return false
  const seconds = (lane: number, row: number): number =>
    lanes[lane].table.duration[row] / lanes[lane].description.timescale
  const [, first] = segments(
    lanes.map(({ table }) => table),
    seconds,
    holes,
    reference,
    sound,
  )
  return first === undefined || new Interplay(turns).behind(first.turns).width > NOTICED
}

/** Puts the chunks into the lanes' tables, and says where the holes are. */
function fill(
  reader: ByteReader,
  chunks: ChunkTable,
  gaps: readonly Gap[],
  streams: readonly AviStream[],
  lanes: readonly Lane[],
  healthy: Healthy,
): Hole[] {
  const pictures = streams.map((stream, index) => new Rows(reader, stream, lanes[index], healthy))
  const laneOf = new Map(streams.map(({ number }, index) => [number, index]))
  const holes: Hole[] = []
  /** Bytes of the last whole chunk. */
  const last = lanes.map(() => 0)
  let next = 0
  for (let row = 0; row < chunks.length; row++) {
    for (; next < gaps.length && gaps[next].row <= row; next++) {
      const { offset, end } = gaps[next]
      // where bytes were taken out nothing is left, and what was there was more than nothing
      const length = Math.max(1, end - offset)
      holes.push({ offset, length, rows: lanes.map(({ table }) => table.length) })
      for (const rows of pictures) rows.breakOff()
    }
    const lane = laneOf.get(chunks.stream[row])
    if (lane === undefined || chunks.flags[row] & (LOST | NO_TIME)) continue
    const isNear =
      (next > 0 && row - gaps[next - 1].row < NEAR) || (next < gaps.length && gaps[next].row - row < NEAR)
    const isSound = streams[lane].description.kind === 'audio'
    const size = isSound ? wholeSize(reader, chunks, row, last[lane]) : chunks.size[row]
    if (!(chunks.flags[row] & DAMAGED)) last[lane] = size
    if (isNear) pictures[lane].add(chunks.offset[row], size)
    else pictures[lane].count(chunks.offset[row], size)
  }
  for (const rows of pictures) rows.numberEmpty()
  return holes
}

/** The layout of a healthy recording. */
function learned(
  { reader, chunks, from, until }: Healthy,
  streams: readonly AviStream[],
  lanes: readonly Lane[],
): Interleave {
  const { lanes: fresh } = makeLanes(
    streams.map(({ description }) => description),
    LEARNED,
  )
  const rows = streams.map((stream, index) => new Rows(reader, stream, fresh[index]))
  const laneOf = new Map(streams.map(({ number }, index) => [number, index]))
  for (let row = from; row < Math.min(until, from + LEARNED); row++) {
    const lane = laneOf.get(chunks.stream[row])
    if (lane !== undefined && !(chunks.flags[row] & (LOST | NO_TIME)))
      rows[lane].add(chunks.offset[row], chunks.size[row])
  }
  const tracks = fresh.map(({ description, table }): RecordedTrack => {
    for (let row = 1; row < table.length; row++) table.dts[row] = table.dts[row - 1] + table.duration[row - 1]
    return { description, table }
  })
  return learn(
    reader,
    tracks,
    lanes.map(({ group }) => group >= 0),
  )
}
