import type { DecodingFault, RecordingReport, TimeRange, TrackReport, Verification } from '@mendframe/engine'

/** Reasons of stretches that decoding found, beside the engine's own. */
export const REFUSED_REASON = 'does not decode as it should'
export const LIKELY_REASON = 'likely damaged inside'

/**
 * The tracks of a report with what decoding found in them: stretches that do not decode as they should are damaged ones, beside
 * those known before. A file whose structure is whole has no tracks in its report yet: they are as decoding saw them.
 */
export function withFaults(report: RecordingReport, verification: Verification): RecordingReport {
  const tracks = report.tracks.length > 0 ? report.tracks : tracksOf(verification)
  const seen = new Map<TrackReport['kind'], number>()
  return {
    ...report,
    tracks: tracks.map((track) => {
      const place = seen.get(track.kind) ?? 0
      seen.set(track.kind, place + 1)
      const checked = verification.tracks.filter(({ kind }) => kind === track.kind)[place]
      return checked?.faults ? withStretches(track, checked.faults) : track
    }),
  }
}

/** The figures without the stretches, which the report's tracks have. */
export function withoutFaults(verification: Verification): Verification {
  return { ...verification, tracks: verification.tracks.map(({ faults: _, ...track }) => track) }
}

/** Tracks of a file that was left as it is. */
function tracksOf({ tracks }: Verification): TrackReport[] {
  return tracks.map((track, index) => ({
    id: index + 1,
    kind: track.kind,
    codec: track.codec,
    recovered: unitsOf(track),
    damaged: 0,
    lost: 0,
    duration: track.duration ?? 0,
    times: 'exact',
    ranges: [],
  }))
}

/** Coded units; of plain sound, samples over all channels. */
function unitsOf({ codec, packets, duration, sampleRate }: Verification['tracks'][number]): number {
  if (!codec.startsWith('pcm_')) return packets
  return Math.round((duration ?? 0) * (sampleRate ?? 0))
}

function withStretches(track: TrackReport, faults: readonly DecodingFault[]): TrackReport {
  const known = track.ranges.filter(({ state }) => state !== 'recovered')
  const found = joined(faults.filter((fault) => !known.some((range) => covers(range, fault))))
  if (found.length === 0) return track
  const units = Math.min(
    found.reduce((sum, fault) => sum + fault.units, 0),
    track.recovered,
  )
  const stretches = found.map(
    ({ start, end, likely }): TimeRange => ({
      start,
      end,
      state: 'damaged',
      reason: likely ? LIKELY_REASON : REFUSED_REASON,
    }),
  )
  const whole = track.ranges.filter(({ state }) => state === 'recovered')
  const ranges = [...known, ...stretches, ...stretches.reduce(without, whole)]
  return {
    ...track,
    recovered: track.recovered - units,
    damaged: track.damaged + units,
    ranges: ranges.sort((a, b) => a.start - b.start),
  }
}

/** Whether a stretch of a track, whose units are in the order of decoding, has a fault. */
function covers(range: TimeRange, fault: DecodingFault): boolean {
  if (fault.decoded === undefined) return overlap(range, fault)
  return range.start - TOLERANCE <= fault.decoded && fault.decoded < range.end - TOLERANCE
}

/** Faults in order, with likely ones that touch put together. */
function joined(faults: readonly DecodingFault[]): DecodingFault[] {
  const all: DecodingFault[] = []
  for (const fault of faults) {
    const last = all.at(-1)
    if (last?.likely && fault.likely && fault.start <= last.end + TOLERANCE)
      all[all.length - 1] = {
        ...last,
        end: Math.max(fault.end, last.end),
        units: last.units + fault.units,
      }
    else all.push(fault)
  }
  return all
}

/** What is left of stretches beside another. Where bytes lie is only known of whole ones. */
function without(ranges: readonly TimeRange[], hit: TimeRange): TimeRange[] {
  return ranges.flatMap((range) => {
    if (!overlap(range, hit)) return [range]
    const { offset: _offset, length: _length, ...rest } = range
    return [
      { ...rest, end: hit.start },
      { ...rest, start: hit.end },
    ].filter((part) => part.end > part.start)
  })
}

function overlap(a: { start: number; end: number }, b: { start: number; end: number }): boolean {
  return a.start < b.end - TOLERANCE && b.start < a.end - TOLERANCE
}

/** Seconds that times of a report may be rounded by. */
const TOLERANCE = 0.002
