import type { ByteReader } from '../../../bytes/reader.ts'
import type { Region } from '../../../bytes/regions.ts'
import type { Monitor } from '../../../model/monitor.ts'
import { storedJpegs } from '../../../photo/raw/stored-jpegs.ts'
import { type CrxStream, mayBeCrx, readCrx } from '../read/crx.ts'
import { metadataBytes } from '../read/timed-metadata.ts'

/** A raw picture found by its bytes. */
export interface FoundRaw extends CrxStream, Region {}

/** What of the payload was found by its bytes alone, in file order. */
export interface FoundPayload {
  /** The JPEG picture in front of the raw ones. */
  readonly jpeg: Region | undefined
  readonly raws: readonly FoundRaw[]
  readonly metadata: Region | undefined
}

const PIECE = 1024 * 1024
/** Raw pictures of one payload: a small one and the photo, or two with dual pixels. */
const MOST_RAWS = 8
/** Bytes that may lie between two parts. */
const GAP = 64

/** Looks for the pictures of a payload by what they begin with. Reads the file once. */
export async function locatePayload(reader: ByteReader, monitor: Monitor): Promise<FoundPayload> {
  const raws = await locateRaws(reader, monitor)
  const [first] = raws
  const last = raws.at(-1)
  if (!first || !last) return { jpeg: undefined, raws, metadata: undefined }
  const jpegs = await storedJpegs(reader, 0, first.offset, monitor)
  const jpeg = jpegs.find(({ offset, length }) => first.offset - offset - length <= GAP)
  const end = Math.min(reader.size, last.offset + last.length)
  const bytes = metadataBytes(reader, end, reader.size - end)
  return { jpeg, raws, metadata: bytes > 0 ? { offset: end, length: bytes } : undefined }
}

async function locateRaws(reader: ByteReader, monitor: Monitor): Promise<readonly FoundRaw[]> {
  const raws: FoundRaw[] = []
  let from = 0
  while (from < reader.size && raws.length < MOST_RAWS) {
    const found = rawIn(reader, from, Math.min(from + PIECE, reader.size))
    if (found) {
      raws.push(found)
      from = found.offset + found.length
    } else from += PIECE
    monitor.progress('survey', Math.min(1, from / reader.size))
    await monitor.pause()
  }
  return raws
}

/** The first raw picture that begins in [from, to). */
function rawIn(reader: ByteReader, from: number, to: number): FoundRaw | undefined {
  const bytes = Uint8Array.from(reader.bytes(from, to - from + 4))
  for (let i = bytes.indexOf(0xff); i >= 0 && i < to - from; i = bytes.indexOf(0xff, i + 1)) {
    if (!mayBeCrx(bytes, i)) continue
    const stream = readCrx(reader, from + i)
    if (stream) return { ...stream, offset: from + i }
  }
  return undefined
}
