import { DEFAULT_LIMITS } from '../../../../src/bytes/limits.ts'
import { ByteReader } from '../../../../src/bytes/reader.ts'
import { MemorySource } from '../../../../src/bytes/source.ts'
import { CLUSTER, SIMPLE_BLOCK, TIMESTAMP } from '../../../../src/formats/matroska/ids.ts'
import {
  EBML_LACING,
  FIXED_LACING,
  framesOf,
  XIPH_LACING,
} from '../../../../src/formats/matroska/read/block.ts'
import { walk } from '../../../../src/formats/matroska/read/walk.ts'
import { clusters } from '../../../../src/formats/matroska/recipes.ts'
import { SILENT } from '../../../../src/model/monitor.ts'
import { element, sizeBytes, unsigned } from '../../../../src/syntax/ebml/write.ts'

/**
 * A frame of a film: its bytes as text, but for zeros at its end, where they begin, the time of its block and how many frames
 * that has.
 */
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
        text: Buffer.from(film.subarray(places[i], end)).toString('latin1').replace(/\0+$/, ''),
        offset: places[i],
        time: time + blocks.relative[row],
        among: places.length - 1,
      }))
    }),
  )
}

/**
 * The film with as many frames of a track as `each` in every block of it, laced in a way, and without an index. Frames of one
 * length are filled up with zeros.
 */
export async function laced(
  film: Uint8Array,
  track: number,
  each: number,
  lacing: number = XIPH_LACING,
): Promise<Uint8Array> {
  const reader = new ByteReader(new MemorySource(film))
  const { runs, blocks } = await walk(reader, DEFAULT_LIMITS, SILENT, [])
  const written = runs.map(({ firstRow, endRow, time = 0 }) => {
    const rows = Array.from({ length: endRow - firstRow }, (_, i) => firstRow + i)
    const ofTrack = rows.filter((row) => blocks.track[row] === track)
    const body = rows.flatMap((row): Uint8Array[] => {
      const place = ofTrack.indexOf(row)
      if (place < 0) return [film.subarray(blocks.offset[row], blocks.offset[row] + blocks.size[row])]
      if (place % each > 0) return []
      const plain = ofTrack
        .slice(place, place + each)
        .map((one) => film.subarray(blocks.payload[one], blocks.end[one]))
      const longest = Math.max(...plain.map(({ length }) => length))
      const frames = lacing === FIXED_LACING ? plain.map((frame) => filledUp(frame, longest)) : plain
      const relative = blocks.relative[row]
      const head = [...sizeBytes(track), (relative >> 8) & 255, relative & 255, 0x80 | lacing]
      const lace = [frames.length - 1, ...sizesOf(frames, lacing)]
      return [element(SIMPLE_BLOCK, Uint8Array.from([...head, ...lace]), ...frames)]
    })
    return element(CLUSTER, unsigned(TIMESTAMP, time), ...body)
  })
  return Uint8Array.from(Buffer.concat([film.subarray(0, clusters(film).start), ...written]))
}

/** Sizes of all frames but the last one, RFC 9559 §10.3.2 and §10.3.3; none of frames of one length, §10.3.4. */
function sizesOf(frames: readonly Uint8Array[], lacing: number): number[] {
  const sizes = frames.slice(0, -1).map(({ length }) => length)
  if (lacing === XIPH_LACING)
    return sizes.flatMap((size) => [...new Array<number>(Math.floor(size / 255)).fill(255), size % 255])
  if (lacing !== EBML_LACING) return []
  return sizes.flatMap((size, i) => (i === 0 ? sizeBytes(size) : sizeBytes(size - sizes[i - 1] + HALF, 2)))
}

/** What stands for no difference in two bytes. */
const HALF = 2 ** 13 - 1

function filledUp(frame: Uint8Array, length: number): Uint8Array {
  const filled = new Uint8Array(length)
  filled.set(frame)
  return filled
}
