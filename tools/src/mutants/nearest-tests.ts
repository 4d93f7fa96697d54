import { posix } from 'node:path'
import type { Project, SourceFile } from '../boundaries/project.ts'

/**
 * The test files that reach `path` by imports or by scripts that are started, nearest first: those that import it themselves,
 * then those whose paths share most words with it, then those that come to it in fewer steps: an index that imports everything
 * puts every test as near as a codec's own. Where no test reaches it, those of its workspace.
 */
export function nearestTests(project: Project, path: string): string[] {
  const importers = importersOf(project)
  const seen = new Set([path])
  const rings: string[][] = []
  for (let ring = [path]; ring.length > 0; ) {
    const next = ring.flatMap((file) => importers.get(file) ?? []).filter((file) => !seen.has(file))
    ring = [...new Set(next)].sort()
    for (const file of ring) seen.add(file)
    rings.push(ring.filter(isTest))
  }
  const [door = [], ...farther] = rings
  const tests = [...byLikeness(door, path), ...byLikeness(farther.flat(), path)]
  if (tests.length > 0) return tests
  const folder = project.workspaces.find((workspace) => path.startsWith(`${workspace.folder}/`))?.folder
  const own = project.files
    .map((file) => file.path)
    .filter((file) => isTest(file) && file.startsWith(`${folder}/`))
  return byLikeness(own, path)
}

/**
 * The `most` nearest test files, suites that take minutes last; with those whose part about the format of `path` may notice more.
 */
export function testsFor(project: Project, path: string, most: number): string[] {
  const all = nearestTests(project, path)
  const isOwn = partOfSuites(path) !== undefined
  const chosen = all.filter((test, place) => place < most || (isOwn && SUITES.test(test)))
  return chosen.sort((a, b) => Number(SUITES.test(a)) - Number(SUITES.test(b)))
}

/** Suites that hold every format to the same, named by it: each is minutes long as a whole. */
export const SUITES = /^packages\/engine\/test\/(contract|recorded)\.test\.ts$/

/** Names of the tests in `SUITES` that are about the format whose folder holds `path`; undefined where none does. */
export function partOfSuites(path: string): string | undefined {
  const [, format] = /^packages\/engine\/src\/formats\/([^/]+)\//.exec(path) ?? []
  return format && `formats together|(format|recordings of) ${format} `
}

/**
 * Those first whose paths have most words in common with `path` and fewest of their own: what looks at the whole comes before
 * what belongs to another room. Else in the order they came.
 */
function byLikeness(tests: readonly string[], path: string): string[] {
  const words = wordsOf(path)
  const likeness = new Map(tests.map((test) => [test, shareOf(wordsOf(test), words)]))
  return tests.toSorted((a, b) => (likeness.get(b) ?? 0) - (likeness.get(a) ?? 0))
}

function shareOf(own: ReadonlySet<string>, words: ReadonlySet<string>): number {
  return own.intersection(words).size / own.size
}

function wordsOf(path: string): Set<string> {
  return new Set(path.split(/[/.]/))
}

/** Journeys run the built product as a whole, `services/` needs servers: neither is of the quick suites. */
function isTest(path: string): boolean {
  return /\.test\.tsx?$/.test(path) && !/(^e2e|\/services)\//.test(path)
}

function importersOf(project: Project): Map<string, string[]> {
  const importers = new Map<string, string[]>()
  for (const file of project.files) {
    const targets = file.imports.filter(({ typeOnly }) => !typeOnly).map(({ target }) => target)
    for (const target of [...targets, ...startedBy(file)]) {
      const known = importers.get(target)
      if (known) known.push(file.path)
      else importers.set(target, [file.path])
    }
  }
  return importers
}

const SCRIPT = /new URL\(\s*'(\.[^'\n]+\.ts)', import\.meta\.url\)/g

/** Scripts beside a file that it starts as processes of their own: what these import is reached by its tests, too. */
function startedBy({ path, text }: SourceFile): string[] {
  return [...text.matchAll(SCRIPT)].map(([, script = '']) => posix.join(posix.dirname(path), script))
}
