import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { containerOf } from '../bench/containers.ts'
import type { Damages } from '../bench/damage.ts'
import { DAMAGES } from '../bench/damages.ts'
import { BOX_DAMAGES } from '../bench/damages-boxes.ts'
import { filesOf } from '../files.ts'
import { readTracks } from './measure.ts'
import { headOf, type Kept, type Subject, type Trial, tryDamage } from './trial.ts'
import { changes, isFalse, isTelling, isWorse, line, summary } from './verdicts.ts'

const USAGE = `usage: npm run sweep -- FOLDER|FILE... [options]
  damages copies of ISO media files, repairs them in this process and holds the results against the files sample by sample,
  decoding nothing: a second or less a trial; verdicts are those before the check by decoding; exit status 1 where a result is
  falsely called repaired or worse than it came
  --only TEXT      files whose path contains it
  --damages A,B    by name; all that apply by default
  --seeds 1,2,5-9  what damages are drawn by, 1 by default
  --sample HOW     head (default): a file's own first part; self, none, or a path
  --all            a line for every trial, not only for those that fall short
  --out FILE       writes all figures, a JSON line a trial
  --against FILE   figures of an earlier run: what became otherwise is printed at the end
  --keep FOLDER    keeps damaged copies, results and samples`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', default: '' },
    damages: { type: 'string' },
    seeds: { type: 'string', default: '1' },
    sample: { type: 'string', default: 'head' },
    all: { type: 'boolean', default: false },
    out: { type: 'string' },
    against: { type: 'string' },
    keep: { type: 'string' },
  },
})
if (positionals.length === 0) {
  console.error(USAGE)
  process.exit(2)
}

/** `1,2,5-9` as numbers. */
function numbers(text: string): number[] {
  return text.split(',').flatMap((part) => {
    const [first = 0, last = first] = part.split('-').map(Number)
    return Array.from({ length: last - first + 1 }, (_, i) => first + i)
  })
}

/** The damages asked for that make sense for a file and need no second one. */
function damagesOf(path: string, bytes: Buffer): Damages {
  const wanted = values.damages?.split(',')
  const container = containerOf(path)
  return Object.fromEntries(
    Object.entries({ ...DAMAGES, ...BOX_DAMAGES }).filter(
      ([name, { applies, needsOther }]) =>
        (wanted?.includes(name) ?? true) && !needsOther && applies(container, bytes),
    ),
  )
}

async function sampleOf(bytes: Buffer, name: string): Promise<Buffer | undefined> {
  if (values.sample === 'none') return undefined
  if (values.sample === 'self') return bytes
  return values.sample === 'head' ? ((await headOf(bytes, name)) ?? bytes) : readFileSync(values.sample)
}

function keep(folder: string, { name, sample }: Subject, { damage, seed }: Trial, kept: Kept): void {
  mkdirSync(folder, { recursive: true })
  const [stem, extension] = [basename(name, extname(name)), extname(name)]
  const files = { damaged: kept.damaged, result: kept.result }
  for (const [role, bytes] of Object.entries(files))
    if (bytes) writeFileSync(join(folder, `${stem}.${damage}.${seed}.${role}${extension}`), bytes)
  if (sample) writeFileSync(join(folder, `${stem}.sample${extension}`), sample)
}

const trials: Trial[] = []
if (values.out) rmSync(values.out, { force: true })
for (const path of filesOf(positionals, values.only)) {
  const original = await readTracks(readFileSync(path))
  if (!original.tracks.some(({ samples }) => samples.length > 0)) continue
  const subject = { name: path, original, sample: await sampleOf(original.bytes, path) }
  for (const [damage, recipe] of Object.entries(damagesOf(path, original.bytes)))
    for (const seed of numbers(values.seeds)) {
      const { trial, kept } = await tryDamage(subject, damage, recipe, seed)
      trials.push(trial)
      if (values.all || isTelling(trial)) console.log(line(trial))
      if (values.out) appendFileSync(values.out, `${JSON.stringify(trial)}\n`)
      if (values.keep) keep(values.keep, subject, trial, kept)
    }
}
if (values.against) {
  const earlier = readFileSync(values.against, 'utf8').trimEnd().split('\n')
  const told = changes(
    earlier.map((text) => JSON.parse(text) as Trial),
    trials,
  )
  console.log(`\nagainst the earlier run:\n${told.join('\n') || 'nothing is otherwise'}`)
}
console.log(`\n${summary(trials)}`)
process.exitCode = trials.some((trial) => isFalse(trial) || isWorse(trial)) ? 1 : 0
