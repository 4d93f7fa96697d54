import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Damage, Damages } from './damage.ts'
import type { Recording } from './recordings.ts'
import { makeOracle, type Score, score } from './score.ts'
import type { Tool } from './tools.ts'

export interface BenchOptions {
  readonly folder: string
  readonly seed: number
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

/**
 * Runs every damage of one recording; `onCase` hears each result as it is there, `onUnmeasured` what the bench itself failed at,
 * after which it goes on.
 */
export async function runRecording(
  name: string,
  open: (needsOther: boolean) => Promise<Recording>,
  damages: Damages,
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
  const recording = await attempt(name, () =>
    open(Object.values(damages).some(({ needsOther }) => needsOther ?? false)),
  )
  if (!recording) return
  for (const [damage, recipe] of Object.entries(damages)) {
    if (!recipe.applies(recording.container, recording.bytes)) continue
    if (recipe.needsOther && recording.other.length === 0) continue
    const result = await attempt(`${name} ${damage}`, () => runCase(recording, damage, recipe, options))
    if (result) onCase(result)
  }
}

async function runCase(
  recording: Recording,
  name: string,
  damage: Damage,
  options: BenchOptions,
): Promise<CaseResult> {
  const { bytes, lost } = damage.apply(recording.bytes, options.seed, recording.other)
  const file = `${recording.stem}.${name.replace(/[^\w-]+/g, '-')}`
  const damaged = join(options.folder, `${file}.${recording.extension}`)
  await writeFile(damaged, bytes)
  const oracle = await makeOracle(recording.original, lost, recording)
  const results: ToolResult[] = []
  for (const tool of options.tools) {
    const output = join(options.folder, `${file}.${tool.name.replace(/\W+/g, '-')}.${recording.extension}`)
    await rm(output, { force: true })
    const run = await tool.repair(damaged, recording.sample, output)
    const made = await exists(output)
    results.push({
      tool: tool.name,
      score: await score(recording.original, oracle, made ? output : undefined),
      status: run.status,
      seconds: run.seconds,
      peakBytes: run.peakBytes,
      identical: made && (await readFile(output)).equals(recording.bytes),
      stderr: run.stderr,
    })
    if (!options.keep) await Promise.all([rm(output, { force: true }), rm(`${output}.json`, { force: true })])
  }
  const before = await score(recording.original, oracle, damaged)
  if (!options.keep) await rm(damaged, { force: true })
  return { clip: recording.name, damage: name, bytes: bytes.length, before, results }
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() ?? false
}
