import type { ByteReader } from '../../../bytes/reader.ts'
import { AFTER_HOLE, type ChunkTable, LOST } from '../read/chunk-table.ts'
import { secondsOf } from '../read/clock.ts'
import type { AviStream } from '../read/stream.ts'
import { numberedLoss } from './numbering.ts'

/** Chunks of pictures on either side of a hole whose sizes and distances to the sound are looked at. */
const LOOKED = 40
/** Pictures behind a hole that tell how far ahead the sound is. */
const ENOUGH = 3
/** Pictures, and their share, by which a count may differ from what fits into the bytes. */
const UNLIKELY = 1.5
const UNLIKELY_SHARE = 0.25

/** What a hole cost. */
export interface HoleLoss {
  /** Pictures. */
  readonly pictures: number
  /** Seconds of sound by stream number. */
  readonly sound: ReadonlyMap<number, number>
  /** The bitstream's own numbers say how many pictures. */
  readonly counted: boolean
}

/**
 * Estimates losses by how sound and pictures take turns: how far sound runs ahead of the pictures in file order is the same on both sides of
 * a hole; how many pictures fit into its bytes, or what their own numbers say, is the rest.
 */
export class HoleLosses {
  readonly #reader: ByteReader
  readonly #main: AviStream
  readonly #others: readonly AviStream[]
  /** Seconds by which each other stream runs ahead now, and where it did at the last pictures. */
  readonly #lead: number[]
  readonly #leads: number[][]
  readonly #sizes: number[] = []
  readonly #expected: number

  /** @param expected seconds by which sound usually runs ahead at a picture, for holes with nothing in front of them */
  constructor(reader: ByteReader, main: AviStream, others: readonly AviStream[], expected: number) {
    this.#reader = reader
    this.#main = main
    this.#others = others
    this.#lead = others.map(() => 0)
    this.#leads = others.map(() => [])
    this.#expected = expected
  }

  /** A chunk of the result, lost ones included, in order. */
  add(stream: number, size: number, lost: boolean): void {
    if (stream === this.#main.number) {
      for (const [index, leads] of this.#leads.entries()) push(leads, this.#lead[index])
      if (!lost && size > 0) push(this.#sizes, size)
      this.move(-secondsOf(this.#main, size))
      return
    }
    const index = this.#others.findIndex(({ number }) => number === stream)
    if (index >= 0) this.#lead[index] += secondsOf(this.#others[index], size)
  }

  /** Sound of a stream that takes the place of lost one. */
  addSound(stream: number, seconds: number): void {
    const index = this.#others.findIndex(({ number }) => number === stream)
    if (index >= 0) this.#lead[index] += seconds
  }

  /** Every other stream runs ahead by so many seconds more. */
  move(seconds: number): void {
    for (const index of this.#lead.keys()) this.#lead[index] += seconds
  }

  /** What a hole of `bytes` in front of `row` cost. */
  at(chunks: ChunkTable, row: number, bytes: number): HoleLoss {
    const picture = secondsOf(this.#main, 0)
    const excess = this.#others.map((other, index) => this.#missing(chunks, row, other, index))
    const rates = this.#others.map((other) => bytesPerSecond(chunks, row, other))
    const each = this.#meanSize(chunks, row) + 8 + picture * sum(rates)
    const room = bytes - sum(excess.map((seconds, index) => seconds * rates[index]))
    let pictures = Math.max(0, Math.round(room / each))
    const numbered = numberedLoss(this.#reader, chunks, row, this.#main)
    if (numbered) pictures = nearest(numbered.count, numbered.period, room / each)
    // no sound can be lost that would have to be less than none
    const least = Math.max(0, ...excess.map((seconds) => Math.ceil(-seconds / picture - 0.75)))
    if (!numbered) pictures = Math.max(pictures, least)
    const sound = new Map(
      this.#others.map((other, index): [number, number] => [
        other.number,
        Math.max(0, pictures * picture + excess[index]),
      ]),
    )
    const likely = Math.abs(pictures - room / each) <= Math.max(UNLIKELY, (room / each) * UNLIKELY_SHARE)
    return { pictures, sound, counted: numbered !== undefined && likely }
  }

  /** Seconds of sound that are missing beside as many pictures as are missing. */
  #missing(chunks: ChunkTable, row: number, other: AviStream, index: number): number {
    const behind = leadsBehind(chunks, row, this.#main, other)
    if (behind.length < ENOUGH) return 0
    const before = this.#leads[index]
    const usual = before.length > 0 ? median(before) : this.#expected
    return usual - this.#lead[index] - median(behind)
  }

  #meanSize(chunks: ChunkTable, row: number): number {
    const sizes = [...this.#sizes]
    let seen = 0
    for (let at = row; at < chunks.length && seen < LOOKED; at++) {
      if (chunks.stream[at] !== this.#main.number || chunks.flags[at] & LOST || chunks.size[at] === 0)
        continue
      sizes.push(chunks.size[at])
      seen++
    }
    return sizes.length > 0 ? sum(sizes) / sizes.length : 1
  }
}

/** How far the sound is ahead at each picture behind a hole, up to the next one, counted from the hole. */
export function leadsBehind(chunks: ChunkTable, row: number, main: AviStream, other: AviStream): number[] {
  const leads: number[] = []
  let lead = 0
  for (let at = row; at < chunks.length && leads.length < LOOKED; at++) {
    if (at > row && chunks.flags[at] & AFTER_HOLE) break
    const stream = chunks.stream[at]
    if (stream === other.number) lead += secondsOf(other, chunks.size[at])
    if (stream !== main.number) continue
    leads.push(lead)
    lead -= secondsOf(main, chunks.size[at])
  }
  return leads
}

/** Bytes of the file that a second of a sound takes, headers included. */
function bytesPerSecond(chunks: ChunkTable, row: number, other: AviStream): number {
  let bytes = 0
  let seconds = 0
  const look = (at: number): void => {
    if (chunks.stream[at] !== other.number || chunks.flags[at] & LOST) return
    bytes += chunks.size[at] + 8
    seconds += secondsOf(other, chunks.size[at])
  }
  for (let at = row; at < chunks.length && at < row + 4 * LOOKED; at++) look(at)
  for (let at = row - 1; at >= 0 && at > row - 4 * LOOKED; at--) look(at)
  return seconds > 0 ? bytes / seconds : 0
}

function nearest(count: number, period: number, wanted: number): number {
  if (period <= 0) return count
  return count + period * Math.max(0, Math.round((wanted - count) / period))
}

function push(list: number[], value: number): void {
  list.push(value)
  if (list.length > LOOKED) list.shift()
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? 0
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
