import type { ByteReader } from '../../bytes/reader.ts'
import type { Region } from '../../bytes/regions.ts'
import type { ByteSink } from '../../bytes/sink.ts'
import { Splice } from '../../bytes/splice.ts'
import { isZero } from '../../bytes/zeros.ts'
import { doubtsThat } from '../../model/doubt.ts'
import type { Monitor } from '../../model/monitor.ts'
import { blankFields, personalFieldsIn } from '../../photo/raw/personal-fields.ts'
import { healthyRaw, lostRaw, type MendedRaw, mendedRaw } from '../../photo/raw/raw-outcome.ts'
import { rawReport } from '../../photo/raw/raw-report.ts'
import { FILLER, plainHoles } from '../../photo/raw/unwritten.ts'
import type { PhotoOutcome, RepairJob } from '../format.ts'
import { type Assessment, assess } from './assess.ts'
import { findBlocks } from './find-blocks.ts'
import { dataBytes, FRONT, type Header, type Sensor } from './read.ts'

const NO_HEADER =
  'What says how the pixels lie in the file is gone, and nothing else tells it: a photo of the same camera as a sample brings it back.'

/** Repairs a photo by what is left of its blocks, or by a sample's; else names the largest picture stored in it. */
export async function repair(job: RepairJob, sink: ByteSink): Promise<PhotoOutcome> {
  const { reader } = job.damaged
  const own = await assess(reader, job.limits, job.monitor)
  const { header, sensor, findings } = own
  if (header && sensor && own.healthy)
    return healthyRaw(findings, picture(reader, header, sensor, header.data, [], []))
  const mended = complete(reader, own) ?? (await ownBlocks(reader, job.monitor)) ?? (await behindSample(job))
  return mended
    ? mendedRaw(reader, findings, mended, sink, job.monitor)
    : lostRaw(reader, findings, NO_HEADER, job.monitor)
}

/** The file with its own header, filled up where it breaks off. */
function complete(reader: ByteReader, { header, sensor, holes }: Assessment): MendedRaw | undefined {
  if (!header?.sound || !sensor || header.data >= reader.size) return undefined
  const splice = new Splice()
  const end = header.data + dataBytes(sensor)
  splice.copy(0, Math.min(reader.size, end))
  splice.fill(FILLER.plain, end - reader.size)
  const report = picture(reader, header, sensor, header.data, holes, [])
  return {
    splice,
    picture: report,
    doubts: doubtsThat({ areasLost: report.lost > 0 }),
    strategy: { name: 'fill-up', outcome: `${Math.max(0, end - reader.size)} bytes filled up at the end` },
    sampleUsed: [],
  }
}

/** The file's own blocks behind a new signature, where the signature alone was hit or cut away. */
async function ownBlocks(reader: ByteReader, monitor: Monitor): Promise<MendedRaw | undefined> {
  const found = findBlocks(reader)
  if (!found) return undefined
  const { header, sensor, start } = found
  const splice = new Splice()
  const front = new Uint8Array(FRONT)
  const view = new DataView(front.buffer)
  view.setUint32(0, 0x004d_524d)
  view.setUint32(4, header.data - start)
  const end = header.data + dataBytes(sensor)
  if (header.data >= reader.size) return undefined
  splice.bytes(front)
  splice.copy(start, Math.min(reader.size, end) - start)
  splice.fill(FILLER.plain, end - reader.size)
  const holes = await plainHoles(reader, { offset: header.data, length: dataBytes(sensor) }, monitor)
  const report = picture(reader, header, sensor, header.data, holes, [{ part: 'signature', from: 'file' }])
  return {
    splice,
    picture: report,
    doubts: doubtsThat({ areasLost: report.lost > 0 }),
    strategy: { name: 'own-blocks', outcome: `${header.blocks.length} blocks found at ${start}` },
    sampleUsed: [],
  }
}

/** The pixels behind a sample's header: they reach to the end of the file. */
async function behindSample(job: RepairJob): Promise<MendedRaw | undefined> {
  if (!job.sample) return undefined
  const { reader } = job.damaged
  const sample = await assess(job.sample.reader, job.limits, job.monitor)
  const { header, sensor } = sample
  if (!header || !sensor || !sample.healthy) return undefined
  const bytes = dataBytes(sensor)
  // a header of zeros stands where it was; one that was cut away leaves the pixels as far from the end as they are long
  const beyond = job.sample.reader.size - header.data - bytes
  const stands = isZero(reader, 0, FRONT) && reader.size < header.data + bytes
  const start = stands ? header.data : reader.size - beyond - bytes
  if (start + bytes <= 0 || start >= reader.size || header.data > job.limits.structureBytes) return undefined
  if (!holdsPixels(reader, { offset: start, length: bytes }, sensor)) return undefined
  const splice = new Splice()
  splice.bytes(headOf(job.sample.reader, header))
  const front = Math.max(0, -start)
  const there = Math.min(bytes, reader.size - start)
  splice.fill(FILLER.plain, front)
  splice.copy(start + front, there - front)
  splice.fill(FILLER.plain, bytes - there)
  const holes = await plainHoles(reader, { offset: start, length: bytes }, job.monitor)
  const report = picture(reader, header, sensor, start, holes, [{ part: 'header', from: 'sample' }])
  const sameSize = reader.size === job.sample.reader.size
  return {
    splice,
    picture: report,
    doubts: doubtsThat({
      areasLost: report.lost > 0,
      metadata: true,
      orientation: true,
      placement: !sameSize,
    }),
    strategy: { name: 'sample-header', outcome: `the sample's header in front of the pixels at ${start}` },
    sampleUsed: ['structure', 'metadata'],
  }
}

/** A sample's header, without what tells of its own photo. */
function headOf(reader: ByteReader, { blocks, data }: Header): Uint8Array {
  const head = Uint8Array.from(reader.bytes(0, data))
  const [directory] = blocks.filter(({ type }) => type === 'TTW')
  if (directory)
    blankFields(head, personalFieldsIn(reader, { offset: directory.body, length: directory.length }))
  return head
}

/** Mean difference of two bytes without relation is 85; that of a photo's neighbours of one colour is far below this. */
const UNRELATED = 64
const PIECE = 65_536

/** Whether bytes lie like sensor values: the upper bits of neighbours of one colour are alike, and not all the same. */
function holdsPixels(reader: ByteReader, { offset, length }: Region, { packed }: Sensor): boolean {
  const step = packed ? 3 : 4
  const first = offset + step * Math.max(0, Math.ceil(-offset / step))
  const end = Math.min(offset + length, reader.size)
  let [pairs, difference] = [0, 0]
  for (let at = first; at + step < end; at += PIECE * step) {
    const bytes = reader.bytes(at, Math.min(PIECE, end - at))
    for (let i = 0; i + step < bytes.length; i += step, pairs++)
      difference += Math.abs(bytes[i] - bytes[i + step])
  }
  return difference > 0 && difference < pairs * UNRELATED
}

function picture(
  reader: ByteReader,
  { orientation }: Header,
  sensor: Sensor,
  start: number,
  holes: readonly Region[],
  rebuilt: Parameters<typeof rawReport>[1],
): ReturnType<typeof rawReport> {
  const length = dataBytes(sensor)
  const there = Math.max(0, reader.size - start)
  const gone = holes.map((hole) => ({ from: hole.offset - start, to: hole.offset + hole.length - start }))
  if (there < length) gone.push({ from: there, to: length })
  if (start < 0) gone.push({ from: 0, to: -start })
  return rawReport(
    {
      codec: 'MRW',
      ...{ width: sensor.width, height: sensor.height, orientation, offset: start, length },
      layout: sensor.packed ? '12 bits a pixel' : '16 bits a pixel',
      gone,
    },
    rebuilt,
  )
}
