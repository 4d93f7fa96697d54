import type { Limits } from '../../bytes/limits.ts'
import type { ByteReader } from '../../bytes/reader.ts'
import type { Region } from '../../bytes/regions.ts'
import { Findings } from '../../model/finding.ts'
import type { Monitor } from '../../model/monitor.ts'
import { codedHoles } from '../../photo/raw/unwritten.ts'
import { type Box, bodyOf, isCut, readBox, readChildren } from '../../syntax/iso-boxes/box.ts'
import {
  fileTypeLost,
  metadataHit,
  movieLost,
  payloadHeaderWrong,
  trackCut,
  trackHit,
  trackMisplaced,
} from './findings.ts'
import { type Movie, readMovie, type Track } from './read/container.ts'
import { readCrx } from './read/crx.ts'
import { metadataBytes } from './read/timed-metadata.ts'
import { findUuid, UUID } from './read/uuids.ts'

/** A file read as far as it can be, every track held against the bytes. */
export interface Assessment {
  readonly findings: Findings
  readonly fileType: Box | undefined
  readonly movie: Movie | undefined
  /** The box of the payload. */
  readonly payload: Box | undefined
  /** Every track begins where it is said to, by its bytes. */
  readonly placed: boolean
  /** Stretches of the main raw picture that are zeros. */
  readonly holes: readonly Region[]
  readonly healthy: boolean
}

/** Bytes in which `moov` is looked for where the boxes in front of it are gone. */
const LOOK = 256 * 1024
const SOI = 0xffd8

/** Reads a file and holds every track against its bytes. */
export async function assess(reader: ByteReader, limits: Limits, monitor: Monitor): Promise<Assessment> {
  const findings = new Findings(limits.findings)
  const first = readBox(reader, 0, reader.size)
  const fileType = first?.type === 'ftyp' && reader.fourcc(bodyOf(first)) === 'crx ' ? first : undefined
  if (!fileType) findings.add(fileTypeLost())
  await monitor.pause()
  const box = movieBox(reader)
  const fits = box && !isCut(box) && box.size <= limits.structureBytes
  const movie = fits ? readMovie(reader, box) : undefined
  monitor.progress('diagnose', 1)
  const base = { findings, fileType, movie }
  if (!movie) {
    findings.add(movieLost())
    return { ...base, payload: undefined, placed: false, holes: [], healthy: false }
  }
  if (movie.brokenMetadata.length > 0) findings.add(metadataHit(movie.brokenMetadata, movie.box.offset))
  const payload = payloadBox(reader, movie)
  if (!payload || !holdsTracks(payload, movie)) {
    const at = payload?.offset ?? Math.min(movie.box.end, reader.size)
    findings.add(payloadHeaderWrong(at, payload?.size ?? 0))
  }
  let placed = true
  for (const track of movie.tracks) {
    const missing = Math.max(0, Math.min(track.size, track.offset + track.size - reader.size))
    if (missing > 0) findings.add(trackCut(track.kind, Math.min(track.offset, reader.size), missing))
    if (track.offset < reader.size && !begins(reader, track)) {
      placed = false
      findings.add(trackMisplaced(track.kind, track.offset, Math.min(track.size, reader.size - track.offset)))
    }
  }
  const { offset, size } = movie.main
  const holes = placed ? await codedHoles(reader, { offset, length: size }, monitor) : []
  for (const hole of holes) findings.add(trackHit('raw', hole.offset, hole.length))
  return { ...base, payload, placed, holes, healthy: findings.healthy }
}

function movieBox(reader: ByteReader): Box | undefined {
  const chained = readChildren(reader, 0, Math.min(reader.size, LOOK)).boxes.find(
    ({ type }) => type === 'moov',
  )
  if (chained) return readBox(reader, chained.offset, reader.size)
  const inner = findUuid(reader, UUID.canon, 8, LOOK)
  return inner >= 8 && reader.fourcc(inner - 4) === 'moov'
    ? readBox(reader, inner - 8, reader.size)
    : undefined
}

/** The `mdat` behind `moov`, in the chain of boxes or, where a box in between is hit, in front of the first track. */
function payloadBox(reader: ByteReader, { box, tracks }: Movie): Box | undefined {
  const chained = readChildren(reader, box.end, reader.size).boxes.find(({ type }) => type === 'mdat')
  if (chained) return chained
  const start = Math.min(...tracks.map(({ offset }) => offset))
  for (const header of [8, 16]) {
    const found = readBox(reader, start - header, reader.size)
    if (found?.type === 'mdat' && found.header === header) return found
  }
  return undefined
}

function holdsTracks(payload: Box, { tracks }: Movie): boolean {
  const end = payload.offset + payload.size
  return tracks.every(({ offset, size }) => offset >= bodyOf(payload) && offset + size <= end)
}

/** Whether bytes of a track's kind begin where it does, as far as the file holds them. */
export function begins(reader: ByteReader, { kind, raw, offset, size }: Track): boolean {
  if (kind === 'jpeg') return offset + 2 > reader.size || reader.u16(offset) === SOI
  if (kind === 'metadata') return offset + size > reader.size || metadataBytes(reader, offset, size) === size
  if (!raw) return true
  if (offset + raw.header > reader.size) return true
  const stream = readCrx(reader, offset)
  return stream?.header === raw.header && stream.length === size
}
