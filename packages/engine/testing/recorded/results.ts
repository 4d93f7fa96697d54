import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { Recipe } from '../../src/bytes/damage.ts'
import { MemorySink } from '../../src/bytes/sink.ts'
import { MemorySource } from '../../src/bytes/source.ts'
import { repair } from '../../src/engine.ts'
import type { Format } from '../../src/formats/format.ts'
import { RECIPES as ISOBMFF } from '../../src/formats/isobmff/recipes.ts'
import type { Report } from '../../src/model/report.ts'
import type { Fixture } from '../contract/fixtures.ts'

/** Damages whose results are recorded, by the name of the format. */
const RECIPES: Readonly<Record<string, readonly Recipe[]>> = { isobmff: ISOBMFF }
const SEEDS = [1, 2, 3]
/** Hexadecimal digits of an output's SHA-256 that tell it from every other one. */
const DIGITS = 12

export const COLUMNS = ['recipe', 'seed', 'sample', 'verdict', 'doubts', 'counts', 'output'].join('\t')

/** Where the results of a format's fixtures are kept, a line each. */
export function recordPath(format: Format, fixture: Fixture): string {
  return fileURLToPath(new URL(`${format.name}/${fixture.name}.tsv`, import.meta.url))
}

/** Whether a format's results are recorded. */
export function isRecorded(format: Format): boolean {
  return format.name in RECIPES
}

/**
 * Damages a fixture by each recipe of its format and repairs it, with its sample and alone: a line each of what came out. Damages
 * that no seed changes are done once, as seed `-`.
 */
export async function resultsOf(format: Format, fixture: Fixture): Promise<string[]> {
  const lines: string[] = []
  for (const recipe of RECIPES[format.name] ?? []) {
    for (const { seed, bytes } of damages(recipe, fixture.bytes)) {
      for (const sample of fixture.sample ? [fixture.sample, undefined] : [undefined]) {
        const sink = new MemorySink()
        const name = `file.${fixture.extension}`
        const report = await repair({
          damaged: { source: new MemorySource(bytes), name },
          ...(sample ? { sample: { source: new MemorySource(sample), name } } : {}),
          sink,
          formats: [format],
        })
        const cells = [recipe.name, seed, sample ? 'sample' : 'alone', ...told(report), digest(sink.bytes())]
        lines.push(cells.join('\t'))
      }
    }
  }
  return lines
}

function damages(recipe: Recipe, whole: Uint8Array): { seed: string; bytes: Uint8Array }[] {
  const [first, ...others] = SEEDS.map((seed) => ({ seed: `${seed}`, bytes: recipe.apply(whole, seed) }))
  const alike = others.every(({ bytes }) => Buffer.compare(bytes, first.bytes) === 0)
  return alike ? [{ ...first, seed: '-' }] : [first, ...others]
}

/** Verdict, doubts and counts: whole + damaged - lost, with `~` where they are estimated. */
function told(report: Report): string[] {
  const doubts = (report.doubts ?? []).map(({ code }) => code).sort()
  const counts =
    report.kind === 'photo'
      ? report.pictures.map(
          ({ codec, recovered, estimated, lost }) => `${codec} ${recovered}+${estimated}-${lost}`,
        )
      : report.tracks.map(
          ({ codec, recovered, damaged, lost, times }) =>
            `${codec} ${recovered}+${damaged}-${lost}${times === 'estimated' ? '~' : ''}`,
        )
  return [report.verdict, doubts.join(' ') || '-', counts.join(', ') || '-']
}

function digest(bytes: Uint8Array): string {
  return bytes.length === 0 ? '-' : createHash('sha256').update(bytes).digest('hex').slice(0, DIGITS)
}
