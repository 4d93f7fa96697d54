import type { ByteReader } from '../../bytes/reader.ts'
import type { Region } from '../../bytes/regions.ts'
import { Splice } from '../../bytes/splice.ts'
import { storedJpegs } from '../../photo/raw/stored-jpegs.ts'
import { FILLER } from '../../photo/raw/unwritten.ts'
import type { RepairJob } from '../format.ts'
import { assess } from './assess.ts'
import { type Heap, headerBytes, isHeap, type Record, rawLayout, type Sensor, TAG } from './read.ts'

/** A file made of the damaged one's pictures and a sample's directories. */
export interface MadeFile {
  readonly splice: Splice
  readonly sensor: Sensor
  /** Where the raw picture lies in the damaged file, and its bytes when whole as far as known. */
  readonly raw: Region
  /** Bytes of it that survive. */
  readonly there: number
  /** Where it begins was guessed. */
  readonly guessed: boolean
  /** Stretches of it that are zeros. */
  readonly holes: readonly Region[]
  readonly lowBits: number
}

/** Values of the whole heap that are kept: those of a photo are a few dozen kilobytes beside its pictures. */
const MOST_VALUES = 4 * 1024 * 1024

/** Records that tell of a photo and its owner: numbers of CIFF 1.0 r4 and ExifTool's tag documentation, `CanonRaw`. */
const PERSONAL: ReadonlySet<number> = new Set([
  // comment, owner, names of the file and of its thumbnail, serial number, date, number of the file
  ...[0x0805, 0x0810, 0x0816, 0x0817, 0x180b, 0x180e, 0x1817],
])

/** A heap of a sample's values without those that tell of its own photo. */
function withoutPersonal(reader: ByteReader, { offset, length }: Record, whole: Heap): Uint8Array {
  const bytes = Uint8Array.from(reader.bytes(offset, length))
  const blank = ({ records, heaps }: Heap): void => {
    for (const record of records)
      if (PERSONAL.has(record.tag & NUMBER) && record.offset >= offset && record.offset < offset + length)
        bytes.fill(0, record.offset - offset, record.offset - offset + record.length)
    for (const inner of heaps) blank(inner)
  }
  blank(whole)
  return bytes
}

/** Bits of a tag that number it, without where its value lies. */
const NUMBER = 0x3fff

/**
 * Directories of a sample behind the damaged file's pictures: heaps within are copied as they are, since what they say counts
 * from their own start; those of the whole file are written anew. `start`: where the raw picture begins.
 */
export async function directoryFromSample(job: RepairJob, start: number): Promise<MadeFile | undefined> {
  if (!job.sample) return undefined
  const { reader } = job.damaged
  const sample = await assess(job.sample.reader, job.limits, job.monitor)
  const { heap, raw, sensor } = sample
  // the raw picture of the whole heap lies at its very start, as cameras write it
  if (!heap || !raw || !sensor || !sample.healthy || raw.offset !== heap.start || start >= reader.size)
    return undefined
  const [jpeg] = await storedJpegs(reader, start, reader.size, job.monitor)
  // what is in front of the JPEG picture, or in front of zeros up to the end of the file
  const all = { offset: start, length: reader.size - start }
  const { holes, lowBits } = await rawLayout(reader, heap, all, job.monitor, job.sample.reader)
  const last = holes.at(-1)
  const zeros = last && last.offset + last.length === reader.size ? last.length : 0
  const end = jpeg?.offset ?? reader.size - zeros
  const length = end - start
  if (length <= 0) return undefined
  const splice = new Splice()
  const base = splice.bytes(headerBytes()) + headerBytes().length
  const records: { tag: number; offset: number; length: number }[] = []
  const place = (record: Record, from: Region | undefined): void => {
    const at = splice.size - base
    if (from) splice.copy(from.offset, from.length)
    else if (job.sample) splice.bytes(withoutPersonal(job.sample.reader, record, heap))
    records.push({ tag: record.tag, offset: at, length: splice.size - base - at })
  }
  // one that breaks off is filled up to what a photo of the camera takes, so that decoders read on
  const missing = jpeg ? 0 : Math.max(0, raw.length - length)
  for (const record of heap.records) {
    if (record.inside) return undefined
    const number = record.tag & NUMBER
    if (number === TAG.raw) {
      splice.copy(start, length)
      splice.fill(FILLER.coded, missing)
      records.push({ tag: record.tag, offset: 0, length: length + missing })
    } else if (number === TAG.jpeg) {
      if (jpeg) place(record, jpeg)
    } else if (isHeap(record) && record.length <= MOST_VALUES) place(record, undefined)
  }
  if (records[0]?.offset !== 0) return undefined
  const directory = splice.size - base
  const bytes = new Uint8Array(2 + 10 * records.length + 4)
  const view = new DataView(bytes.buffer)
  view.setUint16(0, records.length, true)
  for (const [i, record] of records.entries()) {
    view.setUint16(2 + 10 * i, record.tag, true)
    view.setUint32(4 + 10 * i, record.length, true)
    view.setUint32(8 + 10 * i, record.offset, true)
  }
  view.setUint32(bytes.length - 4, directory, true)
  splice.bytes(bytes)
  return {
    splice,
    sensor,
    raw: { offset: start, length: length + missing },
    there: length,
    guessed: start === 0,
    holes: holes.filter(({ offset }) => offset < end),
    lowBits,
  }
}
