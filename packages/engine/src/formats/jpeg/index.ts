import type { Limits } from '../../bytes/limits.ts'
import type { ByteSink } from '../../bytes/sink.ts'
import { DOUBT, distinctDoubts } from '../../model/doubt.ts'
import type { Monitor } from '../../model/monitor.ts'
import { withoutPlaces } from '../../model/photo.ts'
import { RAWS } from '../../photo/raw/extensions.ts'
import { SOI } from '../../syntax/jpeg-markers/markers.ts'
import type { Diagnosis, InputFile, PhotoFormat, PhotoOutcome, RepairJob } from '../format.ts'
import { analyse } from './analyse.ts'
import type { Analysis } from './analysis.ts'
import { probe } from './probe.ts'

/** Bytes written between two pauses. */
const WRITE_STEP = 1 << 20

async function diagnose(file: InputFile, limits: Limits, monitor: Monitor): Promise<Diagnosis> {
  monitor.progress('survey', 0)
  await monitor.pause()
  const { findings, healthy, described } = analyse(read(file, limits), undefined)
  const pictures = described
    ? [{ codec: 'jpeg', width: described.frame.width, height: described.frame.height }]
    : []
  return {
    findings,
    omittedFindings: 0,
    healthy,
    sample: healthy ? 'unneeded' : 'helpful',
    tracks: [],
    pictures,
  }
}

async function repair(
  { damaged, sample, limits, monitor }: RepairJob,
  sink: ByteSink,
): Promise<PhotoOutcome> {
  monitor.progress('survey', 0)
  await monitor.pause()
  const bytes = read(damaged, limits)
  const found = analyse(bytes, sample && read(sample, limits))
  const analysis = isStored(damaged, bytes) ? asStored(found) : found
  monitor.progress('recover', 1)
  await monitor.pause()
  const { findings, pictures, doubts, strategies, sampleUsed, reason } = analysis
  const verdict = verdictOf(analysis)
  const wrote = verdict === 'repaired' || verdict === 'partial'
  if (wrote) await write(analysis.parts, sink, monitor)
  return {
    verdict,
    findings,
    omittedFindings: 0,
    strategies,
    pictures: wrote || verdict === 'healthy' ? pictures : [],
    sampleUsed,
    doubts,
    ...(reason === undefined ? {} : { reason }),
  }
}

/** Whether a file is named as a raw photo and does not begin as a JPEG: the picture found in it was stored with the photo. */
function isStored({ extension }: InputFile, bytes: Uint8Array): boolean {
  return RAWS.includes(extension) && (bytes[0] !== 0xff || bytes[1] !== SOI)
}

/** What is to be said of the largest preview of a photo whose own picture is gone. */
function asStored(found: Analysis): Analysis {
  return {
    ...found,
    pictures: withoutPlaces(found.pictures).map((each) =>
      each.role === 'main' ? { ...each, role: 'preview' } : each,
    ),
    doubts: distinctDoubts([DOUBT.previewOnly, ...found.doubts]),
  }
}

function verdictOf({ healthy, parts, doubts }: Analysis): PhotoOutcome['verdict'] {
  if (healthy) return 'healthy'
  if (parts.length === 0) return 'unrepairable'
  return doubts.length === 0 ? 'repaired' : 'partial'
}

async function write(parts: readonly Uint8Array[], sink: ByteSink, monitor: Monitor): Promise<void> {
  const total = parts.reduce((sum, { length }) => sum + length, 0)
  let done = 0
  for (const part of parts) {
    for (let at = 0; at < part.length; at += WRITE_STEP) {
      const piece = part.subarray(at, at + WRITE_STEP)
      sink.write(piece)
      done += piece.length
      monitor.progress('write', done / total)
      await monitor.pause()
    }
  }
}

/** The file's bytes: a photo's coefficients take more memory than they do. Beyond the limit nothing is a photo's. */
function read({ reader }: InputFile, limits: Limits): Uint8Array {
  const bytes = new Uint8Array(Math.min(reader.size, limits.structureBytes))
  return bytes.subarray(0, reader.source.read(0, bytes))
}

/** JPEG still pictures: baseline, extended and progressive; MPO, whose further pictures follow the first. */
export const jpeg: PhotoFormat = {
  name: 'jpeg',
  kind: 'photo',
  extensions: ['jpg', 'jpeg', 'mpo'],
  probe,
  diagnose,
  repair,
}
