import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { partsOf, runCase, type StructureResult } from './cases.ts'
import { DAMAGES } from './damages.ts'

const USAGE = `usage: npm run bench -- raw FOLDER [options]
  loses the structures of every raw, TIFF, HEIF and AVIF photo in a folder and in those below it, repairs it and counts what comes back:
  of raw photos the values that LibRaw unpacks, of HEIF and AVIF the tiles in their places, of TIFF the pixels
  --sample KIND    sibling (another of the same kind in its folder, by default), own, or none
  --only TEXT      photos whose path contains it
  --every N --from N   each Nth of them, from which on
  --damages A,B    damages by name; head-zero and head-cut by default
  --seed N         of noise
  --json FILE      write all figures
  --verbose        a line for each case
  --list           names of damages`

const PHOTOS =
  /\.(cr2|cr3|crw|nef|nrw|arw|sr2|srf|dng|gpr|3fr|iiq|orf|rw2|pef|srw|erf|kdc|dcr|mrw|raf|x3f|hei[cf]|hif|avif|tiff?)$/i
/** What counts as brought back: the bar of a case. */
const BAR = 0.99

/** Runs the benchmark of photos whose structures are lost. */
export async function benchRaw(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      sample: { type: 'string', default: 'sibling' },
      only: { type: 'string', default: '' },
      every: { type: 'string', default: '1' },
      from: { type: 'string', default: '0' },
      damages: { type: 'string', default: 'head-zero,head-cut' },
      seed: { type: 'string', default: '1' },
      json: { type: 'string' },
      verbose: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
    },
  })
  if (values.list) return console.log(Object.keys(DAMAGES).join('\n'))
  const [folder] = positionals
  if (folder === undefined) throw new Error(USAGE)
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => PHOTOS.test(name) && statSync(join(folder, name)).isFile())
    .sort()
  const chosen = all
    .filter((name) => name.includes(values.only))
    .filter((_, index) => index % Number(values.every) === Number(values.from))
  const read = (name: string): Uint8Array => new Uint8Array(readFileSync(join(folder, name)))
  const results: StructureResult[] = []
  for (const name of chosen) {
    const bytes = read(name)
    const other =
      values.sample === 'own' ? name : values.sample === 'none' ? undefined : await siblingOf(name, all, read)
    for (const damage of values.damages.split(',')) {
      const sample = other === undefined ? undefined : { name: other, bytes: read(other) }
      if (values.sample === 'sibling' && !sample) continue
      const result = await runCase({ name, bytes, damage, sample, seed: Number(values.seed) })
      if (!result) {
        if (values.verbose) console.log(`${name}: not healthy, or no decoder opens it: left out`)
        break
      }
      results.push(result)
      if (values.verbose) console.log(line(result))
    }
  }
  for (const each of summary(results)) console.log(each)
  if (values.json) writeFileSync(values.json, JSON.stringify(results, undefined, 1))
}

/** Another photo of the folder that is stored in the same way; where none is, the next of the same kind. */
async function siblingOf(
  name: string,
  all: readonly string[],
  read: (name: string) => Uint8Array,
): Promise<string | undefined> {
  const kind = extname(name).toLowerCase()
  const others = all.filter(
    (each) => each !== name && dirname(each) === dirname(name) && extname(each).toLowerCase() === kind,
  )
  const shape = (await partsOf(name, read(name)))?.shape
  for (const other of others) {
    const parts = await partsOf(other, read(other))
    if (parts?.healthy && parts.shape === shape) return other
  }
  return others[0]
}

function line({
  name,
  damage,
  verdict,
  doubts,
  share,
  exact,
  opens,
  preview,
  seconds,
  reason,
  nothingLeft,
}: StructureResult): string {
  const state = nothingLeft ? 'nothing' : exact ? 'exact' : preview ? 'preview' : opens ? 'opens' : 'closed'
  return `${damage.padEnd(14)} ${name.slice(-44).padEnd(44)} ${verdict.padEnd(12)} ${state.padEnd(7)} ${(100 * share).toFixed(2).padStart(6)} ${seconds.toFixed(1)} s ${doubts.join()} ${reason.slice(0, 60)}`
}

function summary(results: readonly StructureResult[]): string[] {
  const lines = [
    'damage         kind   cases  opens%  survivors%  >=99%  exact%  preview%  s median  nothing left (counted apart)',
  ]
  const kindOf = ({ name }: StructureResult): string => extname(name).slice(1).toLowerCase()
  for (const key of [
    ...new Set(results.map((result) => `${result.damage.padEnd(14)} ${kindOf(result).padEnd(5)}`)),
  ].sort()) {
    const all = results.filter((result) => `${result.damage.padEnd(14)} ${kindOf(result).padEnd(5)}` === key)
    const own = all.filter(({ nothingLeft }) => !nothingLeft)
    const some = Math.max(1, own.length)
    const part = (holds: (result: StructureResult) => boolean): string =>
      ((100 * own.filter(holds).length) / some).toFixed(1)
    const mean = own.reduce((sum, { share }) => sum + share, 0) / some
    const times = own.map(({ seconds }) => seconds).sort((a, b) => a - b)
    lines.push(
      [
        key,
        String(own.length).padStart(5),
        part(({ opens }) => opens).padStart(7),
        (100 * mean).toFixed(2).padStart(11),
        part(({ share }) => share >= BAR).padStart(6),
        part(({ exact }) => exact).padStart(7),
        part(({ preview }) => preview).padStart(9),
        (times[times.length >> 1] ?? 0).toFixed(2).padStart(9),
        String(all.length - own.length).padStart(4),
      ].join(' '),
    )
  }
  return lines
}
