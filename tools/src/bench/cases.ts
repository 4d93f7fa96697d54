import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { clipOf, RECIPES, type Recipe, type Role } from '../media/catalogue.ts'
import { makeClip } from '../media/make-clip.ts'
import { DAMAGES, type Damage } from './damages.ts'
import { makeOracle, type Original, readOriginal, type Score, score } from './score.ts'
import type { Tool } from './tools.ts'

export interface BenchOptions {
  readonly folder: string
  readonly seconds: number
  readonly width: number
  readonly height: number
  readonly seed: number
  readonly sample: Role | 'none'
  /** Keep damaged and repaired files. */
  readonly keep: boolean
  readonly tools: readonly Tool[]
}

export interface ToolResult {
  readonly tool: string
  readonly score: Score
  readonly status: number | undefined
  readonly seconds: number
  readonly peakBytes: number
  /** The result is the undamaged recording, byte for byte. */
  readonly identical: boolean
  readonly stderr: string
}

export interface CaseResult {
  readonly clip: string
  readonly damage: string
  readonly bytes: number
  /** The damaged file as it is, to tell whether a repair makes it worse. */
  readonly before: Score
  readonly results: readonly ToolResult[]
}

/** A clip made ready: victim, sample, a second recording, and what the victim decodes to. */
interface Ready {
  readonly name: string
  readonly recipe: Recipe
  readonly original: Original
  readonly bytes: Buffer
  readonly other: Buffer
  readonly sample: string | undefined
}

/**
 * Runs every damage of one clip; `onCase` hears each result as it is there, `onUnmeasured` what the bench itself failed at,
 * after which it goes on.
 */
export async function runClip(
  name: string,
  damages: readonly string[],
  options: BenchOptions,
  onCase: (result: CaseResult) => void,
  onUnmeasured: (line: string) => void,
): Promise<void> {
  const attempt = async <T>(what: string, work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work()
    } catch (error) {
      onUnmeasured(`${what}: ${error instanceof Error ? error.message : String(error)}`)
      return undefined
    }
  }
  const needsOther = damages.some((damage) => DAMAGES[damage]?.needsOther ?? false)
  const clip = await attempt(name, () => prepare(name, options, needsOther))
  if (!clip) return
  for (const damage of damages) {
    const recipe = DAMAGES[damage]
    if (!recipe?.applies(clip.recipe, clip.bytes)) continue
    const result = await attempt(`${name} ${damage}`, () => runCase(clip, damage, recipe, options))
    if (result) onCase(result)
  }
}

async function prepare(name: string, options: BenchOptions, needsOther: boolean): Promise<Ready> {
  const recipe = RECIPES[name]
  if (!recipe) throw new Error(`there is no clip ${name}`)
  await mkdir(options.folder, { recursive: true })
  const { seconds, width, height, seed } = options
  const make = async (role: Role, seedOf: number): Promise<string> => {
    const shape = { seconds, width, height, seed: seedOf }
    const path = join(
      options.folder,
      `${name}-${role}-${width}x${height}-${seconds}s-${seedOf}.${recipe.extension}`,
    )
    await makeClip(clipOf(name, role, shape), path)
    return path
  }
  const victim = await make('victim', seed)
  const sample = options.sample === 'none' ? undefined : await make(options.sample, seed)
  return {
    name,
    recipe,
    original: await readOriginal(victim),
    bytes: await readFile(victim),
    other: needsOther ? await readFile(await make('victim', seed + 100)) : Buffer.alloc(0),
    sample,
  }
}

async function runCase(
  clip: Ready,
  name: string,
  damage: Damage,
  options: BenchOptions,
): Promise<CaseResult> {
  const { bytes, lost } = damage.apply(clip.bytes, options.seed, clip.other)
  const damaged = join(options.folder, `${clip.name}.${name}.${clip.recipe.extension}`)
  await writeFile(damaged, bytes)
  const oracle = await makeOracle(clip.original, lost)
  const results: ToolResult[] = []
  for (const tool of options.tools) {
    const output = join(
      options.folder,
      `${clip.name}.${name}.${tool.name.replace(/\W+/g, '-')}.${clip.recipe.extension}`,
    )
    await rm(output, { force: true })
    const run = await tool.repair(damaged, clip.sample, output)
    const made = await exists(output)
    results.push({
      tool: tool.name,
      score: await score(clip.original, oracle, made ? output : undefined),
      status: run.status,
      seconds: run.seconds,
      peakBytes: run.peakBytes,
      identical: made && (await readFile(output)).equals(clip.bytes),
      stderr: run.stderr,
    })
    if (!options.keep) await Promise.all([rm(output, { force: true }), rm(`${output}.json`, { force: true })])
  }
  const before = await score(clip.original, oracle, damaged)
  if (!options.keep) await rm(damaged, { force: true })
  return { clip: clip.name, damage: name, bytes: bytes.length, before, results }
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() ?? false
}
