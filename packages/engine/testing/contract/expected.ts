import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Recipe } from '../../src/bytes/damage.ts'
import { MemorySink } from '../../src/bytes/sink.ts'
import { type RepairRequest, repair } from '../../src/engine.ts'
import type { Format } from '../../src/formats/format.ts'
import { LimitError } from '../../src/model/errors.ts'
import type { Verdict } from '../../src/model/report.ts'
import { isRecorded } from '../recorded/results.ts'
import type { Fixture } from './fixtures.ts'
import { type Case, situationsOf } from './situations.ts'

/**
 * What becomes of each fixture in each situation: a line of a letter for each case, in the order of `situationsOf`. An engine that gives up
 * where another one repaired, or is content where another one doubted, is seen here.
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

/** Where what is expected of a format is kept. */
export function expectedPath(format: Format): string {
  return fileURLToPath(new URL(`expected/${format.name}.tsv`, import.meta.url))
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
  const path = expectedPath(format)
  const lines = existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n') : []
  const rows = lines.map((line) => line.split('\t')).filter(([name]) => name === fixture.name)
  return new Map(rows.map(([, situation, verdicts]) => [situation, verdicts]))
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
export async function letterOf(report: Promise<{ readonly verdict: Verdict }>): Promise<string> {
  try {
    return LETTERS[(await report).verdict]
  } catch (error) {
    if (error instanceof LimitError) return LIMITED
    throw error
  }
}

/** Lines of what becomes of a fixture now. */
export async function verdictsOf(format: Format, fixture: Fixture): Promise<string[]> {
  const lines: string[] = []
  for (const [situation, cases] of situationsOf(fixture, await recipesOf(format))) {
    let letters = ''
    for (const one of cases()) letters += await letterOf(repair(requestOf(format, fixture, one)))
    lines.push([fixture.name, situation, letters].join('\t'))
  }
  return lines
}
