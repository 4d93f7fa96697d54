import { PlannedPlaces } from '../../../bytes/foresight.ts'
import { RangeWriter, type ResultWriter } from '../../../bytes/range-writer.ts'
import type { ByteReader } from '../../../bytes/reader.ts'
import { type ByteSink, endAhead } from '../../../bytes/sink.ts'
import type { Monitor } from '../../../model/monitor.ts'
import { element, idBytes, sizeBytes, unsigned } from '../../../syntax/ebml/write.ts'
import {
  CUE_CLUSTER_POSITION,
  CUE_POINT,
  CUE_RELATIVE_POSITION,
  CUE_TIME,
  CUE_TRACK,
  CUE_TRACK_POSITIONS,
  CUES,
  INFO,
  SEEK,
  SEEK_HEAD,
  SEEK_ID,
  SEEK_POSITION,
  SEGMENT,
  TRACKS,
} from '../ids.ts'
import type { BlockTable } from '../read/block-table.ts'
import { fixedUnsigned, type Piece, type PlannedCluster, type PlannedCue, piecesOf } from './plan.ts'

/** A file to be written: what stands in front of the Clusters, and they. */
export interface WritePlan {
  /** The EBML header. */
  readonly header: Uint8Array
  readonly info: Uint8Array
  readonly tracks: Uint8Array
  /** Chapters, tags, attachments, with their identifiers, in pieces. */
  readonly kept: readonly { readonly id: number; readonly pieces: readonly Piece[] }[]
  readonly clusters: readonly PlannedCluster[]
  readonly cues: readonly PlannedCue[]
}

/** Bytes of positions: known only when all that is in front of them has its size. */
const POSITION_BYTES = 8
const RELATIVE_BYTES = 4
const SEGMENT_SIZE_BYTES = 8

/** Writes a file with its index in front: SeekHead, Info, Tracks, what else was kept, Cues, Clusters. */
export async function writeFile(
  plan: WritePlan,
  reader: ByteReader,
  blocks: BlockTable,
  sink: ByteSink,
  monitor: Monitor,
): Promise<void> {
  await endAhead(sink)
  await write(plan, reader, blocks, (size) => new RangeWriter(reader, sink, monitor, size), monitor)
}

/** Tells the sink where the Clusters would come to lie if the file were written as far as is known. */
export async function foretellFile(
  plan: WritePlan,
  reader: ByteReader,
  blocks: BlockTable,
  sink: ByteSink,
  monitor: Monitor,
): Promise<void> {
  const places = PlannedPlaces.of(sink, reader.source)
  if (places) await write(plan, reader, blocks, () => places, monitor)
}

/** `open` is given the bytes of the whole file. */
async function write(
  plan: WritePlan,
  reader: ByteReader,
  blocks: BlockTable,
  open: (size: number) => ResultWriter,
  monitor: Monitor,
): Promise<void> {
  const parts: { id: number; pieces: readonly Piece[]; length: number }[] = []
  const add = (id: number, pieces: readonly Piece[]): void => {
    parts.push({ id, pieces, length: pieces.reduce((sum, { length }) => sum + length, 0) })
  }
  add(INFO, [plan.info])
  add(TRACKS, [plan.tracks])
  for (const { id, pieces } of plan.kept) add(id, pieces)
  const starts = [0]
  for (const { size } of plan.clusters) starts.push((starts.at(-1) ?? 0) + size)
  const hasCues = plan.cues.length > 0
  if (hasCues) add(CUES, [cuesOf(plan, starts, 0)])
  const named = parts.map(({ id }) => id)
  const headLength = seekHead(named.map((id) => ({ id, position: 0 }))).length
  let at = headLength
  const places = parts.map(({ id, length }) => {
    const position = at
    at += length
    return { id, position }
  })
  if (hasCues) parts[parts.length - 1].pieces = [cuesOf(plan, starts, at)]
  const size = at + (starts.at(-1) ?? 0)
  const writer = open(plan.header.length + size)
  writer.write(plan.header)
  writer.write(Uint8Array.from([...idBytes(SEGMENT), ...sizeBytes(size, SEGMENT_SIZE_BYTES)]))
  writer.write(seekHead(places))
  for (const { pieces } of parts) await writePieces(writer, pieces)
  for (const cluster of plan.clusters) {
    writer.write(cluster.head)
    await writePieces(writer, piecesOf(reader, blocks, cluster))
    await monitor.pause()
  }
  await writer.end()
}

async function writePieces(writer: ResultWriter, pieces: Iterable<Piece>): Promise<void> {
  for (const piece of pieces) {
    if (piece instanceof Uint8Array) writer.write(piece)
    else await writer.copy(piece.offset, piece.length)
  }
}

function seekHead(places: readonly { readonly id: number; readonly position: number }[]): Uint8Array {
  return element(
    SEEK_HEAD,
    ...places.map(({ id, position }) =>
      element(SEEK, element(SEEK_ID, idBytes(id)), fixedUnsigned(SEEK_POSITION, position, POSITION_BYTES)),
    ),
  )
}

/** The Cues, where the Clusters begin `base` bytes after the Segment's data. */
function cuesOf({ cues }: WritePlan, starts: readonly number[], base: number): Uint8Array {
  return element(
    CUES,
    ...cues.map(({ time, track, cluster, relative }) =>
      element(
        CUE_POINT,
        unsigned(CUE_TIME, time),
        element(
          CUE_TRACK_POSITIONS,
          unsigned(CUE_TRACK, track),
          fixedUnsigned(CUE_CLUSTER_POSITION, base + starts[cluster], POSITION_BYTES),
          fixedUnsigned(CUE_RELATIVE_POSITION, relative, RELATIVE_BYTES),
        ),
      ),
    ),
  )
}
