import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { KINDS, type Trial, tryFile } from './trial.ts'

const USAGE = `usage: npm run real -- FOLDER [options]
  repairs every file of a folder as it is, without a sample, and says which are worse off than before
  --only TEXT    files whose path contains it
  --jobs N       files at a time, 2 by default
  --all          a line for every file, not only for those that are worse off`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', default: '' },
    jobs: { type: 'string', default: '2' },
    all: { type: 'boolean', default: false },
  },
})
const [folder] = positionals
if (folder === undefined) {
  console.error(USAGE)
  process.exit(2)
}

const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.includes(values.only) && statSync(join(folder, name)).isFile())
  .sort()
const work = mkdtempSync(join(tmpdir(), 'mendframe-real-'))
const trials: Trial[] = []
const queue = [...files.entries()]

async function run(): Promise<void> {
  for (let next = queue.shift(); next; next = queue.shift()) {
    const [index, name] = next
    const trial = await tryFile(join(folder, name), join(work, `${index}-`))
    trials.push(trial)
    if (values.all || trial.worse)
      console.log([trial.worse ? 'WORSE' : 'ok', trial.kind, name, trial.words].join('\t'))
  }
}

try {
  await Promise.all(Array.from({ length: Number(values.jobs) }, run))
} finally {
  rmSync(work, { recursive: true, force: true })
}
console.log(`\n${trials.length} files`)
for (const [kind, words] of Object.entries(KINDS)) {
  const count = trials.filter((trial) => trial.kind === kind).length
  console.log(`${String(count).padStart(6)}  ${words}`)
}
const worse = trials.filter((trial) => trial.worse).length
console.log(`${String(worse).padStart(6)}  worse off than before`)
process.exitCode = worse > 0 ? 1 : 0
