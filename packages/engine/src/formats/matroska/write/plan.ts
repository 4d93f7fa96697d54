import type { ByteReader } from '../../../bytes/reader.ts'
import { ElementHeader } from '../../../syntax/ebml/element.ts'
import { element, idBytes, sizeBytes, unsigned } from '../../../syntax/ebml/write.ts'
import { CLUSTER, SIMPLE_BLOCK, TIMESTAMP } from '../ids.ts'
import { BARE, type BlockTable, KEY, LEFT_OUT, MOVED, REWRITTEN } from '../read/block-table.ts'
import type { Run, Survey } from '../read/survey.ts'

/** A stretch of the result: bytes of the damaged file, or new ones. */
export type Piece = { readonly offset: number; readonly length: number } | Uint8Array

/** A Cluster of the result. */
export interface PlannedCluster {
  /** Ticks. */
  readonly time: number
  /** Header and Timestamp. */
  readonly head: Uint8Array
  /** Bytes of `head` in front of the Cluster's data. */
  readonly header: number
  /** Bytes of the whole Cluster. */
  readonly size: number
  readonly runs: readonly Run[]
}

/** An entry of the new Cues. */
export interface PlannedCue {
  /** Ticks. */
  readonly time: number
  readonly track: number
  /** Index of the Cluster. */
  readonly cluster: number
  /** Bytes after the Cluster's data. */
  readonly relative: number
}

/** Bytes that a block takes in the result. */
export function writtenSize(reader: ByteReader, blocks: BlockTable, row: number): number {
  if (blocks.is(row, BARE)) return bareHead(blocks, row).length + blocks.size[row]
  if (!blocks.is(row, REWRITTEN)) return blocks.size[row]
  const { head, rest } = rewritten(reader, blocks, row)
  return head.length + rest.length
}

/** A block whose size is put right: its new header, and the bytes that stay. */
export function rewritten(
  reader: ByteReader,
  blocks: BlockTable,
  row: number,
): { readonly head: Uint8Array; readonly rest: { readonly offset: number; readonly length: number } } {
  const header = new ElementHeader()
  header.read(reader, blocks.offset[row], reader.size)
  const length = blocks.end[row] - header.body
  return {
    head: Uint8Array.from([...idBytes(SIMPLE_BLOCK), ...sizeBytes(length)]),
    rest: { offset: header.body, length },
  }
}

/** The head of a SimpleBlock for one frame, RFC 9559 §10.2. */
function bareHead(blocks: BlockTable, row: number): Uint8Array {
  const track = sizeBytes(blocks.track[row])
  const time = blocks.relative[row]
  const head = [...track, (time >> 8) & 255, time & 255, blocks.head[row]]
  return Uint8Array.from([...idBytes(SIMPLE_BLOCK), ...sizeBytes(head.length + blocks.size[row]), ...head])
}

/** Puts the runs together to Clusters: those that gaps divided become one again. Runs of which nothing stays have none. */
export function planClusters(reader: ByteReader, survey: Survey): PlannedCluster[] {
  const { blocks } = survey
  const groups: { time: number; body: number; runs: Run[] }[] = []
  for (const run of survey.runs) {
    let body = 0
    for (let row = run.firstRow; row < run.endRow; row++)
      if (!blocks.is(row, LEFT_OUT)) body += writtenSize(reader, blocks, row)
    if (body === 0 || run.time === undefined) continue
    const last = groups.at(-1)
    if (last && !run.headed && last.time === run.time) {
      last.runs.push(run)
      last.body += body
    } else groups.push({ time: run.time, body, runs: [run] })
  }
  return groups.map(({ time, body, runs }) => {
    const timestamp = unsigned(TIMESTAMP, time)
    const header = [...idBytes(CLUSTER), ...sizeBytes(timestamp.length + body)]
    const head = Uint8Array.from([...header, ...timestamp])
    return { time, head, header: header.length, size: head.length + body, runs }
  })
}

/**
 * Key pictures up to which all have an entry, and milliseconds between entries of a track where there are more: no player seeks
 * finer.
 */
const MOST_KEYS = 65_536
const CUE_DISTANCE = 300
const NANOSECONDS_A_MILLISECOND = 1e6

/**
 * Entries for the key pictures of the tracks in `pictures`, or for the first block of each Cluster where there are no pictures.
 */
export function planCues(
  reader: ByteReader,
  survey: Survey,
  clusters: readonly PlannedCluster[],
  pictures: ReadonlySet<number>,
  scale: number,
): PlannedCue[] {
  const { blocks } = survey
  const isThinned = pictures.size === 0 || isCrowded(blocks, pictures)
  const least = isThinned ? (CUE_DISTANCE * NANOSECONDS_A_MILLISECOND) / scale : 0
  const last = new Map<number, number>()
  const cues: PlannedCue[] = []
  for (const [index, cluster] of clusters.entries()) {
    let relative = cluster.head.length - cluster.header
    let first = true
    for (const { firstRow, endRow } of cluster.runs)
      for (let row = firstRow; row < endRow; row++) {
        if (blocks.is(row, LEFT_OUT)) continue
        const track = blocks.track[row]
        const time = Math.max(0, cluster.time + blocks.relative[row])
        const wanted = pictures.size > 0 ? pictures.has(track) && blocks.is(row, KEY) : first
        if (wanted && time - (last.get(track) ?? Number.NEGATIVE_INFINITY) >= least) {
          cues.push({ time, track, cluster: index, relative })
          last.set(track, time)
        }
        first = false
        relative += writtenSize(reader, blocks, row)
      }
  }
  return cues.sort((a, b) => a.time - b.time)
}

/** Whether the tracks have more key pictures than an index needs. */
function isCrowded(blocks: BlockTable, pictures: ReadonlySet<number>): boolean {
  let keys = 0
  for (let row = 0; row < blocks.length; row++)
    if (blocks.is(row, KEY) && pictures.has(blocks.track[row])) keys++
  return keys > MOST_KEYS
}

/** What is written of a Cluster behind its head, adjoining blocks in one piece. */
export function* piecesOf(
  reader: ByteReader,
  blocks: BlockTable,
  { runs }: PlannedCluster,
): Generator<Piece> {
  let offset = 0
  let length = 0
  for (const { firstRow, endRow } of runs)
    for (let row = firstRow; row < endRow; row++) {
      if (blocks.is(row, LEFT_OUT)) continue
      const whole = !blocks.is(row, REWRITTEN | MOVED | BARE)
      if (whole && blocks.offset[row] === offset + length) {
        length += blocks.size[row]
        continue
      }
      if (length > 0) yield { offset, length }
      length = 0
      if (whole) {
        offset = blocks.offset[row]
        length = blocks.size[row]
      } else if (blocks.is(row, BARE)) {
        yield bareHead(blocks, row)
        yield { offset: blocks.offset[row], length: blocks.size[row] }
      } else if (blocks.is(row, REWRITTEN)) {
        const { head, rest } = rewritten(reader, blocks, row)
        yield head
        yield* moved(blocks, row, rest.offset, rest.length)
      } else yield* moved(blocks, row, blocks.offset[row], blocks.size[row])
    }
  if (length > 0) yield { offset, length }
}

/** Bytes of a block, with its time after its Cluster's as the table has it. */
function* moved(blocks: BlockTable, row: number, offset: number, length: number): Generator<Piece> {
  const at = blocks.payload[row] - TIME_BEFORE_PAYLOAD
  const time = blocks.relative[row]
  yield { offset, length: at - offset }
  yield Uint8Array.of((time >> 8) & 255, time & 255)
  yield { offset: at + 2, length: offset + length - at - 2 }
}

/** Bytes of a block's time and flags in front of its frames or their lace, RFC 9559 §10.1. */
const TIME_BEFORE_PAYLOAD = 3

/** Elements of which some bytes are only known later are written in a fixed length. */
export function fixedUnsigned(id: number, value: number, length: number): Uint8Array {
  return element(id, unsigned(id, value, length).subarray(-length))
}
