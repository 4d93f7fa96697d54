import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { filesOf } from '../files.ts'
import { table } from './table.ts'
import { isTextNamedAsTransport } from './transport.ts'
import { type Trial, tryFile } from './trial.ts'

const USAGE = `usage: npm run real -- FOLDER... [options]
  repairs every file of the folders as it is, without a sample, and says which are worse off than before;
  exit status 1 where one is
  --only TEXT    files whose path contains it
  --jobs N       files at a time, 2 by default
  --all          a line for every file, not only for those that did not come back byte for byte`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', default: '' },
    jobs: { type: 'string', default: '2' },
    all: { type: 'boolean', default: false },
  },
})
if (positionals.length === 0) {
  console.error(USAGE)
  process.exit(2)
}

const files = positionals.flatMap((folder) =>
  filesOf([folder], values.only)
    .filter((path) => !isTextNamedAsTransport(path))
    .map((path) => ({ folder, path })),
)
const work = mkdtempSync(join(tmpdir(), 'mendframe-real-'))
const trials: (Trial & { readonly folder: string })[] = []
const queue = [...files.entries()]

async function run(): Promise<void> {
  for (let next = queue.shift(); next; next = queue.shift()) {
    const [index, { folder, path }] = next
    const trial = await tryFile(path, join(work, `${index}-`))
    trials.push({ ...trial, folder: basename(folder) })
    if (values.all || trial.kind !== 'same')
      console.log(
        [
          trial.worse ? 'WORSE' : 'ok',
          trial.kind,
          basename(folder),
          relative(folder, path),
          trial.words,
        ].join('\t'),
      )
  }
}

try {
  await Promise.all(Array.from({ length: Number(values.jobs) }, run))
} finally {
  rmSync(work, { recursive: true, force: true })
}
console.log(`\n${table(trials)}`)
process.exitCode = trials.some(({ worse }) => worse) ? 1 : 0
