import { DEFAULT_LIMITS } from '../../src/bytes/limits.ts'
import { ByteReader } from '../../src/bytes/reader.ts'
import { MemorySource } from '../../src/bytes/source.ts'
import type { MovieTrack } from '../../src/formats/isobmff/read/movie.ts'
import { readFile } from '../../src/formats/isobmff/read/read.ts'
import { Findings } from '../../src/model/finding.ts'
import { SILENT } from '../../src/model/monitor.ts'
import type { TrackKind } from '../../src/model/report.ts'

/** A sample of a track; of plain sound all samples of a chunk. */
export interface ReadSample {
  readonly position: number
  readonly size: number
  /** Seconds from the film's start at which it is shown. */
  readonly pts: number
  readonly duration: number
}

/** A track as the file's index tells it. */
export interface ReadTrack {
  readonly kind: TrackKind
  readonly codec: string
  /** Its samples are frames of plain sound. */
  readonly plain: boolean
  /** In decoding order. */
  readonly samples: readonly ReadSample[]
}

/** The tracks of an ISO media file as a player finds them; none where it tells of no movie. */
export async function readRecording(bytes: Uint8Array): Promise<ReadTrack[]> {
  const reader = new ByteReader(new MemorySource(bytes))
  const { movie } = await readFile(reader, DEFAULT_LIMITS, new Findings(0), SILENT, 'walk')
  if (!movie) return []
  return movie.tracks.map((track) => ({
    kind: track.description.kind,
    codec: track.description.codec,
    plain: track.layout.rows === 'runs',
    samples: samplesOf(track, startOf(track, movie.header.timescale)),
  }))
}

/** Seconds by which the edit list shows samples later than they are numbered (ISO/IEC 14496-12:2022 §8.6.6). */
function startOf({ edits = [], description }: MovieTrack, movieScale: number): number {
  let wait = 0
  for (const { duration, mediaTime } of edits) {
    if (mediaTime >= 0) return wait - mediaTime / description.timescale
    wait += duration / movieScale
  }
  return wait
}

function samplesOf({ samples, description: { timescale } }: MovieTrack, start: number): ReadSample[] {
  return Array.from({ length: samples.length }, (_, row) => ({
    position: samples.offset[row] ?? 0,
    size: samples.size[row] ?? 0,
    pts: start + ((samples.dts[row] ?? 0) + (samples.cts[row] ?? 0)) / timescale,
    duration: (samples.duration[row] ?? 0) / timescale,
  }))
}
