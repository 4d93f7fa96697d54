import type { Limits } from '../../bytes/limits.ts'
import type { Monitor } from '../../model/monitor.ts'
import type { Diagnosis, InputFile } from '../format.ts'
import { type Assessment, assess } from './assess.ts'
import { deduced } from './findings.ts'
import type { MovieTrack } from './read/movie.ts'
import { deduceReading } from './ways/deduce-reading.ts'

/** Diagnoses a file: structures, every sample of the index, durations. Never throws for damage. */
export async function diagnose(file: InputFile, limits: Limits, monitor: Monitor): Promise<Diagnosis> {
  const assessment = await assess(file.reader, limits, monitor)
  const { findings, reading } = assessment
  return {
    findings: findings.list,
    omittedFindings: findings.omitted,
    healthy: assessment.healthy,
    sample: await sampleNeed(assessment, file, limits, monitor),
    tracks: (reading.movie?.tracks ?? []).map((track) => ({
      id: track.description.id,
      kind: track.description.kind,
      codec: track.description.codec,
      duration: mediaSeconds(track),
    })),
  }
}

/** A track is usable when its codec configuration and at least one sample are there. */
export function isUsable(track: MovieTrack): boolean {
  return track.sampleDescription.length > 0 && track.samples.length > 0 && !track.external
}

/**
 * Whether repair needs a sample: not while every track still says what it is and where its samples are, nor where the payload
 * tells all of it. It helps where tracks are missing or facts are estimated. Adds what the payload tells to the findings.
 */
async function sampleNeed(
  assessment: Assessment,
  file: InputFile,
  limits: Limits,
  monitor: Monitor,
): Promise<Diagnosis['sample']> {
  const tracks = assessment.reading.movie?.tracks ?? []
  const usable = tracks.filter(isUsable)
  if (usable.length > 0) return usable.length === tracks.length ? 'unneeded' : 'helpful'
  const found = await deduceReading({ reader: file.reader, limits, monitor }, assessment.reading)
  if (!found) return 'required'
  for (const { what, by, estimated } of found.facts) assessment.findings.add(deduced(what, by, estimated))
  return found.facts.some(({ estimated }) => estimated) ? 'helpful' : 'unneeded'
}

/** Seconds of a track's media, by its tables. */
export function mediaSeconds(track: MovieTrack): number {
  const { samples, description } = track
  const last = samples.length - 1
  if (last < 0) return track.mediaHeader.duration / description.timescale
  return (samples.dts[last] + samples.duration[last] - samples.dts[0]) / description.timescale
}
