import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { benchNumbered } from '../bench/numbered-cases.ts'
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
  await benchNumbered(
    {
      name: 'damaged-frames',
      usage: USAGE,
      header: HEADER,
      run: (number, folder, files) => runCase(caseWith(number, files), folder),
      line: lineOf,
      summary: summaryOf,
    },
    args,
    true,
  )
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
