import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

/** A benchmark of cases that a number draws: `npm run bench -- NAME --cases 1-50 --keep DIR`. */
interface NumberedBench<Result> {
  /** Its name on the command line. */
  readonly name: string
  readonly usage: string
  readonly header: string
  /** Does the case of that number in the folder; `files` are those named on the command line. */
  run(number: number, folder: string, files: readonly string[]): Promise<Result>
  line(result: Result): string
  summary(results: readonly Result[]): string
}

/** Prints a line a case and the sum of all. What it works on goes away with it unless `--keep` names a folder. */
export async function benchNumbered<Result>(
  bench: NumberedBench<Result>,
  args: readonly string[],
  allowPositionals = false,
): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals,
    options: {
      cases: { type: 'string', default: '1-50' },
      keep: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  const [, first, last] = /^(\d+)(?:-(\d+))?$/.exec(values.cases) ?? []
  if (values.help || first === undefined) {
    console.log(bench.usage)
    return
  }
  const folder = values.keep ?? (await mkdtemp(join(tmpdir(), `mendframe-${bench.name}-`)))
  const results: Result[] = []
  console.log(bench.header)
  try {
    for (let number = Number(first); number <= Number(last ?? first); number++) {
      const result = await bench.run(number, folder, positionals)
      results.push(result)
      console.log(bench.line(result))
    }
  } finally {
    if (values.keep === undefined) await rm(folder, { recursive: true, force: true })
  }
  console.log(`\n${bench.summary(results)}`)
}
