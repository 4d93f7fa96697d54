import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Recipe } from '../../src/bytes/damage.ts'
import { MemorySink } from '../../src/bytes/sink.ts'
import { type RepairRequest, repair } from '../../src/engine.ts'
import type { Format } from '../../src/formats/format.ts'
import type { Report, Verdict } from '../../src/model/report.ts'
import { isRecorded } from '../recorded/results.ts'
import type { Fixture } from './fixtures.ts'
import { type Case, situationsOf } from './situations.ts'

/**
 * What becomes of each fixture in each situation: a line of a letter for each case, in the order of `situationsOf`. An engine
 * that gives up where another one repaired, or is content where another one doubted, is seen here.
 */
const LETTERS: Readonly<Record<Verdict, string>> = {
  healthy: 'h',
  repaired: 'r',
  partial: 'p',
  unrepairable: 'u',
}
/** A limit was met, and said so. */
const LIMITED = 'L'
export const COLUMNS = ['fixture', 'situation', 'verdicts'].join('\t')
export const RESULT_COLUMNS = ['fixture', 'situation', 'results'].join('\t')
/** Hexadecimal digits of a SHA-256 that tell results from all others. */
const DIGITS = 12

/** Where what is expected of a format is kept. */
export function expectedPath(format: Format): string {
  return fileURLToPath(new URL(`expected/${format.name}.tsv`, import.meta.url))
}

/** Where it is kept what came of a format's cases, down to the last byte. */
export function resultsPath(format: Format): string {
  return fileURLToPath(new URL(`results/${format.name}.tsv`, import.meta.url))
}

/** Whether what comes of a situation is held to the byte: of damages as they happen, not of lies. */
export function isHeld(situation: string): boolean {
  return situation.startsWith('recipe:') || ['cut anywhere', 'without its beginning'].includes(situation)
}

/** All that came of a situation's cases but sentences: findings and doubts by code, accounts, bytes. */
export class Results {
  readonly #hash = createHash('sha256')

  add(report: Report, output: Uint8Array): void {
    const findings = report.findings.map(({ message: _, clause: __, ...finding }) => finding)
    const doubts = report.doubts?.map(({ code }) => code)
    const account = report.kind === 'recording' ? report.tracks : report.pictures
    this.#hash.update(JSON.stringify([report.verdict, doubts, findings, account])).update(output)
  }

  digest(): string {
    return this.#hash.digest('hex').slice(0, DIGITS)
  }
}

/** The damages that a format's own folder lists; of a format whose results are recorded in full, they are held there. */
export async function recipesOf(format: Format): Promise<readonly Recipe[]> {
  if (isRecorded(format)) return []
  const { RECIPES }: { RECIPES: readonly Recipe[] } = await import(
    `../../src/formats/${format.name}/recipes.ts`
  )
  return RECIPES
}

/** The verdicts that are expected of a fixture, by situation. */
export function expectedOf(format: Format, fixture: Fixture): ReadonlyMap<string, string> {
  return rowsOf(expectedPath(format), fixture)
}

/** Digests of all that came of a fixture, by situation. */
export function resultsOf(format: Format, fixture: Fixture): ReadonlyMap<string, string> {
  return rowsOf(resultsPath(format), fixture)
}

function rowsOf(path: string, fixture: Fixture): ReadonlyMap<string, string> {
  const lines = existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n') : []
  const rows = lines.map((line) => line.split('\t')).filter(([name]) => name === fixture.name)
  return new Map(rows.map(([, situation, cell]) => [situation, cell]))
}

/** What the engine is asked in a case. */
export function requestOf(format: Format, fixture: Fixture, { source, sample, limits }: Case): RepairRequest {
  const name = `file.${fixture.extension}`
  return {
    damaged: { source, name },
    ...(sample ? { sample: { source: sample, name } } : {}),
    ...(limits ? { limits } : {}),
    sink: new MemorySink(),
    formats: [format],
  }
}

/** The letter of what came of a case. */
export async function letterOf(report: Promise<Pick<Report, 'verdict' | 'findings'>>): Promise<string> {
  const { verdict, findings } = await report
  return findings.some(({ code }) => code === 'file.beyond-limits') ? LIMITED : LETTERS[verdict]
}

/** Lines of what becomes of a fixture now. */
export async function verdictsOf(
  format: Format,
  fixture: Fixture,
): Promise<{ readonly verdicts: string[]; readonly results: string[] }> {
  const verdicts: string[] = []
  const held: string[] = []
  for (const [situation, cases] of situationsOf(fixture, await recipesOf(format))) {
    let letters = ''
    const results = new Results()
    for (const one of cases()) {
      const sink = new MemorySink()
      const report = repair({ ...requestOf(format, fixture, one), sink })
      letters += await letterOf(report)
      if (isHeld(situation)) results.add(await report, sink.bytes())
    }
    verdicts.push([fixture.name, situation, letters].join('\t'))
    if (isHeld(situation)) held.push([fixture.name, situation, results.digest()].join('\t'))
  }
  return { verdicts, results: held }
}
