import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { makeOracle, readOriginal, score } from '../bench/score.ts'
import { mendframeWith } from '../bench/tools.ts'
import { type DamagedFramesCase, damagedFramesCase, fileCase } from './clips.ts'
import { CHOICES, type DamagedFramesResult, HEADER, lineOf, summaryOf } from './table.ts'

const USAGE = `usage: npm run bench -- damaged-frames [options] [FILE…]
  --cases FIRST-LAST  cases by their numbers, 1-50 by default: short recordings and damages of their payload, drawn by lot, from 51
                      on 512 bytes deleted of recordings that are one group of pictures;
                      of files that are named the place of the damage is drawn: 512 bytes deleted, each case of the next file
  --keep DIR          work in DIR and keep the files`

/**
 * Repairs damaged clips with every choice for damaged pictures and prints the share of the original's pictures that each brings
 * back.
 */
export async function benchDamagedFrames(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      cases: { type: 'string', default: '1-50' },
      keep: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  const [, first, last] = /^(\d+)(?:-(\d+))?$/.exec(values.cases) ?? []
  if (values.help || first === undefined) {
    console.log(USAGE)
    return
  }
  const folder = values.keep ?? (await mkdtemp(join(tmpdir(), 'mendframe-damaged-frames-')))
  const results: DamagedFramesResult[] = []
  console.log(HEADER)
  try {
    for (let number = Number(first); number <= Number(last ?? first); number++) {
      const result = await runCase(caseWith(number, positionals), folder)
      results.push(result)
      console.log(lineOf(result))
    }
  } finally {
    if (values.keep === undefined) await rm(folder, { recursive: true, force: true })
  }
  console.log(`\n${summaryOf(results)}`)
}

function caseWith(number: number, files: readonly string[]): DamagedFramesCase {
  const file = files[number % files.length]
  return file === undefined ? damagedFramesCase(number) : fileCase(number, file)
}

async function runCase(drawn: DamagedFramesCase, folder: string): Promise<DamagedFramesResult> {
  const path = (name: string): string => join(folder, `${drawn.number}-${name}.${drawn.extension}`)
  const original = path('original')
  await drawn.make(original)
  const { bytes, lost } = drawn.damaged(await readFile(original))
  const damaged = path('damaged')
  await writeFile(damaged, bytes)
  const known = await readOriginal(original)
  const oracle = await makeOracle(known, lost)
  const shares: number[] = []
  for (const choice of CHOICES) {
    const output = path(choice)
    await rm(output, { force: true })
    // decoding is what 'auto' chooses by
    await mendframeWith(choice === 'auto', choice).repair(damaged, undefined, output)
    const { frames } = await score(known, oracle, existsSync(output) ? output : undefined)
    shares.push(frames)
  }
  return { ...drawn, shares }
}
