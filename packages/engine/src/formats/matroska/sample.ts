import type { Limits } from '../../bytes/limits.ts'
import type { ByteReader } from '../../bytes/reader.ts'
import type { Monitor } from '../../model/monitor.ts'
import { ElementHeader, readUnsigned, UNKNOWN_SIZE } from '../../syntax/ebml/element.ts'
import { CLUSTER, CRC_32, EBML, INFO, SEGMENT, TIMESTAMP, TRACKS } from './ids.ts'
import { clusterDistance } from './mend/cluster-layout.ts'
import { readDocType, readInfo, USUAL_SCALE } from './read/info.ts'
import type { MatroskaTrack } from './read/track.ts'
import { readTracks } from './read/track.ts'

/** What a healthy recording of the same program tells of one whose head is gone. */
export interface SampleHead {
  readonly tracks: readonly MatroskaTrack[]
  /** Nanoseconds of a tick. */
  readonly scale: number
  readonly docType: string | undefined
  /** Ticks that each of its Clusters lasts, 0 when they differ. */
  readonly clusterDistance: number
}

const MOST_ELEMENTS = 100_000

/** Reads a sample's head; undefined where it has no tracks. */
export async function readSample(
  reader: ByteReader,
  limits: Limits,
  monitor: Monitor,
): Promise<SampleHead | undefined> {
  const header = new ElementHeader()
  const inner = new ElementHeader()
  const clusters: { headed: boolean; time: number | undefined }[] = []
  let tracks: readonly MatroskaTrack[] = []
  let docType: string | undefined
  let scale = USUAL_SCALE
  let at = 0
  for (let count = 0; count < MOST_ELEMENTS && header.read(reader, at, reader.size); count++) {
    await monitor.pause()
    const { id, offset, body, end } = header
    if (id === SEGMENT) {
      at = body
      continue
    }
    if (header.size === UNKNOWN_SIZE || end > reader.size) break
    const element = { id, offset, body, end }
    if (id === EBML) docType = readDocType(reader, element)
    if (id === INFO) scale = readInfo(reader, element)?.scale ?? scale
    if (id === TRACKS && tracks.length === 0) tracks = readTracks(reader, element, limits.tracks).tracks
    if (id === CLUSTER) {
      inner.read(reader, body, end)
      if (inner.id === CRC_32) inner.read(reader, inner.end, end)
      if (inner.id === TIMESTAMP) clusters.push({ headed: true, time: readUnsigned(reader, inner) })
    }
    at = end
  }
  return tracks.length > 0
    ? { tracks, scale, docType, clusterDistance: clusterDistance(clusters) }
    : undefined
}
