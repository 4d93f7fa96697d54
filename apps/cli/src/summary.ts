import {
  type Doubt,
  type EnhancementReport,
  type FileDiagnosis,
  type Finding,
  furtherPhotoPaths,
  type PictureReport,
  printable,
  type Report,
  type TrackReport,
} from '@mendframe/runner'
import { isImproved } from './exit-codes.ts'
import { formatTitle } from './format-titles.ts'
import { formatBytes, formatDuration, table } from './text.ts'

/** Findings and holes shown before the rest is only counted; the report file has them all. */
const SHOWN = 12

/** The account of a repair that a person reads, ready to print. */
export function summarise(report: Report, output: string, verifySeconds: number | undefined): string {
  const sections = [[...headline(report, output), ...furtherPhotoLines(furtherPhotoPaths(output, report))]]
  if (report.verdict !== 'healthy') {
    sections.push(doubtLines(report.doubts ?? []))
    sections.push(findingLines('What was wrong', report.findings, report.omittedFindings))
    if (report.kind === 'recording') sections.push(trackLines(report.tracks), holeLines(report.tracks))
    else sections.push(pictureLines(report.pictures))
  }
  sections.push(enhancementLines(report.enhancements ?? []))
  sections.push(checkLines(report, verifySeconds))
  return join(sections)
}

/** A diagnosis for a person, ready to print. */
export function summariseDiagnosis(diagnosis: FileDiagnosis, file: string): string {
  const head = `${printable(file)}: ${formatTitle(diagnosis.format)}, ${formatBytes(diagnosis.size)}`
  const tracks = diagnosis.tracks.map((track) => [
    String(track.id),
    printable(track.kind),
    printable(track.codec),
    formatDuration(track.duration, true),
  ])
  const columns = [
    { title: 'track', align: 'right' },
    { title: 'kind' },
    { title: 'codec' },
    { title: 'duration', align: 'right' },
  ] as const
  return join([
    [head, ...(diagnosis.healthy ? ['Nothing is wrong with it.'] : [sampleLine(diagnosis)])],
    diagnosis.healthy ? [] : findingLines('What is wrong', diagnosis.findings, diagnosis.omittedFindings),
    tracks.length > 0
      ? [diagnosis.healthy ? 'Tracks' : 'Tracks it still describes', ...table(columns, tracks)]
      : [],
  ])
}

/**
 * What a sample does for a repair. Nothing says that a file of no known kind is one that was lost: it may be of another kind
 * altogether.
 */
function sampleLine({ format, size, sample }: FileDiagnosis): string {
  if (size === 0) return 'There is nothing in it to repair.'
  if (format === 'unknown')
    return 'If it was a recording or a photo, a repair needs a healthy sample from the same camera.'
  return {
    required: 'A repair needs a healthy sample from the same camera.',
    helpful: 'A healthy sample from the same camera helps a repair.',
    unneeded: 'A repair needs no sample.',
  }[sample]
}

function join(sections: readonly (readonly string[])[]): string {
  return `${sections
    .filter((section) => section.length > 0)
    .map((section) => section.join('\n'))
    .join('\n\n')}\n`
}

function headline(report: Report, output: string): string[] {
  const where = printable(output)
  const size = formatBytes(report.output?.size ?? 0)
  switch (report.verdict) {
    case 'repaired':
      return [`Repaired: ${where} (${size}). Everything whose bytes survive is in it.`]
    case 'partial':
      return [`Repaired in part: ${where} (${size}). What is missing or uncertain is told below.`]
    case 'healthy':
      return isImproved(report)
        ? [`Nothing is wrong with the file. ${where} (${size}) is changed as asked, as told below.`]
        : [`Nothing is wrong with the file. ${where} is a copy of it (${size}).`]
    case 'unrepairable':
      return [`Not repairable: ${printable(report.reason ?? 'nothing could be recovered')}`]
  }
}

/** Where photos that follow the first one were saved as well. */
function furtherPhotoLines(paths: readonly string[]): string[] {
  const [first = '', ...others] = paths.map(printable)
  if (first === '') return []
  if (others.length === 0) return [`A further photo is in it, saved as well as ${first}.`]
  return [`${paths.length} further photos are in it, saved as well as ${first} to ${others.at(-1)}.`]
}

function doubtLines(doubts: readonly Doubt[]): string[] {
  if (doubts.length === 0) return []
  return ['What is uncertain', ...doubts.map(({ message }) => `  ${printable(message)}`)]
}

function findingLines(title: string, findings: readonly Finding[], omitted: number): string[] {
  if (findings.length === 0) return []
  const shown = findings.slice(0, SHOWN)
  const rows = shown.map((finding) => [
    finding.severity,
    finding.offset === undefined ? '' : `at ${finding.offset}`,
    `${printable(finding.message)} [${printable(finding.code)}]`,
  ])
  const [, ...lines] = table([{ title: '' }, { title: '', align: 'right' }, { title: '' }], rows)
  const more = findings.length - shown.length + omitted
  return [title, ...lines, ...(more > 0 ? [`  and ${more} more`] : [])]
}

function trackLines(tracks: readonly TrackReport[]): string[] {
  if (tracks.length === 0) return []
  const columns = [
    { title: 'track', align: 'right' },
    { title: 'kind' },
    { title: 'codec' },
    { title: 'recovered', align: 'right' },
    { title: 'damaged', align: 'right' },
    { title: 'lost', align: 'right' },
    { title: 'duration', align: 'right' },
    { title: 'times' },
  ] as const
  const rows = tracks.map((track) => [
    String(track.id),
    track.kind,
    printable(track.codec),
    String(track.recovered),
    String(track.damaged),
    String(track.lost),
    formatDuration(track.duration, true),
    track.times,
  ])
  return ['Tracks', ...table(columns, rows)]
}

function pictureLines(pictures: readonly PictureReport[]): string[] {
  if (pictures.length === 0) return []
  const columns = [
    { title: 'picture' },
    { title: 'codec' },
    { title: 'size', align: 'right' },
    { title: 'coded' },
    { title: 'units' },
    { title: 'recovered', align: 'right' },
    { title: 'estimated', align: 'right' },
    { title: 'lost', align: 'right' },
  ] as const
  const rows = pictures.map((picture) => [
    picture.role,
    printable(picture.codec),
    `${picture.width}x${picture.height}`,
    printable(picture.layout),
    `${picture.total} ${picture.unit}s`,
    String(picture.recovered),
    String(picture.estimated),
    String(picture.lost),
  ])
  const rebuilt = pictures.flatMap(({ rebuilt }) =>
    rebuilt.map(({ part, from }) => `  ${printable(part)}: ${REBUILT_FROM[from]}`),
  )
  return [
    'Pictures',
    ...table(columns, rows),
    ...(rebuilt.length > 0 ? ['Put together anew', ...rebuilt] : []),
  ]
}

const REBUILT_FROM: Readonly<Record<PictureReport['rebuilt'][number]['from'], string>> = {
  file: 'from what the file itself has elsewhere',
  standard: 'as the standard has it',
  sample: 'from the sample',
  fitted: 'found by trying',
  preview: 'from a smaller picture in the file',
}

function holeLines(tracks: readonly TrackReport[]): string[] {
  const holes = tracks.flatMap((track) =>
    track.ranges
      .filter((range) => range.state !== 'recovered')
      .map((range) => [
        `${track.id} ${track.kind}`,
        formatDuration(range.start, true),
        formatDuration(range.end, true),
        range.state,
        // what is damaged is mostly so for no other reason
        range.reason === undefined || range.reason === range.state ? '' : printable(range.reason),
      ]),
  )
  if (holes.length === 0) return []
  const columns = [
    { title: 'track' },
    { title: 'from', align: 'right' },
    { title: 'to', align: 'right' },
    { title: 'state' },
    { title: 'why' },
  ] as const
  const more = holes.length - SHOWN
  return ['Holes', ...table(columns, holes.slice(0, SHOWN)), ...(more > 0 ? [`  and ${more} more`] : [])]
}

function enhancementLines(enhancements: readonly EnhancementReport[]): string[] {
  if (enhancements.length === 0) return []
  const lines = enhancements.map(({ operation, outcome, pictures, reason }) => {
    if (outcome === 'unneeded') return `  ${operation}: nothing to change`
    if (outcome === 'failed')
      return `  ${operation}: not done, ${printable(reason ?? 'for an unknown reason')}`
    const rest = reason === undefined ? '' : `; ${printable(reason)}`
    return `  ${operation}: ${pictures} ${pictures === 1 ? 'picture' : 'pictures'} ${DONE[operation]}${rest}`
  })
  return ['Beyond the repair, as asked for', ...lines]
}

const DONE: Readonly<Record<EnhancementReport['operation'], string>> = {
  conceal: 'encoded anew with the damage concealed',
  deflicker: 'evened out in brightness and encoded anew',
  sharpen: 'sharpened and encoded anew',
  retime: 'given a constant rate',
}

function checkLines(report: Report, verifySeconds: number | undefined): string[] {
  const engine = `Engine time ${report.seconds.toFixed(1)} s.`
  const check = report.verification
  if (!check) return [`${engine} Not checked by decoding.`]
  const took = verifySeconds === undefined ? '' : ` in ${verifySeconds.toFixed(1)} s`
  if (report.kind === 'photo') {
    const [picture] = check.tracks
    const complaint = picture && picture.errors > 0 ? 'with a complaint' : 'without a complaint'
    return [engine, `Checked by decoding${took}: ${picture ? complaint : 'nothing here decodes this kind'}.`]
  }
  const parts = check.tracks
    .filter((track) => track.frames > 0 || track.errors > 0)
    .map(
      (track) =>
        `${track.frames} ${track.kind === 'video' ? 'pictures' : 'sound frames'}, ${track.errors} ${track.errors === 1 ? 'error' : 'errors'}`,
    )
  return [engine, `Checked by decoding${took}: ${parts.join('; ') || 'nothing to decode'}.`]
}
