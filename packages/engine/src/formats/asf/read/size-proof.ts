import type { ByteReader } from '../../../bytes/reader.ts'
import { IntraPictureReader, isReadable } from '../../../codecs/windows-media/intra-picture.ts'
import { isSizeUntold } from '../../../recording/told-size.ts'
import type { StreamObjects } from '../recording.ts'
import { COMPRESSED, KEY, OBJECT_START, type PayloadTable } from './packet-table.ts'

/** Pixels of a macroblock's side. */
const MACROBLOCK = 16
/** Macroblocks of a picture, and bytes: more are none. */
const MOST_MACROBLOCKS = 65_536
const MOST_BYTES = 1 << 22
/** Pictures that are read. */
const MOST_PICTURES = 24
/** Pictures are no longer and no higher than so many times the other side. */
const LONGEST_SIDE = 5

/**
 * Whether the size that a sample lends pictures is theirs: their codec writes it into them, or intra pictures end in it with
 * their last macroblock, and in no other shape of as many macroblocks. Most have to: some may have been hit.
 */
export function isSizeShown(
  reader: ByteReader,
  payloads: PayloadTable,
  { stream, rows }: StreamObjects,
): boolean {
  if (!isSizeUntold([stream])) return true
  const { codec, picture } = stream
  if (!isReadable(codec) || !picture) return false
  const columns = Math.ceil(picture.width / MACROBLOCK)
  const count = columns * Math.ceil(picture.height / MACROBLOCK)
  if (count === 0 || count > MOST_MACROBLOCKS) return false
  const own = new IntraPictureReader(codec, picture.config, columns, count / columns)
  const others = shapesOf(count)
    .filter((across) => across !== columns)
    .map((across) => new IntraPictureReader(codec, picture.config, across, count / across))
  let whole = 0
  let torn = 0
  let told = false
  for (const bytes of intraPictures(reader, payloads, rows)) {
    const reads = own.reads(bytes)
    if (reads === undefined) continue
    if (reads) whole++
    else torn++
    told ||= reads && !others.some((other) => other.reads(bytes))
  }
  return told && whole > torn
}

/** Columns of the shapes that so many macroblocks can have. */
function shapesOf(count: number): number[] {
  const shapes: number[] = []
  for (let across = 1; across <= count; across++) {
    const down = count / across
    if (Number.isInteger(down) && Math.max(across / down, down / across) <= LONGEST_SIDE) shapes.push(across)
  }
  return shapes
}

/** The bytes of the first intra pictures. */
function* intraPictures(
  reader: ByteReader,
  payloads: PayloadTable,
  rows: Uint32Array,
): Generator<Uint8Array> {
  let count = 0
  for (const row of rows) {
    if ((payloads.flags[row] & (KEY | COMPRESSED)) !== KEY || payloads.objectSize[row] > MOST_BYTES) continue
    yield objectBytes(reader, payloads, row)
    if (++count === MOST_PICTURES) return
  }
}

/** A whole media object, whose first payload is `first`. */
function objectBytes(reader: ByteReader, payloads: PayloadTable, first: number): Uint8Array {
  const bytes = new Uint8Array(payloads.objectSize[first])
  let filled = 0
  for (let row = first; row < payloads.length && filled < bytes.length; row++) {
    if (payloads.stream[row] !== payloads.stream[first]) continue
    if (row > first && payloads.flags[row] & OBJECT_START) break
    const part = reader.bytes(payloads.offset[row] + payloads.header[row], payloads.size[row])
    bytes.set(part.subarray(0, bytes.length - filled), filled)
    filled += part.length
  }
  return bytes
}
