import type { PlannedTrack, WritePlan } from './plan.ts'
import { Silence } from './silence.ts'

/** Chunks of one track in the order they are written. */
export interface TrackChunks {
  length: number
  /** Offset from the start of the payload, in bytes. */
  offset: Float64Array
  /** Samples as the container counts them. */
  samples: Uint32Array
  /** Number from 1 of the sample entry. */
  description: Uint32Array
}

/** Pieces of payload in writing order: source offset (−1−fill for `fill` bytes) and length, neighbours joined. */
export interface Pieces {
  length: number
  offset: Float64Array
  bytes: Float64Array
}

/** How the payload of a file is put together. */
export interface ChunkPlan {
  readonly tracks: readonly TrackChunks[]
  readonly pieces: Pieces
  readonly payload: number
}

/** A chunk ends after a second or a mebibyte, so that players read ahead little and seek finely. */
const CHUNK_SECONDS = 1
const CHUNK_BYTES = 1024 * 1024

/** Groups the rows of all tracks into chunks, interleaved by file order or by time. Time in proportion to the rows. */
export function planChunks(plan: WritePlan): ChunkPlan {
  const byTime = plan.order === 'time'
  const next = plan.tracks.map(() => 0)
  const chunks = plan.tracks.map(() => emptyChunks())
  const silences = plan.tracks.map((track) => new Silence(track))
  const pieces: Pieces = { length: 0, offset: new Float64Array(256), bytes: new Float64Array(256) }
  let payload = 0
  const key = (track: number): number => {
    const { table, template } = plan.tracks[track]
    const row = next[track]
    if (row >= table.length) return Number.POSITIVE_INFINITY
    return byTime ? table.dts[row] / template.description.timescale : table.offset[row]
  }
  for (;;) {
    let best = -1
    let bestKey = Number.POSITIVE_INFINITY
    let second = Number.POSITIVE_INFINITY
    for (let track = 0; track < next.length; track++) {
      const own = key(track)
      if (own < bestKey) {
        second = bestKey
        bestKey = own
        best = track
      } else if (own < second) second = own
    }
    if (best < 0) break
    payload = takeChunk(
      plan.tracks[best],
      silences[best],
      next,
      best,
      second,
      byTime,
      chunks[best],
      pieces,
      payload,
    )
  }
  return { tracks: chunks, pieces, payload }
}

/** Takes rows of one track into a chunk until another track's turn comes or the chunk is full. */
function takeChunk(
  track: PlannedTrack,
  silence: Silence,
  next: number[],
  index: number,
  until: number,
  byTime: boolean,
  chunks: TrackChunks,
  pieces: Pieces,
  payload: number,
): number {
  const { table, template, descriptions } = track
  const timescale = template.description.timescale
  const first = next[index]
  const description = descriptions?.[first] ?? 1
  const unit = template.layout.rows === 'runs' ? template.layout : undefined
  const start = payload
  let samples = 0
  let row = first
  do {
    addPiece(pieces, table.offset[row], table.size[row])
    payload += table.size[row]
    samples += unit ? table.count[row] * unit.unitSamples : 1
    const missing = silence.behind(row)
    if (unit && missing > 0) {
      addPiece(pieces, -1 - silenceOf(template.description.facts), missing * unit.unitBytes)
      payload += missing * unit.unitBytes
      samples += missing * unit.unitSamples
    }
    row++
  } while (
    row < table.length &&
    payload - start < CHUNK_BYTES &&
    table.dts[row] - table.dts[first] < timescale * CHUNK_SECONDS &&
    (descriptions?.[row] ?? 1) === description &&
    (byTime ? table.dts[row] / timescale < until + CHUNK_SECONDS / 2 : table.offset[row] < until)
  )
  next[index] = row
  addChunk(chunks, start, samples, description)
  return payload
}

/** The byte of silence in a PCM layout: 0, or the middle of unsigned samples and the companding laws' zero. */
function silenceOf(facts: Readonly<Record<string, number | string>> | undefined): number {
  if (facts?.law === 'ulaw') return 0xff
  if (facts?.law === 'alaw') return 0xd5
  return facts?.signed === 0 && facts.bitsPerSample === 8 ? 0x80 : 0
}

function emptyChunks(): TrackChunks {
  return {
    length: 0,
    offset: new Float64Array(256),
    samples: new Uint32Array(256),
    description: new Uint32Array(256),
  }
}

function addChunk(chunks: TrackChunks, offset: number, samples: number, description: number): void {
  if (chunks.length === chunks.offset.length) {
    chunks.offset = widened(chunks.offset, new Float64Array(chunks.length * 2))
    chunks.samples = widened(chunks.samples, new Uint32Array(chunks.length * 2))
    chunks.description = widened(chunks.description, new Uint32Array(chunks.length * 2))
  }
  chunks.offset[chunks.length] = offset
  chunks.samples[chunks.length] = samples
  chunks.description[chunks.length] = description
  chunks.length++
}

function addPiece(pieces: Pieces, offset: number, bytes: number): void {
  const last = pieces.length - 1
  if (
    last >= 0 &&
    offset >= 0 &&
    pieces.offset[last] >= 0 &&
    pieces.offset[last] + pieces.bytes[last] === offset
  ) {
    pieces.bytes[last] += bytes
    return
  }
  if (pieces.length === pieces.offset.length) {
    pieces.offset = widened(pieces.offset, new Float64Array(pieces.length * 2))
    pieces.bytes = widened(pieces.bytes, new Float64Array(pieces.length * 2))
  }
  pieces.offset[pieces.length] = offset
  pieces.bytes[pieces.length] = bytes
  pieces.length++
}

function widened<T extends Float64Array | Uint32Array>(from: T, into: T): T {
  into.set(from)
  return into
}
