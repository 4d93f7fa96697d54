import type { Region } from '../../bytes/regions.ts'
import type { ByteSink } from '../../bytes/sink.ts'
import { Splice } from '../../bytes/splice.ts'
import { doubtsThat } from '../../model/doubt.ts'
import type { PictureReport } from '../../model/photo.ts'
import { healthyRaw, lostRaw, type MendedRaw, mendedRaw } from '../../photo/raw/raw-outcome.ts'
import { rawReport } from '../../photo/raw/raw-report.ts'
import type { PhotoOutcome, RepairJob } from '../format.ts'
import { type Assessment, assess } from './assess.ts'
import { withoutPersonal } from './properties.ts'
import { COLUMNS_AT, headerLength, type Picture, type Section } from './read.ts'
import { directoryBytes } from './write.ts'

const NO_SENSOR =
  "What says how the sensor's data is coded is gone: a photo of the same camera as a sample may help."
const LEAST_HEADER = 40

/**
 * Repairs a photo by its own sections, with a sample's header where its own is lost; else names the largest picture stored in it.
 */
export async function repair(job: RepairJob, sink: ByteSink): Promise<PhotoOutcome> {
  const { reader } = job.damaged
  const own = await assess(reader, job.limits, job.monitor)
  const { sensor, findings } = own
  if (sensor && own.healthy) return healthyRaw(findings, picture(sensor, sensor.section, own.holes, []))
  const mended = sensor && (await newStructures(job, own, sensor))
  return mended
    ? mendedRaw(reader, findings, mended, sink, job.monitor)
    : lostRaw(reader, findings, NO_SENSOR, job.monitor)
}

/** The file's sections where they are, behind a header and in front of a directory. */
async function newStructures(
  job: RepairJob,
  own: Assessment,
  sensor: Picture,
): Promise<MendedRaw | undefined> {
  const { reader } = job.damaged
  const { directory, headed, sections } = own
  const sample = await sampleOf(job)
  if (!headed && !sample) return undefined
  const missing = directory?.missing ?? 0
  const rebuilt: PictureReport['rebuilt'][number][] = []
  const splice = new Splice()
  const header = headed ? undefined : (sample?.header ?? new Uint8Array(0))
  let shift = missing
  if (header) {
    new DataView(header.buffer).setUint32(COLUMNS_AT, sensor.width, true)
    new DataView(header.buffer).setUint32(COLUMNS_AT + 4, sensor.height, true)
    splice.bytes(header)
    rebuilt.push({ part: 'header', from: 'sample' })
    // without a directory to tell it, what begins with a section lost its header and no more
    if (!directory) shift = Math.max(0, header.length - Math.min(...sections.map(({ offset }) => offset)))
    splice.fill(0, shift - header.length)
  }
  const end = directory?.offset ?? reader.size
  splice.copy(Math.max(0, splice.size - shift), end - Math.max(0, splice.size - shift))
  const cut = !directory && sections.at(-1)?.offset === sensor.section.offset
  const signs = new Set(sections.map(({ sign }) => sign))
  const borrowed = directory ? [] : (sample?.beside ?? []).filter(({ section }) => !signs.has(section.sign))
  const entries = sections.map((section) => ({ ...section, offset: section.offset + shift }))
  for (const { section, bytes } of borrowed) entries.push({ ...section, offset: splice.bytes(bytes) })
  if (borrowed.length > 0) rebuilt.push({ part: 'calibration and properties', from: 'sample' })
  if (directory && directory.broken === 0) splice.copy(directory.offset, reader.size - directory.offset)
  else {
    splice.bytes(directoryBytes(entries, splice.size))
    rebuilt.push({ part: 'directory', from: 'file' })
  }
  // how long the sensor's data was is told by what follows it, else by a sample's
  const whole = cut ? Math.max(sensor.section.length, sample?.sensorBytes ?? 0) : sensor.section.length
  const report = picture(sensor, { offset: sensor.section.offset, length: whole }, own.holes, rebuilt, cut)
  return {
    splice,
    picture: report,
    doubts: doubtsThat({
      // where the sensor's data ends is not told where nothing follows it
      areasLost: report.lost > 0 || cut,
      metadata: header !== undefined || borrowed.length > 0,
      beside: !directory || directory.broken > 0,
      placement: report.estimated > 0,
    }),
    strategy: { name: 'own-sections', outcome: `${sections.length} sections` },
    sampleUsed: sample && (header || borrowed.length > 0) ? ['structure', 'metadata'] : [],
  }
}

interface SampleParts {
  readonly header: Uint8Array
  readonly sensorBytes: number
  /** Its sections that hold no picture. */
  readonly beside: readonly { readonly section: Section; readonly bytes: Uint8Array }[]
}

/** Of the header: what numbers the photo, alone among all. ExifTool's tag documentation, `SigmaRaw Header`. */
const PHOTO_ID = { from: 8, to: 24 } as const

/** Sections beside pictures: calibration takes up to a few hundred kilobytes. */
const MOST_BESIDE = 16 * 1024 * 1024
const MOST_HEADER = 4_096

async function sampleOf(job: RepairJob): Promise<SampleParts | undefined> {
  if (!job.sample) return undefined
  const { reader } = job.sample
  const { sections, sensor, healthy } = await assess(reader, job.limits, job.monitor)
  const length = headerLength(sections)
  if (!healthy || length < LEAST_HEADER || length > MOST_HEADER) return undefined
  const header = Uint8Array.from(reader.bytes(0, length))
  header.fill(0, PHOTO_ID.from, PHOTO_ID.to)
  return {
    header,
    sensorBytes: sensor?.section.length ?? 0,
    beside: sections
      .filter(({ sign, length: bytes }) => sign !== 'SECi' && bytes <= MOST_BESIDE)
      .map((section) => ({ section, bytes: withoutPersonal(reader, section) })),
  }
}

function picture(
  { section, width, height, format }: Picture,
  { offset, length }: Region,
  holes: readonly Region[],
  rebuilt: PictureReport['rebuilt'],
  cut = false,
): PictureReport {
  const gone = holes.map((hole) => ({ from: hole.offset - offset, to: hole.offset + hole.length - offset }))
  if (length > section.length) gone.push({ from: section.length, to: length })
  // nothing tells how much of it is missing
  else if (cut) gone.push({ from: 0, to: 0 })
  return rawReport(
    {
      codec: 'X3F',
      chained: true,
      ...{ width, height, orientation: 1, offset, length, gone },
      layout: `format ${format}`,
    },
    rebuilt,
  )
}
