import type { RepairReport, Verdict } from '@mendframe/contract'
import { plural } from '../../../shared/lib/format.ts'
import { type FlowState, isUnderWay } from '../flow/flow-state.ts'
import { NO_CONNECTION } from '../workspace/waiting-line.ts'

type Picture = RepairReport['pictures'][number]

const HEADLINES: Readonly<Record<Verdict, string>> = {
  repaired: 'Everything that survived is back.',
  partial: 'Your photo opens again, with gaps.',
  healthy: 'Nothing is wrong with this photo.',
  unrepairable: 'This photo could not be repaired.',
}

/** The first line of a photo's result. */
export function photoHeadline(verdict: Verdict, report: RepairReport | undefined): string {
  return verdict === 'partial' && hasNoGaps(report)
    ? 'Your photo opens again. Not everything about it is certain.'
    : HEADLINES[verdict]
}

/** Nothing of the picture is known to be gone: what keeps its repair from being complete is then an estimate or a doubt. */
function hasNoGaps(report: RepairReport | undefined): boolean {
  return report !== undefined && mainPicture(report)?.lost === 0
}

/** Tenths of a percent in a whole. */
const WHOLE = 1000

/**
 * `98.4%`, `Less than 0.1%`: each part of a whole that they make up together. The first is cut, so that it never claims more than
 * was found; what cutting leaves over goes to the others, those first that lost most by it, so that they add up to the whole.
 */
export function sharesInWords(parts: readonly [number, ...number[]], total: number): readonly string[] {
  if (total <= 0) return parts.map(() => '100%')
  const shares = parts.map((part) => {
    const exact = (part / total) * WHOLE
    return { tenths: Math.floor(exact), cut: exact % 1 }
  })
  const over = WHOLE - shares.reduce((sum, { tenths }) => sum + tenths, 0)
  const takers = shares.slice(1).filter(({ tenths }) => tenths > 0)
  for (const share of takers.sort((a, b) => b.cut - a.cut).slice(0, over)) share.tenths++
  return shares.map(({ tenths }) => {
    if (tenths >= WHOLE) return '100%'
    return tenths === 0 ? 'Less than 0.1%' : `${(tenths / 10).toFixed(1)}%`
  })
}

/** The picture that the report is about. */
export function mainPicture(report: RepairReport): Picture | undefined {
  return report.pictures.find(({ role }) => role === 'main') ?? report.pictures[0]
}

/** Doubts that leave the picture itself as it was recorded: they are about what is stored with it. */
const BESIDE_THE_PICTURE: ReadonlySet<string> = new Set(['metadata', 'orientation', 'beside'])

/** What became of a picture, in a few short sentences that claim no more than the doubts of the report allow. */
export function pictureInWords(
  picture: Picture,
  doubts: NonNullable<RepairReport['doubts']> = [],
): readonly string[] {
  const { total, recovered, estimated, lost, areas } = picture
  if (estimated === 0 && lost === 0) {
    return [
      doubts.every(({ code }) => BESIDE_THE_PICTURE.has(code))
        ? 'The whole picture is exactly as it was recorded.'
        : 'No part of the picture that was found is known to be gone.',
    ]
  }
  const [ofRecovered, ofEstimated, ofLost] = sharesInWords([recovered, estimated, lost], total)
  const lines = [`${ofRecovered} of the picture is exactly as it was recorded.`]
  if (estimated > 0)
    lines.push(`${ofEstimated} is back with its place, its brightness or its colour estimated.`)
  if (lost > 0) lines.push(`${ofLost} is ${lostInWords(areas)}.`)
  return lines
}

/** What is to be seen of what is lost. */
function lostInWords(areas: Picture['areas']): string {
  const states = new Set(areas.map(({ state }) => state))
  if (states.has('hit') && !states.has('lost') && !states.has('filled'))
    return 'hit: what it shows behind there is not what was recorded'
  const instead = states.has('filled')
    ? '; a stored preview or what lies around it stands there instead'
    : states.has('hit')
      ? ', or was hit, and shows something else from there on'
      : ''
  return `gone and cannot be brought back${instead}`
}

/** Parts whose names only engineers know. */
const PARTS: Readonly<Record<string, string>> = {
  signature: 'the mark at which the file begins',
  canvas: 'the size of the whole picture',
  chunks: 'the marks between the parts of the file',
  palette: 'the list of colours',
  'file type': 'the mark that says what kind of file this is',
  'frame header': 'size and form of the picture',
  'scan header': 'the mark at which the picture begins',
  'quantisation tables': 'the tables of brightness and colour',
  'Huffman tables': 'the tables by which the picture is read',
}

const SOURCES: Readonly<Record<string, string>> = {
  file: 'from what the file still holds',
  standard: 'from the tables of the standard',
  sample: 'from the sample',
  fitted: 'by trying what fits',
  preview: 'from the preview inside the file',
}

/** What was put together anew, and from what: a line each. */
export function rebuiltInWords({ rebuilt }: Picture): readonly string[] {
  return rebuilt.map(({ part, from }) => {
    const known = PARTS[part] ?? `the ${part}`
    return `${known.charAt(0).toUpperCase()}${known.slice(1)}, ${SOURCES[from] ?? from}.`
  })
}

/** What an outlined area is, beside its outline. */
export const AREA_WORDS: Readonly<Record<string, string>> = {
  lost: 'Lost',
  filled: 'Lost, filled in',
  hit: 'Hit',
  estimated: 'Estimated',
}

/** How a photo of several stands, in a word or two. */
export function photoStatus({ transfer, damaged, repair }: FlowState, queued: boolean): string {
  if (transfer) {
    if (transfer.state === 'failed') return transfer.refused ? 'Not taken' : 'The upload has stopped'
    if (transfer.state === 'waiting') return NO_CONNECTION
    const percent = transfer.file.bytes > 0 ? Math.floor((transfer.sent / transfer.file.bytes) * 100) : 0
    return `Uploading, ${percent}%`
  }
  if (isUnderWay(repair) && repair.unheard) return NO_CONNECTION
  switch (repair.kind) {
    case 'idle':
      if (!damaged) return 'Waiting to be sent'
      return queued ? 'Waiting for its turn' : 'Not started'
    case 'analyzing':
      if (repair.ahead === undefined) return 'Analyzing...'
      return repair.ahead === 0 ? 'Next in line' : `Waiting, ${plural(repair.ahead, 'repair')} before`
    case 'running':
      return `Repairing, ${Math.floor(repair.progress.percentage)}%`
    case 'preview':
      return 'Generating Preview'
    case 'failed':
      return repair.title
    case 'done':
      if (repair.result.deleted) return 'Deleted'
      return {
        repaired: 'Repaired',
        partial: hasNoGaps(repair.result.report) ? 'Repaired, not all certain' : 'Repaired with gaps',
        healthy: 'Nothing wrong',
        unrepairable: 'Not repaired',
      }[repair.result.verdict]
  }
}

/** What people hear who do not see the list: how many are ready. */
export function batchInWords(states: readonly FlowState[]): string {
  const ended = states.filter(({ repair }) => repair.kind === 'done' || repair.kind === 'failed').length
  return `${ended} of ${plural(states.length, 'photo')} ${ended === 1 ? 'is' : 'are'} ready.`
}
