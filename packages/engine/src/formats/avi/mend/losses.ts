import type { Limits } from '../../../bytes/limits.ts'
import type { ByteReader } from '../../../bytes/reader.ts'
import { Unit } from '../../../codecs/recogniser.ts'
import {
  SAMPLE_AFTER_HOLE,
  SAMPLE_KEY,
  SAMPLE_RESTART,
  type SampleTable,
} from '../../../model/sample-table.ts'
import type { Hole } from '../../../recovery/carving/assembler.ts'
import { type Lane, makeLanes, type RecordedTrack } from '../../../recovery/carving/lane.ts'
import { type Interleave, learn } from '../../../recovery/learning/learn.ts'
import { Interplay } from '../../../recovery/losses/interplay.ts'
import { segments } from '../../../recovery/losses/segments.ts'
import { timeline } from '../../../recovery/timing/timeline.ts'
import { type ChunkTable, DAMAGED, LOST, NO_TIME } from '../read/chunk-table.ts'
import { secondsOf } from '../read/clock.ts'
import { keyTest } from '../read/key-pictures.ts'
import type { AviStream } from '../read/stream.ts'
import type { Gap } from '../read/walk.ts'
import { wholeSize } from './torn-sound.ts'

/** What a hole cost. */
export interface HoleLoss {
  /** Pictures of the main stream. */
  readonly pictures: number
  /** Seconds of every other stream by its number. */
  readonly others: ReadonlyMap<number, number>
  /** Pictures after which their own numbers repeat, so that any multiple more or less may have been lost; 0 where numbers tell nothing. */
  readonly period: number
  /** No other count is nearly as likely. */
  readonly certain: boolean
}

/** A healthy recording of the same program, or a stretch of the damaged one that is whole. */
export interface Healthy {
  readonly reader: ByteReader
  readonly chunks: ChunkTable
  /** The first row, and the one behind the last. */
  readonly from: number
  readonly until: number
}

/** Rows that a layout is learned from. */
const LEARNED = 6000
/** Pictures by which a codec's settings are learned. */
const LESSONS = 40
/** Bytes below which a picture stands for none, as packed streams have behind two in one chunk. */
const SMALLEST_PICTURE = 12
/** Share of a picture that is rounding. */
const ROUNDING = 0.01
/** Chunks before and behind a hole whose pictures are read: those farther off are counted. */
const NEAR = 2000

/**
 * Tells what holes cost that no index tells of, by their offsets: by the pictures' own numbers, the bytes of the hole, the rhythm of key
 * pictures, and how sound and pictures take turns.
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
  const { lanes } = makeLanes(
    timed.map(({ description }) => description),
    limits.samplesPerTrack,
  )
  const main = timed.findIndex(({ description }) => description.kind === 'video')
  const holes = fill(reader, chunks, gaps, timed, lanes, healthy)
  const interleave = learned(healthy, timed, lanes)
  const times = timeline(lanes, interleave, holes)
  const isOpen = isStartOpen(lanes, interleave, holes)
  const found = new Map<number, HoleLoss>()
  const { orderPeriod = 0, orderStep = 0 } = lanes[Math.max(0, main)]?.recogniser ?? {}
  const period = orderStep > 0 ? Math.round(orderPeriod / orderStep) : 0
  for (const [lane, { losses }] of times.entries()) {
    for (const { hole, seconds, uncertain } of losses) {
      const known = found.get(hole.offset) ?? {
        pictures: 0,
        others: new Map<number, number>(),
        period,
        certain: true,
      }
      const others = new Map(known.others)
      const isMain = lane === Math.max(0, main)
      const each = secondsOf(timed[lane], 0)
      if (!isMain) others.set(timed[lane].number, seconds)
      const pictures = isMain && each > 0 ? Math.round(seconds / each) : known.pictures
      const isKnown = !uncertain && !(isOpen && hole === holes[0])
      found.set(hole.offset, { ...known, pictures, others, certain: known.certain && isKnown })
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
  return holes
}

/** Makes a lane's table of chunks. A row reaches from the chunk's header to the next one's, so that rows adjoin. */
class Rows {
  readonly #reader: ByteReader
  readonly #stream: AviStream
  readonly #table: SampleTable
  readonly #recogniser: Lane['recogniser']
  readonly #isKey: (offset: number, size: number) => boolean
  readonly #unit = new Unit()
  #order = 0
  /** Added to a picture's own number, so that it goes on from the pictures counted before it. */
  #shift = 0
  #counted = false
  #afterHole = false

  constructor(reader: ByteReader, stream: AviStream, { table, recogniser }: Lane, healthy?: Healthy) {
    this.#reader = reader
    this.#stream = stream
    this.#table = table
    const isPicture = stream.description.kind === 'video'
    this.#recogniser = isPicture ? recogniser : undefined
    this.#isKey = isPicture && !recogniser ? keyTest(reader, stream.description) : () => true
    if (healthy && this.#recogniser) teach(this.#recogniser, stream, healthy)
  }

  breakOff(): void {
    this.#recogniser?.discontinuity()
    this.#counted = false
    this.#afterHole = true
  }

  /** A chunk far from all holes: its picture is not read. */
  count(offset: number, size: number): void {
    const row = this.#push(offset, size)
    if (!this.#counted) this.#recogniser?.discontinuity()
    this.#counted = true
    this.#order += this.#recogniser?.orderStep ?? 1
    this.#table.order[row] = this.#order
  }

  #push(offset: number, size: number): number {
    const flags = this.#afterHole ? SAMPLE_AFTER_HOLE : 0
    this.#afterHole = false
    const ticks = secondsOf(this.#stream, size) * this.#stream.description.timescale
    const length = CHUNK_HEADER + size + (size & 1)
    this.#table.push(offset - CHUNK_HEADER, length, 1, ticks, 0, flags)
    return this.#table.length - 1
  }

  add(offset: number, size: number): void {
    const row = this.#push(offset, size)
    const recogniser = this.#recogniser
    const unit = this.#unit
    if (
      recogniser &&
      size >= SMALLEST_PICTURE &&
      recogniser.recognise(this.#reader, offset, offset + size, unit)
    ) {
      recogniser.accept(this.#reader, offset, unit)
      if (this.#counted) this.#goOn(recogniser, unit)
      if (unit.restart) this.#shift = 0
      this.#order = unit.order + this.#shift
      this.#table.flags[row] |=
        (unit.key || unit.recovery ? SAMPLE_KEY : 0) | (unit.restart ? SAMPLE_RESTART : 0)
    } else {
      this.#order += recogniser?.orderStep ?? 1
      if (!recogniser && this.#isKey(offset, size)) this.#table.flags[row] |= SAMPLE_KEY
    }
    this.#table.order[row] = this.#order
  }

  /** Behind pictures that were counted: numbers go on from theirs, by whole periods where they repeat. */
  #goOn({ orderStep, orderPeriod = 0 }: NonNullable<Lane['recogniser']>, unit: Unit): void {
    const off = this.#order + orderStep - unit.order
    this.#shift = orderPeriod > 0 ? Math.round(off / orderPeriod) * orderPeriod : off
    unit.restart = false
    this.#counted = false
  }
}

const CHUNK_HEADER = 8

function teach(recogniser: NonNullable<Lane['recogniser']>, { number }: AviStream, healthy: Healthy): void {
  const { reader, chunks, from, until } = healthy
  for (let row = from, taught = 0; row < until && taught < LESSONS; row++) {
    if (chunks.stream[row] !== number || chunks.size[row] < SMALLEST_PICTURE) continue
    recogniser.learn?.(reader, chunks.offset[row], chunks.size[row])
    taught++
  }
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
