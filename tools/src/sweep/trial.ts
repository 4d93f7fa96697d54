import { basename, extname } from 'node:path'
import type { Report } from '@mendframe/engine'
import type { Damage } from '../bench/damage.ts'
import { firstPart } from '../bench/damages.ts'
import { mend } from '../mend.ts'
import { measure, type Recording, readTracks, type Share } from './measure.ts'

/** A healthy file, and what its damaged copies are repaired with. */
export interface Subject {
  readonly name: string
  readonly original: Recording
  readonly sample: Buffer | undefined
}

/** What became of one damaged copy. */
export interface Trial {
  readonly file: string
  readonly damage: string
  readonly seed: number
  readonly verdict: Report['verdict'] | 'failed'
  /** Codes of the doubts, or what the engine failed with. */
  readonly words: readonly string[]
  /** What of each track is in the damaged copy as it is, and in the result. */
  readonly before: readonly Share[]
  readonly after: readonly Share[]
  /** Processor seconds of the repair. */
  readonly seconds: number
}

/** The files of a trial. */
export interface Kept {
  readonly damaged: Buffer
  readonly result: Buffer | undefined
}

/** What a file's own first part becomes when the engine writes it whole: a sample as small as those that people have. */
export async function headOf(bytes: Buffer, name: string): Promise<Buffer | undefined> {
  return (await mend(firstPart(bytes), undefined, `head${extname(name)}`)).result
}

/** Damages a copy, repairs it and holds the result against the original. */
export async function tryDamage(
  { name, original, sample }: Subject,
  damage: string,
  recipe: Damage,
  seed: number,
): Promise<{ trial: Trial; kept: Kept }> {
  const { bytes: damaged, lost } = recipe.apply(original.bytes, seed, Buffer.alloc(0))
  const before = measure(original, lost, await readTracks(damaged))
  const common = { file: basename(name), damage, seed, before }
  const start = process.cpuUsage()
  try {
    const { report, result } = await mend(damaged, sample, name)
    const { user, system } = process.cpuUsage(start)
    const after = measure(original, lost, await readTracks(result ?? Buffer.alloc(0)))
    const words = (report.doubts ?? []).map(({ code }) => code)
    const seconds = (user + system) / 1e6
    return { trial: { ...common, verdict: report.verdict, words, after, seconds }, kept: { damaged, result } }
  } catch (error) {
    const words = [error instanceof Error ? error.message : String(error)]
    const trial = { ...common, verdict: 'failed' as const, words, after: [], seconds: 0 }
    return { trial, kept: { damaged, result: undefined } }
  }
}
