import { DEFAULT_LIMITS } from '../../../../src/bytes/limits.ts'
import { ByteReader } from '../../../../src/bytes/reader.ts'
import { MemorySource } from '../../../../src/bytes/source.ts'
import * as ids from '../../../../src/formats/matroska/ids.ts'
import { KEY } from '../../../../src/formats/matroska/read/block-table.ts'
import { walk } from '../../../../src/formats/matroska/read/walk.ts'
import { SILENT } from '../../../../src/model/monitor.ts'
import { element, sizeBytes, unsigned } from '../../../../src/syntax/ebml/write.ts'

/** A frame of a further track, shown from `time` on, in ticks. */
export interface FurtherFrame {
  readonly track: number
  readonly time: number
  readonly duration: number
  readonly bytes: Uint8Array
}

/** What a film is made with beside its own frames. */
export interface Change {
  /** Entries of tracks, for its own. */
  readonly entries?: (own: readonly Uint8Array[]) => readonly Uint8Array[]
  /** What is stored of a frame of a track. */
  readonly stored?: (track: number, frame: Uint8Array) => Uint8Array
  readonly further?: readonly FurtherFrame[]
  /** Elements behind the tracks, and behind each Cluster. */
  readonly beside?: readonly Uint8Array[]
  readonly between?: Uint8Array
}

const KEY_FLAG = 0x80

/** A film written anew, frame by frame, with its own Info and without an index. */
export async function remade(film: Uint8Array, change: Change): Promise<Uint8Array> {
  const { entries = (own) => own, stored = (_, frame) => frame, further = [], beside = [], between } = change
  const survey = await walk(new ByteReader(new MemorySource(film)), DEFAULT_LIMITS, SILENT, [])
  const { runs, blocks, tracks, elements } = survey
  const head = (track: number, relative: number, flags: number): number[] => [
    ...sizeBytes(track),
    ...[(relative >> 8) & 255, relative & 255, flags],
  ]
  const clusters = runs.flatMap(({ firstRow, endRow, time = 0 }, i) => {
    const next = runs[i + 1]?.time ?? Number.POSITIVE_INFINITY
    const own = Array.from({ length: endRow - firstRow }, (_, row) => firstRow + row).map((row) => {
      const frame = film.subarray(blocks.payload[row], blocks.end[row])
      const flags = blocks.is(row, KEY) ? KEY_FLAG : 0
      const track = blocks.track[row]
      return element(ids.SIMPLE_BLOCK, head(track, blocks.relative[row], flags), stored(track, frame))
    })
    const more = further
      .filter((frame) => frame.time >= time && frame.time < next)
      .map(({ track, time: shown, duration, bytes }) =>
        element(
          ids.BLOCK_GROUP,
          element(ids.BLOCK, head(track, shown - time, 0), bytes),
          unsigned(ids.BLOCK_DURATION, duration),
        ),
      )
    const cluster = element(ids.CLUSTER, unsigned(ids.TIMESTAMP, time), ...own, ...more)
    return between ? [cluster, between] : [cluster]
  })
  const info = elements
    .filter(({ id }) => id === ids.INFO)
    .map(({ offset, end }) => film.subarray(offset, end))
  const list = element(ids.TRACKS, ...entries(tracks.map(({ entry }) => entry)))
  const doc = element(ids.EBML, element(ids.DOC_TYPE, Buffer.from('matroska')))
  return Uint8Array.from(Buffer.concat([doc, element(ids.SEGMENT, ...info, list, ...beside, ...clusters)]))
}

/** A film's frames as `track time bytes`, in file order. */
export async function framesOf(film: Uint8Array): Promise<string[]> {
  const { runs, blocks } = await walk(new ByteReader(new MemorySource(film)), DEFAULT_LIMITS, SILENT, [])
  return runs.flatMap(({ firstRow, endRow, time = Number.NaN }) =>
    Array.from({ length: endRow - firstRow }, (_, i) => firstRow + i).map((row) => {
      const text = Buffer.from(film.subarray(blocks.payload[row], blocks.end[row])).toString('latin1')
      return `${blocks.track[row]} ${time + blocks.relative[row]} ${text}`
    }),
  )
}
