import type {
  DecodingFault,
  Doubt,
  Finding,
  PhotoReport,
  RecordingReport,
  Report,
  Verification,
} from '@mendframe/engine'
import { DOUBT } from '@mendframe/engine/doubts'
import { LIKELY_REASON, withFaults, withoutFaults } from './placed-faults.ts'

/**
 * The report with the decoder's figures, and with the verdict they allow: a result of which nothing decodes is not
 * repaired, one of which a whole track does not decode is partial, and errors that no damage in the report accounts for make it
 * partial. That holds for a file whose structure is healthy, too: its pictures may be damaged inside. Where no decoder can tell,
 * a healthy file stays healthy, and a repair is in doubt.
 */
export function judge(report: Report, verification: Verification): Report {
  if (isUnchecked(report, verification)) return uncheckedReport(report, verification)
  const dead = deadTracks(verification)
  if (!verification.decodable && dead.length === 0) {
    const { output: _, ...rest } = report
    return {
      ...rest,
      verdict: 'unrepairable',
      verification,
      reason:
        report.verdict === 'healthy'
          ? 'The structure of the file is whole, but nothing in it can be decoded.'
          : 'Nothing that plays could be put together from this file.',
    }
  }
  const findings = [
    ...dead,
    ...unexplainedErrors(report, verification),
    ...tornPictures(report, verification),
    ...otherLooks(report, verification),
  ]
  const figures = withoutFaults(verification)
  const told = report.kind === 'recording' ? withFaults(report, verification) : report
  if (findings.length === 0) return { ...told, verification: figures }
  return {
    ...told,
    verdict: 'partial',
    findings: [...report.findings, ...findings],
    doubts: [
      ...(report.doubts ?? []),
      ...findings.map(({ code }) => DOUBT_OF[code] ?? DOUBT.decodeErrors),
    ].filter(isFirst),
    verification: figures,
  }
}

/** Share of its packets that a track must play for what lies beside it to be of use. */
const LEAST_PLAYED = 0.5

/** Tracks of which nothing decodes beside others that play: sound is kept though no picture comes of its film. */
function deadTracks({ tracks }: Verification): Finding[] {
  const plays = tracks.some(
    ({ packets, frames, errors }) => frames > 0 && packets - errors >= packets * LEAST_PLAYED,
  )
  if (!plays) return []
  return tracks.filter(isDead).map(({ kind, codec }) => ({
    code: 'verify.nothing-decodes',
    severity: 'error',
    message: `nothing in the ${kind} track (${codec}) can be decoded`,
  }))
}

function isDead({ kind, packets, frames, unchecked }: Checked): boolean {
  return (kind === 'video' || kind === 'audio') && packets > 0 && frames === 0 && !unchecked
}

const TORN = 'verify.torn-pictures'
const OTHER_LOOK = 'verify.other-look'
const DOUBT_OF: Readonly<Record<string, Doubt>> = {
  [TORN]: DOUBT.tornPictures,
  [OTHER_LOOK]: DOUBT.otherLook,
}

function isFirst({ code }: Doubt, place: number, all: readonly Doubt[]): boolean {
  return all.findIndex((other) => other.code === code) === place
}

/** True where decoding says nothing of the file. What holds no packet, or does not even open, was not put together well. */
function isUnchecked(report: Report, { unchecked, tracks }: Verification): boolean {
  if (report.verdict === 'healthy') return unchecked !== undefined || tracks.length === 0
  return unchecked !== undefined && (tracks.length === 0 || tracks.some(({ packets }) => packets > 0))
}

function uncheckedReport(report: Report, verification: Verification): Report {
  const why = verification.unchecked ?? 'no decoder here opens it'
  const finding: Finding = {
    code: 'verify.not-checked',
    severity: 'info',
    message: `not checked by decoding: ${why}`,
  }
  const told = { ...report, findings: [...report.findings, finding], verification }
  if (report.verdict === 'healthy') return told
  return { ...told, verdict: 'partial', doubts: [...(report.doubts ?? []), DOUBT.unchecked] }
}

/** A photo said to be whole again has to decode without complaint. Of one that came healthy the engine has read every unit. */
function unexplainedComplaint(report: PhotoReport, verification: Verification): Finding[] {
  const errors = verification.tracks.reduce((sum, track) => sum + track.errors, 0)
  if (errors === 0 || report.verdict !== 'repaired') return []
  if (report.pictures.some((picture) => picture.estimated > 0 || picture.lost > 0)) return []
  return [
    { code: 'verify.decode-errors', severity: 'warning', message: 'a decoder complains of the picture' },
  ]
}

/** Errors that a decoder makes of one damaged unit, or behind one hole, at most: it refuses it, and shows what it concealed. */
const ERRORS_EACH = 2
/** Codecs whose decoders refuse every picture that refers to a lost one, up to the next key picture. */
const REFUSED: ReadonlySet<string> = new Set(['av1', 'vp8', 'vp9'])

function unexplainedErrors(report: Report, verification: Verification): Finding[] {
  if (report.kind === 'photo') return unexplainedComplaint(report, verification)
  if (report.verdict !== 'repaired' && report.verdict !== 'healthy') return []
  return verification.tracks
    .filter((track) => track.errors > explainedErrors(report, track))
    .map((track) => ({
      code: 'verify.decode-errors',
      severity: 'warning',
      message: `${track.errors} decoding errors in the ${track.kind} track (${track.codec})`,
    }))
}

/**
 * A repair whose frames are not what their track declares was put together of the wrong parts. Cameras' own files may declare
 * what they like, also those that only lacked an index, of which nothing was hit.
 */
function otherLooks(report: Report, { tracks }: Verification): Finding[] {
  if (report.kind === 'photo' || report.verdict !== 'repaired') return []
  if (!report.findings.some(({ severity }) => severity === 'error')) return []
  return tracks
    .filter(({ declared }) => declared !== undefined)
    .map((track) => ({
      code: OTHER_LOOK,
      severity: 'warning',
      message: `the ${track.kind} track (${track.codec}) declares ${track.declared} and decodes to ${lookOf(track)}`,
    }))
}

function lookOf({
  width,
  height,
  pixelFormat,
  sampleRate,
  channels,
}: Verification['tracks'][number]): string {
  return width === undefined ? `${sampleRate} Hz, ${channels} channels` : `${width}x${height}, ${pixelFormat}`
}

/**
 * Pictures that were hit inside, beside those that the report tells of. Where nothing but their bits is wrong a repair has done
 * its part.
 */
function tornPictures(report: Report, verification: Verification): Finding[] {
  if (report.kind === 'photo' || (report.verdict !== 'repaired' && report.verdict !== 'healthy')) return []
  const told = withFaults(
    report,
    report.verdict === 'repaired' ? unexplained(report, verification) : verification,
  )
  const torn = told.tracks.flatMap(({ ranges }) => ranges.filter(({ reason }) => reason === LIKELY_REASON))
  if (torn.length === 0) return []
  return [
    {
      code: TORN,
      severity: 'warning',
      message: `pictures in ${torn.length} places were likely hit inside: their bits end where no picture ends`,
    },
  ]
}

/**
 * The figures without the pictures that no decoder complains of and of which nothing but bits inside was hit: reading them shows
 * it, or they lie where the recording's own index says.
 */
function unexplained(report: RecordingReport, verification: Verification): Verification {
  const tracks = verification.tracks.map((track) => {
    const isKnown = isPlaced(report, track)
    const isLeft = ({ likely, inside }: DecodingFault): boolean =>
      !likely || (!isKnown && inside === undefined)
    return track.faults ? { ...track, faults: track.faults.filter(isLeft) } : track
  })
  return { ...verification, tracks }
}

/** Codecs, as decoders call them, of which every picture is a key picture and has its own tables and sizes. */
const SELF_CONTAINED: ReadonlySet<string> = new Set(['mjpeg', 'prores', 'dnxhd', 'dvvideo'])

/** Share of a track's packets in which errors may be that lie where its own index says. */
const MOST_HIT = 0.5

/**
 * Share of a track's packets in which bits may be hit where its index was lost or hit itself: of more, nobody knows whether they
 * are that track's units, cut where it had them.
 */
const MOST_INSIDE = 1 / 8

/**
 * Whether what decoding finds in tracks of a kind is damage to their bytes, because the recording's own index says where they
 * lie, or because each unit brings along all that it is decoded by.
 */
function isPlaced({ tracks }: RecordingReport, { kind, codec, packets, errors }: Checked): boolean {
  const known = tracks.filter((track) => track.kind === kind)
  const isKnown = SELF_CONTAINED.has(codec) || known.every(({ placed }) => placed)
  return known.length > 0 && isKnown && errors <= packets * MOST_HIT
}

type Checked = Verification['tracks'][number]

/**
 * Decoding errors that the damage to tracks of a kind accounts for, and in a repair the bits that were hit inside its pictures.
 */
function explainedErrors(report: RecordingReport, track: Checked): number {
  const { tracks, verdict } = report
  const { kind, faults = [], packets } = track
  if (verdict === 'repaired' && isPlaced(report, track)) return Number.POSITIVE_INFINITY
  const inside = faults.reduce((sum, fault) => sum + (fault.inside ?? 0), 0)
  const isRare = inside <= packets * MOST_INSIDE
  let errors = verdict === 'repaired' && isRare ? ERRORS_EACH * inside : 0
  for (const { codec, damaged, lost, ranges } of tracks.filter((track) => track.kind === kind)) {
    if (lost > 0 && REFUSED.has(codec)) return Number.POSITIVE_INFINITY
    const holes = ranges.filter(({ state }) => state === 'lost').length
    errors += ERRORS_EACH * (damaged + holes)
  }
  return errors
}
