import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Project, readProject } from '../boundaries/project.ts'
import { changedLines, sampleOf } from './choose.ts'
import { type Fault, faultsOf } from './faults.ts'
import { judge } from './judge.ts'
import { testsFor } from './nearest-tests.ts'
import { openSandbox } from './sandbox.ts'

const USAGE = `npm run mutants -- [PATH…] [--sample N] [--seed S] [--changed [COMMIT]] [--emptied] [--tests N] [--seconds N]

Plants small faults one by one in a copy of the project, runs the tests that reach them, nearest first, and prints those
that no test noticed.

  PATH            files, folders, or FILE:LINE; everything that is written by hand when only --changed is given
  --sample N      that many faults, drawn at random (20); 0: all
  --seed S        draws others (1)
  --changed       only in lines that differ from a commit: --base COMMIT (HEAD)
  --emptied       empties whole functions instead: what survives is tested by nothing
  --tests N       so many test files for each fault (24)
  --seconds N     so long for the tests of one fault (120): what is not told by then counts for nothing`

const WORDS = {
  noticed: 'noticed',
  survived: 'SURVIVED',
  'out of time': 'no time',
  untested: 'no test',
} as const

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    changed: { type: 'boolean', default: false },
    base: { type: 'string', default: 'HEAD' },
    emptied: { type: 'boolean', default: false },
    tests: { type: 'string', default: '24' },
    seconds: { type: 'string', default: '120' },
    help: { type: 'boolean', default: false },
  },
})

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))))

if (values.help || (positionals.length === 0 && !values.changed)) {
  console.log(USAGE)
  process.exitCode = values.help ? 0 : 2
} else {
  await plantAll()
}

async function plantAll(): Promise<void> {
  const project = readProject(root)
  const all = candidates(project)
  const chosen = values.sample === '0' ? all : sampleOf(all, Number(values.sample), Number(values.seed))
  console.log(`${chosen.length} of ${all.length} faults, seed ${values.seed}`)
  const sandbox = openSandbox(project)
  const known = new Map<string, boolean>()
  const counts = { noticed: 0, survived: 0, 'out of time': 0, untested: 0 }
  try {
    for (const fault of chosen) {
      const tests = testsFor(project, fault.path, Number(values.tests))
      const text = readFileSync(join(root, fault.path), 'utf8')
      const judged = await judge(sandbox, fault, text, tests, { seconds: Number(values.seconds), known })
      const outcome = typeof judged === 'string' ? judged : 'noticed'
      counts[outcome]++
      const by = typeof judged === 'string' ? '' : judged.by
      console.log(`${WORDS[outcome].padEnd(8)}  ${fault.path}:${fault.line}  ${fault.what}  ${by}`.trimEnd())
    }
  } finally {
    sandbox.remove()
  }
  const told = counts.noticed + counts.survived
  const share = told > 0 ? Math.round((100 * counts.noticed) / told) : 100
  const late = counts['out of time']
  // what is noticed at all is noticed soon: those untold are survivors more often than others
  const least = Math.floor((100 * counts.noticed) / Math.max(1, told + late))
  const untold = late > 0 ? `; the time was too short for ${late}: at least ${least}% of all` : ''
  const untested = counts.untested > 0 ? `; no test of ${counts.untested} passes without a fault` : ''
  console.log(`${counts.noticed} of ${told} noticed (${share}%)${untold}${untested}`)
}

function candidates(project: Project): Fault[] {
  const changed = values.changed ? changedLines(root, values.base) : undefined
  const wanted = positionals.map((place) => {
    const [path = '', line] = place.replace(/\/$/, '').split(':')
    return { path, line: line === undefined ? undefined : Number(line) }
  })
  const isWanted = (path: string, line?: number): boolean =>
    wanted.length === 0 ||
    wanted.some(
      (place) =>
        (path === place.path || path.startsWith(`${place.path}/`)) &&
        (line === undefined || place.line === undefined || line === place.line),
    )
  return project.files
    .map(({ path }) => path)
    .filter((path) => /(^|\/)src\//.test(path))
    .filter((path) => isWanted(path))
    .filter((path) => changed === undefined || changed.has(path))
    .flatMap((path) => faultsOf(path, readFileSync(join(root, path), 'utf8'), values.emptied))
    .filter(({ path, line }) => isWanted(path, line) && (changed?.get(path)?.has(line) ?? true))
}
