import { bitsApart } from '../../bytes/bits-apart.ts'
import type { ByteReader } from '../../bytes/reader.ts'
import type { Region } from '../../bytes/regions.ts'
import type { ByteSink } from '../../bytes/sink.ts'
import { Splice } from '../../bytes/splice.ts'
import { isZero } from '../../bytes/zeros.ts'
import { doubtsThat } from '../../model/doubt.ts'
import type { Monitor } from '../../model/monitor.ts'
import type { PictureReport } from '../../model/photo.ts'
import { healthyRaw, lostRaw, type MendedRaw, mendedRaw } from '../../photo/raw/raw-outcome.ts'
import { rawReport } from '../../photo/raw/raw-report.ts'
import type { PhotoOutcome, RepairJob } from '../format.ts'
import { type Assessment, assess } from './assess.ts'
import { type HeadlessHeap, headlessHeap } from './find-heap.ts'
import { directoryFromSample } from './from-sample.ts'
import { HEADER_BYTES, headerBytes, headerBytesOf, type Sensor } from './read.ts'
import { readOnBehind } from './read-on.ts'

const PIECE = 65_536

const NO_DIRECTORY =
  'What says how the raw picture is coded stood at the end of the file and is gone: a photo of the same camera as a sample brings it back.'

/** Repairs a photo by its own directories, or by a sample's; else names the largest picture stored in it. */
export async function repair(job: RepairJob, sink: ByteSink): Promise<PhotoOutcome> {
  const { reader } = job.damaged
  const own = await assess(reader, job.limits, job.monitor)
  const { raw, sensor, findings } = own
  if (raw && sensor && own.healthy)
    return healthyRaw(findings, picture(sensor, raw, own.lowBits, raw.length, [], []))
  const read = await readOn(reader, own, job.monitor)
  const mended = read ?? newHeader(reader, own) ?? (await newDirectory(job))
  return mended
    ? mendedRaw(reader, findings, mended, sink, job.monitor)
    : lostRaw(reader, findings, NO_DIRECTORY, job.monitor)
}

/** The raw picture read on behind what is gone of its code, by the file's own directories. */
async function readOn(reader: ByteReader, own: Assessment, monitor: Monitor): Promise<MendedRaw | undefined> {
  const found = ownHeap(reader, own)
  if (!found) return undefined
  const { heap, raw, sensor } = found
  const missing = Math.max(0, -heap.start)
  const code = raw.offset + own.lowBits
  const holes = own.holes.filter(({ offset, length }) => offset + length > code)
  const [first] = holes
  const last = holes.at(-1)
  const from = missing > 0 ? heap.start : first?.offset
  const to = last ? last.offset + last.length : 0
  if (from === undefined) return undefined
  const header = own.headed ? Uint8Array.from(reader.bytes(0, heap.start)) : undefined
  const hole = { offset: from, length: Math.max(0, to) - from }
  return readOnBehind(reader, { heap, raw, sensor, lowBits: own.lowBits, hole, header, missing }, monitor)
}

/** The heap with the raw picture, where its directories survive. */
function ownHeap(
  reader: ByteReader,
  own: Assessment,
): Pick<HeadlessHeap, 'heap' | 'raw' | 'sensor'> | undefined {
  return own.heap && own.raw && own.sensor
    ? { heap: own.heap, raw: own.raw, sensor: own.sensor }
    : headlessHeap(reader)
}

/** The file's own heap behind a new header: every file of the kind has the same one. */
function newHeader(reader: ByteReader, own: Assessment): MendedRaw | undefined {
  const found = ownHeap(reader, own)
  if (!found) return undefined
  const { heap, raw, sensor } = found
  const splice = new Splice()
  if (own.headed) splice.copy(0, heap.start)
  else splice.bytes(headerBytes())
  const from = Math.max(0, heap.start)
  // bytes of the heap that were cut away in front are zeros again
  splice.fill(0, from - heap.start)
  splice.copy(from, heap.end - from)
  const cut = from - heap.start
  const lost = cut > 0 ? [{ offset: heap.start, length: cut }] : []
  const report = picture(
    sensor,
    raw,
    own.lowBits,
    raw.length,
    [...lost, ...own.holes],
    own.headed ? [] : [{ part: 'header', from: 'standard' }],
  )
  return {
    splice,
    picture: report,
    doubts: doubtsThat({
      areasLost: report.lost > 0,
      placement: report.estimated > 0,
      beginningHit: !own.headed && cut === 0 && isBeginningHit(reader, own),
    }),
    strategy: { name: 'own-directories', outcome: `a heap of ${heap.end - heap.start} bytes` },
    sampleUsed: [],
  }
}

/** Bits of a header by which single hits change it: what overwrites it goes on behind. */
const FEW_BITS = 4

/** Whether what overwrote the header may go on in the lowest bits of the raw picture, which follow it and carry no check. */
function isBeginningHit(reader: ByteReader, { lowBits, raw }: Assessment): boolean {
  if (lowBits === 0 || (raw && raw.offset > HEADER_BYTES)) return false
  if (isZero(reader, 0, HEADER_BYTES)) return isZero(reader, HEADER_BYTES, HEADER_BYTES + 1)
  return bitsApart(headerBytes(), reader.bytes(0, HEADER_BYTES)) > FEW_BITS
}

/** The raw picture, which comes first in the file, in front of directories made from a sample's. */
async function newDirectory(job: RepairJob): Promise<MendedRaw | undefined> {
  const { reader } = job.damaged
  if (!holdsCode(reader)) return undefined
  const header = headerBytesOf(reader)
  const made = await directoryFromSample(job, header ?? (isZero(reader, 0, HEADER_BYTES) ? HEADER_BYTES : 0))
  if (!made) return undefined
  const { splice, sensor, raw, there, guessed, holes, lowBits } = made
  const report = picture(sensor, raw, lowBits, there, holes, [
    { part: 'directories and metadata', from: 'sample' },
  ])
  return {
    splice,
    picture: report,
    doubts: doubtsThat({
      areasLost: report.lost > 0,
      metadata: true,
      orientation: true,
      placement: guessed || report.estimated > 0,
    }),
    strategy: {
      name: 'sample-directories',
      outcome: `${there} bytes of the raw picture behind the sample's directories`,
    },
    sampleUsed: ['structure', 'metadata'],
  }
}

/**
 * Whether bytes are coded as in a raw picture: a zero stands behind each 0xff there, as in JPEG (ITU-T T.81 §B.1.1.5), where
 * other bytes have one behind one in 256. Uncoded low bits stand in front, directories behind: half of them is enough.
 */
function holdsCode(reader: ByteReader): boolean {
  let [marks, stuffed] = [0, 0]
  for (let at = HEADER_BYTES; at < reader.size; at += PIECE) {
    const bytes = reader.bytes(at, Math.min(PIECE, reader.size - at))
    for (let i = bytes.indexOf(0xff); i >= 0 && i + 1 < bytes.length; i = bytes.indexOf(0xff, i + 1)) {
      marks++
      if (bytes[i + 1] === 0) stuffed++
    }
  }
  return stuffed * 2 > marks
}

function picture(
  { width, height, orientation }: Sensor,
  { offset, length }: Region,
  lowBits: number,
  there: number,
  holes: readonly Region[],
  rebuilt: PictureReport['rebuilt'],
): PictureReport {
  const gone = holes.map((hole) => ({ from: hole.offset - offset, to: hole.offset + hole.length - offset }))
  if (there < length) gone.push({ from: there, to: length })
  // in low bits every value has its place; of what is one code the rest is out of place
  const chained = gone.some(({ to }) => to > lowBits)
  const of = chained ? length : lowBits
  return rawReport(
    { codec: 'CRW', chained, width, height, orientation, layout: 'sensor data', offset, length: of, gone },
    rebuilt,
  )
}
