import type { ByteReader } from '../../bytes/reader.ts'
import type { Region } from '../../bytes/regions.ts'
import type { ByteSink } from '../../bytes/sink.ts'
import { Splice } from '../../bytes/splice.ts'
import { doubtsThat } from '../../model/doubt.ts'
import { healthyRaw, lostRaw, type MendedRaw, mendedRaw } from '../../photo/raw/raw-outcome.ts'
import { codedHoles, FILLER } from '../../photo/raw/unwritten.ts'
import { boxBytes, isCut, readBox } from '../../syntax/iso-boxes/box.ts'
import { BoxWriter } from '../../syntax/iso-boxes/box-writer.ts'
import type { PhotoOutcome, RepairJob } from '../format.ts'
import { type Assessment, assess } from './assess.ts'
import { locatePayload } from './mend/locate.ts'
import { matchTracks } from './mend/match-sample.ts'
import type { Movie } from './read/container.ts'
import { emptyMetadata } from './read/timed-metadata.ts'
import { findUuid, UUID } from './read/uuids.ts'
import { pictureReport } from './report.ts'
import { fileTypeBytes, rebuild } from './write/rebuild.ts'

const NO_MOVIE =
  'What says how the raw picture is coded is gone: a photo of the same camera and the same quality setting as a sample brings it back.'
const NO_RAW = 'Nothing of the raw picture survives.'
/** Bytes for a pixel that a raw picture takes at most: beyond, its size is not to be believed. */
const MOST_PIXEL_BYTES = 4
const SLACK = 64 * 1024 * 1024
/** Boxes beside the movie: in front of the payload. */
const LOOK = 4 * 1024 * 1024

/** Repairs a photo by its own structures, or by a sample's where they are gone; else names the largest picture stored in it. */
export async function repair(job: RepairJob, sink: ByteSink): Promise<PhotoOutcome> {
  const { reader } = job.damaged
  const assessment = await assess(reader, job.limits, job.monitor)
  const { movie, healthy, findings } = assessment
  if (movie && healthy) return healthyRaw(findings, pictureReport(reader, movie, place(movie), [], []))
  const own = movie && assessment.placed ? complete(reader, assessment, movie) : undefined
  const mended = own ?? (await putTogether(job, assessment))
  return mended
    ? mendedRaw(reader, findings, mended, sink, job.monitor)
    : lostRaw(reader, findings, movie ? NO_RAW : NO_MOVIE, job.monitor)
}

function place({ main }: Movie): Region {
  return { offset: main.offset, length: main.size }
}

/** The file with its own structures, which all lie where they say: what is missing at its end is filled up. */
function complete(reader: ByteReader, assessment: Assessment, movie: Movie): MendedRaw | undefined {
  const { main, tracks, box } = movie
  const end = Math.max(...tracks.map(({ offset, size }) => offset + size))
  const most = main.raw.width * main.raw.height * MOST_PIXEL_BYTES + SLACK
  const start = Math.min(...tracks.map(({ offset }) => offset))
  if (main.offset + main.raw.header >= reader.size || end - reader.size > most || start < box.end)
    return undefined
  const splice = new Splice()
  const { fileType, payload } = assessment
  const ownType = fileType ? boxBytes(reader, fileType, LOOK) : fileTypeBytes()
  // what stands between type and movie, and between movie and payload, stays where it is
  if (ownType.length > box.offset) return undefined
  splice.bytes(ownType)
  splice.copy(ownType.length, start - PAYLOAD_HEADER - ownType.length)
  if (payload && payload.offset + payload.header === start && payload.offset + payload.size >= end)
    splice.copy(start - PAYLOAD_HEADER, PAYLOAD_HEADER)
  else splice.bytes(payloadHeader(PAYLOAD_HEADER + Math.max(end, reader.size) - start))
  splice.copy(start, Math.min(reader.size, Math.max(end, reader.size)) - start)
  const metadata = tracks.find(({ kind, offset, size }) => kind === 'metadata' && offset + size > reader.size)
  // timed metadata that is cut off says nothing anymore, and is put together anew
  if (metadata && (metadata.offset < reader.size || metadata.offset + metadata.size < end)) return undefined
  const tail = metadata?.size ?? 0
  splice.fill(FILLER.coded, end - tail - reader.size)
  splice.bytes(emptyMetadata(tail))
  const rebuilt = fileType ? [] : [{ part: 'file type', from: 'standard' as const }]
  const report = pictureReport(reader, movie, place(movie), assessment.holes, rebuilt)
  const doubts = doubtsThat({
    areasLost: report.lost > 0,
    metadata: tail > 0 || movie.brokenMetadata.length > 0,
  })
  return {
    splice,
    picture: report,
    doubts,
    strategy: {
      name: 'own-structures',
      outcome: 'the file’s own structures around what is left of its payload',
    },
    sampleUsed: [],
  }
}

const PAYLOAD_HEADER = 16

function payloadHeader(size: number): Uint8Array {
  const writer = new BoxWriter()
  writer.u32(1)
  writer.fourcc('mdat')
  writer.i64(size)
  return writer.bytes().slice()
}

/** The payload's pictures, found by their bytes, behind the file's own movie or a sample's. */
async function putTogether(job: RepairJob, assessment: Assessment): Promise<MendedRaw | undefined> {
  const { reader } = job.damaged
  const found = await locatePayload(reader, job.monitor)
  if (found.raws.length === 0) return undefined
  const own = assessment.movie && { reader, movie: assessment.movie, fileType: assessment.fileType }
  const ownTracks = own && matchTracks(own.movie, found)
  const sample = ownTracks ? undefined : await sampleOf(job)
  const source = ownTracks ? own : sample
  const tracks = ownTracks ?? (sample && matchTracks(sample.movie, found))
  const main = tracks?.find(({ track }) => track.offsetAt === source?.movie.main.offsetAt)?.place
  if (!source || !tracks || !main) return undefined
  const xmp = wholeBox(reader, UUID.xmp) ?? undefined
  const preview = wholeBox(reader, UUID.preview)
  const splice = rebuild(reader, {
    fileType: source.fileType ? boxBytes(source.reader, source.fileType, LOOK) : fileTypeBytes(),
    ...{ reader: source.reader, movie: source.movie, foreign: !ownTracks, tracks, xmp, preview },
  })
  const holes = await codedHoles(reader, main, job.monitor)
  const rebuilt = ownTracks
    ? [{ part: 'places of the pictures', from: 'file' as const }]
    : [{ part: 'file type, movie and metadata', from: 'sample' as const }]
  const report = pictureReport(reader, source.movie, main, holes, rebuilt)
  const lostTracks = tracks.some(({ track, place: at }) => !at && track.kind !== 'other')
  const doubts = doubtsThat({
    areasLost: report.lost > 0,
    metadata: !ownTracks || lostTracks || source.movie.brokenMetadata.length > 0,
    orientation: !ownTracks,
    beside: lostTracks || !preview,
  })
  return {
    splice,
    picture: report,
    doubts,
    strategy: {
      name: ownTracks ? 'found-pictures' : 'sample-movie',
      outcome: `${found.raws.length} raw picture${found.raws.length === 1 ? '' : 's'} found by their headers`,
    },
    sampleUsed: ownTracks ? [] : ['codec configuration', 'structure', 'metadata'],
  }
}

async function sampleOf(
  job: RepairJob,
): Promise<
  (Pick<Assessment, 'fileType'> & { readonly reader: ByteReader; readonly movie: Movie }) | undefined
> {
  if (!job.sample) return undefined
  const { reader } = job.sample
  const { movie, fileType, healthy } = await assess(reader, job.limits, job.monitor)
  return movie && healthy ? { reader, movie, fileType } : undefined
}

function wholeBox(reader: ByteReader, uuid: string): Region | undefined {
  const at = findUuid(reader, uuid, 0, Math.min(reader.size, LOOK))
  const box = at < 0 ? undefined : readBox(reader, at, reader.size)
  return box && !isCut(box) ? { offset: box.offset, length: box.end - box.offset } : undefined
}
