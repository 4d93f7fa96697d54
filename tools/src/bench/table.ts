import type { CaseResult, ToolResult } from './cases.ts'

export interface Summary {
  readonly tool: string
  readonly cases: number
  readonly mean: Readonly<Record<Measure, number>>
  readonly worst: Readonly<Record<Measure, { readonly value: number; readonly where: string }>>
  /** Cases in which the result holds fewer of the oracle's frames or packets than the damaged file already gave. */
  readonly worsened: readonly string[]
  readonly peakBytes: number
}

const MEASURES = ['frames', 'times', 'audio', 'data', 'structure'] as const
type Measure = (typeof MEASURES)[number]

export const CASE_HEADER = [
  '| clip | damage | as it came: frames / times / audio | repairer | frames | times | audio | data | structure | sound late | status | seconds |',
  '|---|---|---|---|---|---|---|---|---|---|---|---|',
].join('\n')

/** One line of the table a repairer. */
export function caseLines(result: CaseResult): string {
  const { before } = result
  const came = [before.frames, before.times, before.audio].map(percent).join(' / ')
  return result.results
    .map(({ tool, score, status, seconds }) => {
      const sync = score.sync === undefined ? '' : `${Math.round(score.sync * 1000)} ms`
      const cells = [
        result.clip,
        result.damage,
        came,
        tool,
        ...MEASURES.map((measure) => percent(score[measure])),
        sync,
      ]
      return `| ${[...cells, status ?? 'killed', seconds.toFixed(2)].join(' | ')} |`
    })
    .join('\n')
}

export function summarise(results: readonly CaseResult[]): Summary[] {
  const tools = [...new Set(results.flatMap((result) => result.results.map(({ tool }) => tool)))]
  return tools.map((tool) => {
    const rows = results.flatMap((result) =>
      result.results
        .filter((found) => found.tool === tool)
        .map((found) => ({ result, found, where: `${result.clip} ${result.damage}` })),
    )
    const mean = (measure: Measure): number =>
      rows.reduce((sum, { found }) => sum + found.score[measure], 0) / rows.length
    const worst = (measure: Measure): { value: number; where: string } => {
      const [first] = [...rows].sort((a, b) => a.found.score[measure] - b.found.score[measure])
      return { value: first?.found.score[measure] ?? 0, where: first?.where ?? '' }
    }
    return {
      tool,
      cases: rows.length,
      mean: byMeasure(mean),
      worst: byMeasure(worst),
      worsened: rows.filter(({ result, found }) => isWorse(result, found)).map(({ where }) => where),
      peakBytes: Math.max(...rows.map(({ found }) => found.peakBytes)),
    }
  })
}

function byMeasure<T>(of: (measure: Measure) => T): Record<Measure, T> {
  return {
    frames: of('frames'),
    times: of('times'),
    audio: of('audio'),
    data: of('data'),
    structure: of('structure'),
  }
}

function isWorse({ before }: CaseResult, { score }: ToolResult): boolean {
  return MEASURES.some((measure) => score[measure] < before[measure])
}

export function summaryLines(summaries: readonly Summary[]): string {
  const lines = ['| repairer | cases | measure | mean | worst | where |', '|---|---|---|---|---|---|']
  for (const { tool, cases, mean, worst } of summaries) {
    for (const measure of MEASURES) {
      const low = worst[measure]
      lines.push(
        `| ${tool} | ${cases} | ${measure} | ${percent(mean[measure])} | ${percent(low.value)} | ${low.where} |`,
      )
    }
  }
  for (const { tool, worsened, peakBytes } of summaries) {
    const memory = peakBytes > 0 ? `${Math.round(peakBytes / 1024 ** 2)} MiB at most` : 'unknown'
    lines.push(
      '',
      `${tool}: memory ${memory}; worse than it came: ${worsened.length > 0 ? worsened.join(', ') : 'nowhere'}`,
    )
  }
  return lines.join('\n')
}

/** Exit statuses that promise that nothing is missing: repaired, nothing wrong. */
const PROMISES: readonly (number | undefined)[] = [0, 4]
/** Share of frames, times and sound under which such a promise is broken, and from which on a result deserves one. */
const KEPT = 0.97
const DESERVED = 0.99
/** Seconds by which sound may be late or early and few notice (ITU-R BT.1359-1 Annex 1): beyond, the promise is broken, too. */
const OUT_OF_STEP = 0.125

/** How many results of our own promise more than they hold, and how many that hold all promise it. */
export function promiseLine(results: readonly CaseResult[]): string {
  const rows = results.flatMap(({ clip, damage, results: [own] }) => {
    if (!own) return []
    const { frames, times, audio, sync = 0 } = own.score
    const lowest = Math.abs(sync) > OUT_OF_STEP ? 0 : Math.min(frames, times, audio)
    return [{ where: `${clip} ${damage}`, lowest, status: own.status }]
  })
  const broken = rows.filter(({ lowest, status }) => PROMISES.includes(status) && lowest < KEPT)
  const whole = rows.filter(({ lowest }) => lowest >= DESERVED)
  const told = whole.filter(({ status }) => PROMISES.includes(status))
  const where = broken.length > 0 ? `: ${broken.map((row) => row.where).join(', ')}` : ''
  return `called repaired under 97%, or with sound out of step: ${broken.length}${where}; of ${whole.length} from 99% on, called repaired: ${told.length}`
}

/** Exit statuses that are an answer: repaired, in part, nothing wrong, not repairable. */
const ANSWERS: readonly (number | undefined)[] = [0, 3, 4, 5]

/** What repairers said when they ended with a fault, a line each. */
export function faultLines(results: readonly CaseResult[]): string {
  return results
    .flatMap((result) =>
      result.results
        .filter(({ status }) => !ANSWERS.includes(status))
        .map(
          ({ tool, stderr }) =>
            `${result.clip} ${result.damage}: ${tool}: ${stderr.split('\n').at(-1) ?? ''}`,
        ),
    )
    .join('\n')
}

/** Per cent with as many digits as tell 99.95 from 100. */
function percent(share: number): string {
  const value = Math.floor(share * 1000) / 10
  return `${value === 100 ? '100' : value.toFixed(1)}`
}
