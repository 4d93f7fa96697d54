import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Report } from '@mendframe/engine'
import { benchNumbered } from '../bench/numbered-cases.ts'
import { measure } from '../bench/processes.ts'
import { makeClip } from '../media/make-clip.ts'
import { type ConcealCase, concealCase } from './clips.ts'
import { comparePictures } from './compare.ts'
import { type ConcealResult, HEADER, lineOf, ratingOf, summaryOf } from './table.ts'

const USAGE = `usage: npm run bench -- conceal [options]
  --cases FIRST-LAST  cases by their numbers, 1-50 by default: short recordings and damages of their payload, drawn by lot
  --keep DIR          work in DIR and keep the files`

const CLI = join(dirname(fileURLToPath(import.meta.url)), '../../../apps/cli/src/main.ts')
const TIMEOUT_SECONDS = 240

/** Repairs damaged clips with and without concealment and prints what became of their pictures. */
export async function benchConceal(args: readonly string[]): Promise<void> {
  await benchNumbered(
    {
      name: 'conceal',
      usage: USAGE,
      header: HEADER,
      run: (number, folder) => runCase(concealCase(number), folder),
      line: lineOf,
      summary: summaryOf,
    },
    args,
  )
}

async function runCase(drawn: ConcealCase, folder: string): Promise<ConcealResult> {
  const path = (name: string): string => join(folder, `${drawn.number}-${name}.${drawn.clip.container}`)
  const [original, damaged, plain, concealed] = [
    path('original'),
    path('damaged'),
    path('plain'),
    path('concealed'),
  ]
  await makeClip(drawn.clip, original)
  await writeFile(damaged, drawn.damaged(await readFile(original)).bytes)
  const report = await repair(damaged, concealed, ['--enhance', 'conceal'])
  const before = await repair(damaged, plain, [])
  // what nothing could be made of is shown as it is
  if (!before?.output) await copyFile(damaged, plain)
  if (!report?.output) await copyFile(plain, concealed)
  const pictures = await comparePictures(original, plain, concealed)
  const enhancement = report?.enhancements?.find(({ operation }) => operation === 'conceal')
  return { ...drawn, verdict: report?.verdict ?? 'none', rating: ratingOf(pictures, enhancement) }
}

async function repair(
  damaged: string,
  output: string,
  flags: readonly string[],
): Promise<Report | undefined> {
  const report = `${output}.json`
  const args = [CLI, 'repair', damaged, '--output', output, '--report', report, '--force', ...flags]
  await measure(process.execPath, ['--no-warnings', ...args], TIMEOUT_SECONDS)
  const text = await readFile(report, 'utf8').catch(() => undefined)
  return text === undefined ? undefined : JSON.parse(text)
}
