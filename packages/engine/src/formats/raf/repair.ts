import type { ByteReader } from '../../bytes/reader.ts'
import type { Region } from '../../bytes/regions.ts'
import type { ByteSink } from '../../bytes/sink.ts'
import { Splice } from '../../bytes/splice.ts'
import { isZero } from '../../bytes/zeros.ts'
import { doubtsThat } from '../../model/doubt.ts'
import type { PictureReport } from '../../model/photo.ts'
import { healthyRaw, lostRaw, type MendedRaw, mendedRaw } from '../../photo/raw/raw-outcome.ts'
import { rawReport } from '../../photo/raw/raw-report.ts'
import { FILLER, plainHoles } from '../../photo/raw/unwritten.ts'
import type { PhotoOutcome, RepairJob } from '../format.ts'
import { type Assessment, assess } from './assess.ts'
import { findParts } from './find-parts.ts'
import { FIELD, MODEL_BYTES, readExif, type Sensor } from './read.ts'
import { headerBytes, STANDARD_HEADER } from './write.ts'

const NO_HEADER =
  'What says where the pixels lie in the file is gone, and nothing else tells it: a photo of the same camera as a sample may help.'
const SOI = 0xffd8

/**
 * Repairs a photo by its own header, by its parts as they are found, or by a sample's; else names the largest picture stored in
 * it.
 */
export async function repair(job: RepairJob, sink: ByteSink): Promise<PhotoOutcome> {
  const { reader } = job.damaged
  const own = await assess(reader, job.limits, job.monitor)
  const { header, sensor, findings } = own
  if (header && sensor && own.healthy)
    return healthyRaw(findings, picture(reader, sensor, own.orientation, header.data, [], []))
  const mended = complete(reader, own) ?? (await byParts(job))
  return mended
    ? mendedRaw(reader, findings, mended, sink, job.monitor)
    : lostRaw(reader, findings, NO_HEADER, job.monitor)
}

/** The file with its own header, filled up where it breaks off. */
function complete(
  reader: ByteReader,
  { header, sensor, orientation, findings, holes }: Assessment,
): MendedRaw | undefined {
  if (!header || !sensor || header.data.offset >= reader.size) return undefined
  // what is hit beside the pixels is not put right by filling up
  if (!findings.healthyBut(new Set(['raf.truncated', 'raf.data-hit']))) return undefined
  const end = header.data.offset + header.data.length
  const missing = end - reader.size
  if (missing > MOST_PIXEL_BYTES * sensor.width * sensor.height) return undefined
  const splice = new Splice()
  splice.copy(0, reader.size)
  splice.fill(FILLER.plain, missing)
  const report = picture(reader, sensor, orientation, header.data, holes, [])
  return {
    splice,
    picture: report,
    doubts: doubtsThat({ areasLost: report.lost > 0 }),
    strategy: { name: 'fill-up', outcome: `${Math.max(0, missing)} bytes filled up at the end` },
    sampleUsed: [],
  }
}

const MOST_PIXEL_BYTES = 4

/**
 * A new header for the parts that are found by their bytes; camera and version as a sample's, or as the file's own Exif data
 * says.
 */
async function byParts(job: RepairJob): Promise<MendedRaw | undefined> {
  const { reader } = job.damaged
  const found = await findParts(reader, job.monitor)
  const sample = await sampleOf(job)
  if (!found) return undefined
  const data = found.data ?? (sample && pixelsBehind(reader, found.factsEnd, sample))
  if (!data || data.offset >= reader.size) return undefined
  const template = sample?.front ?? STANDARD_HEADER
  // a header of zeros stands where it was; else the picture tells where it ends, or it was cut away altogether
  const stands = isZero(reader, 0, template.length)
  const start = stands ? template.length : jpegStart(reader, found.facts)
  const shift = template.length - start
  const jpeg = { offset: start, length: found.facts - start }
  const exif = readExif(reader, jpeg)
  const jpegWhole = reader.u16(start) === SOI
  const at = (offset: number): number => offset + shift
  const header = headerBytes(template, exif.model || undefined, {
    jpeg: { offset: template.length, length: jpeg.length },
    facts: { offset: at(found.facts), length: found.factsEnd - found.facts },
    data: { offset: at(data.offset), length: data.length },
  })
  const splice = new Splice()
  splice.bytes(header)
  const end = data.offset + data.length
  if (end - reader.size > MOST_PIXEL_BYTES * found.sensor.width * found.sensor.height) return undefined
  const from = jpegWhole ? start : start + START_OF_IMAGE.length
  if (!jpegWhole) splice.bytes(START_OF_IMAGE)
  splice.copy(from, Math.min(end, reader.size) - from)
  splice.fill(FILLER.plain, end - reader.size)
  const holes = await plainHoles(reader, data, job.monitor)
  const report = picture(reader, found.sensor, exif.orientation, data, holes, [
    { part: 'header', from: sample ? 'sample' : 'file' },
  ])
  return {
    splice,
    picture: report,
    doubts: doubtsThat({
      areasLost: report.lost > 0,
      metadata: !jpegWhole,
      orientation: !jpegWhole,
      beside: !jpegWhole,
      placement: !found.data,
      // what the header says beside places: the camera, and versions of the format
      assumed: !sample || (exif.model !== '' && exif.model !== sample.model),
    }),
    strategy: { name: 'found-parts', outcome: `facts at ${found.facts}, pixels at ${data.offset}` },
    sampleUsed: sample ? ['structure'] : [],
  }
}

const START_OF_IMAGE = Uint8Array.of(0xff, 0xd8)
/** Longest header: where the picture begins in front of which it stands. */
const MOST_HEADER = 1_024

function jpegStart(reader: ByteReader, limit: number): number {
  for (let at = 0; at < Math.min(MOST_HEADER, limit); at++)
    if (reader.u16(at) === SOI && reader.u8(at + 2) === 0xff) return at
  return 0
}

interface SampleFacts {
  readonly front: Uint8Array
  readonly model: string
  /** Bytes from the end of the facts to the pixels, and of these. */
  readonly gap: number
  readonly bytes: number
}

async function sampleOf(job: RepairJob): Promise<SampleFacts | undefined> {
  if (!job.sample) return undefined
  const { reader } = job.sample
  const { header, healthy } = await assess(reader, job.limits, job.monitor)
  if (!header || !healthy || header.jpeg.offset > MOST_HEADER) return undefined
  const model = reader.bytes(FIELD.model, MODEL_BYTES)
  return {
    front: Uint8Array.from(reader.bytes(0, header.jpeg.offset)),
    model: String.fromCharCode(...model).replace(/\0.*$/s, ''),
    gap: header.data.offset - header.facts.offset - header.facts.length,
    bytes: header.data.length,
  }
}

/** Pixels without a directory: uncoded, as many bytes as the sample's, to the end of the file or as far behind the facts. */
function pixelsBehind(reader: ByteReader, from: number, { gap, bytes }: SampleFacts): Region {
  const last = reader.size - bytes
  return { offset: last >= from ? last : from + gap, length: bytes }
}

function picture(
  reader: ByteReader,
  { width, height }: Sensor,
  orientation: number,
  { offset, length }: Region,
  holes: readonly Region[],
  rebuilt: PictureReport['rebuilt'],
): PictureReport {
  const there = Math.max(0, reader.size - offset)
  const gone = holes.map((hole) => ({ from: hole.offset - offset, to: hole.offset + hole.length - offset }))
  if (there < length) gone.push({ from: there, to: length })
  return rawReport(
    { codec: 'RAF', width, height, orientation, layout: 'sensor data', offset, length, gone },
    rebuilt,
  )
}
