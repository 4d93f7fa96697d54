import { DEFAULT_LIMITS } from '../../../../src/bytes/limits.ts'
import { ByteReader } from '../../../../src/bytes/reader.ts'
import { MemorySource } from '../../../../src/bytes/source.ts'
import { CLUSTER, SIMPLE_BLOCK, TIMESTAMP } from '../../../../src/formats/matroska/ids.ts'
import { framesOf, XIPH_LACING } from '../../../../src/formats/matroska/read/block.ts'
import { walk } from '../../../../src/formats/matroska/read/walk.ts'
import { clusters } from '../../../../src/formats/matroska/recipes.ts'
import { SILENT } from '../../../../src/model/monitor.ts'
import { element, sizeBytes, unsigned } from '../../../../src/syntax/ebml/write.ts'

/** A frame of a film: its bytes as text, where they begin, the time of its block and how many frames that has. */
export interface LacedFrame {
  readonly track: number
  readonly text: string
  readonly offset: number
  readonly time: number
  readonly among: number
}

/** All frames of a film in file order. */
export async function framesIn(film: Uint8Array): Promise<LacedFrame[]> {
  const reader = new ByteReader(new MemorySource(film))
  const { runs, blocks } = await walk(reader, DEFAULT_LIMITS, SILENT, [])
  return runs.flatMap(({ firstRow, endRow, time = Number.NaN }) =>
    Array.from({ length: endRow - firstRow }, (_, i) => firstRow + i).flatMap((row) => {
      const places = framesOf(reader, blocks.head[row], blocks.payload[row], blocks.end[row]) ?? []
      return places.slice(1).map((end, i) => ({
        track: blocks.track[row],
        text: Buffer.from(film.subarray(places[i], end)).toString('latin1'),
        offset: places[i],
        time: time + blocks.relative[row],
        among: places.length - 1,
      }))
    }),
  )
}

/** The film with as many frames of a track as `each` in every block of it, laced as Xiph does, and without an index. */
export async function laced(film: Uint8Array, track: number, each: number): Promise<Uint8Array> {
  const reader = new ByteReader(new MemorySource(film))
  const { runs, blocks } = await walk(reader, DEFAULT_LIMITS, SILENT, [])
  const written = runs.map(({ firstRow, endRow, time = 0 }) => {
    const rows = Array.from({ length: endRow - firstRow }, (_, i) => firstRow + i)
    const ofTrack = rows.filter((row) => blocks.track[row] === track)
    const body = rows.flatMap((row): Uint8Array[] => {
      const place = ofTrack.indexOf(row)
      if (place < 0) return [film.subarray(blocks.offset[row], blocks.offset[row] + blocks.size[row])]
      if (place % each > 0) return []
      const frames = ofTrack
        .slice(place, place + each)
        .map((one) => film.subarray(blocks.payload[one], blocks.end[one]))
      const relative = blocks.relative[row]
      const head = [...sizeBytes(track), (relative >> 8) & 255, relative & 255, 0x80 | XIPH_LACING]
      const lace = [frames.length - 1, ...frames.slice(0, -1).flatMap(({ length }) => xiph(length))]
      return [element(SIMPLE_BLOCK, Uint8Array.from([...head, ...lace]), ...frames)]
    })
    return element(CLUSTER, unsigned(TIMESTAMP, time), ...body)
  })
  return Uint8Array.from(Buffer.concat([film.subarray(0, clusters(film).start), ...written]))
}

/** A size as Xiph's lacing has it, RFC 9559 §10.3.2. */
function xiph(size: number): number[] {
  return [...new Array<number>(Math.floor(size / 255)).fill(255), size % 255]
}
