import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { clipOf } from '../media/catalogue.ts'
import { makeClip } from '../media/make-clip.ts'
import { LARGE_FILES } from './large-files.ts'
import { measure } from './processes.ts'
import { mendframe } from './tools.ts'

export interface Throughput {
  /** What kind of file, by its name among `LARGE_FILES`. */
  readonly kind: string
  /** What it lacks. */
  readonly damage: string
  readonly bytes: number
  /** Read from the disk and awaited until it lay on the disk, instead of from and to the system's memory. */
  readonly cold: boolean
  readonly copySeconds: readonly number[]
  readonly repairSeconds: readonly number[]
  /** Median of repairing over median of copying. */
  readonly ratio: number
  readonly peakBytes: number
  readonly status: number | undefined
}

const ROUNDS = 5
const SHAPE = { seconds: 20, width: 1280, height: 720, seed: 1 }
const TIMEOUT_SECONDS = 1_200

/**
 * Repairs a damaged large file of a kind of `LARGE_FILES` and copies it, turn about, five times each. `cold` is as people meet
 * it: from the disk and back to it; emptying the system's memory of files needs an administrator's rights on Linux.
 * @throws Error for an unknown kind, or without these rights
 */
export async function throughput(
  folder: string,
  bytes: number,
  kind: string,
  cold = false,
): Promise<Throughput> {
  const file = LARGE_FILES[kind]
  if (!file) throw new Error(`there is no large file ${kind}`)
  const { clip, extension, container, damage } = file
  await mkdir(folder, { recursive: true })
  const short = join(folder, `short.${extension}`)
  const sample = join(folder, `short-sample.${extension}`)
  const large = join(folder, `large.${extension}`)
  const copy = join(folder, `copy.${extension}`)
  const output = join(folder, `repaired.${extension}`)
  await makeClip(clipOf(clip, 'victim', SHAPE), short)
  if (damage.sampled) await makeClip(clipOf(clip, 'calm-sample', { ...SHAPE, seconds: 5 }), sample)
  const looper = fileURLToPath(new URL('../media/loop-child.ts', import.meta.url))
  execFileSync(process.execPath, [looper, short, container, large, String(bytes)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  damage.apply(large)
  const copySeconds: number[] = []
  const repairSeconds: number[] = []
  let peakBytes = 0
  let status: number | undefined
  try {
    for (let round = 0; round < ROUNDS; round++) {
      await settle(cold, copy, output)
      const copying = await measure('cp', ['--reflink=never', large, copy], TIMEOUT_SECONDS)
      copySeconds.push(copying.seconds + (cold ? secondsOfSync() : 0))
      await settle(cold, copy, output)
      const run = await mendframe.repair(large, damage.sampled ? sample : undefined, output)
      repairSeconds.push(run.seconds + (cold ? secondsOfSync() : 0))
      peakBytes = Math.max(peakBytes, run.peakBytes)
      status = run.status
    }
    const { size } = await stat(large)
    return {
      kind,
      damage: damage.name,
      bytes: size,
      cold,
      copySeconds,
      repairSeconds,
      ratio: median(repairSeconds) / median(copySeconds),
      peakBytes,
      status,
    }
  } finally {
    await Promise.all(
      [short, sample, large, copy, output, `${output}.json`].map((path) => rm(path, { force: true })),
    )
  }
}

/** Removes both results and waits until nothing is left to be written to the disk; the system then forgets what it read. */
async function settle(cold: boolean, ...paths: readonly string[]): Promise<void> {
  for (const path of paths) await rm(path, { force: true })
  execFileSync('sync')
  if (cold) writeFileSync('/proc/sys/vm/drop_caches', '3')
}

function secondsOfSync(): number {
  const started = performance.now()
  execFileSync('sync')
  return (performance.now() - started) / 1000
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0
}

export function throughputLines({
  kind,
  damage,
  bytes,
  cold,
  copySeconds,
  repairSeconds,
  ratio,
  peakBytes,
  status,
}: Throughput): string {
  const row = (name: string, seconds: readonly number[]): string =>
    `| ${name} | ${median(seconds).toFixed(2)} | ${seconds.map((value) => value.toFixed(2)).join(' ')} |`
  return [
    `${kind}, ${damage}, ${(bytes / 1e9).toFixed(2)} GB, ${cold ? 'from disk to disk, ' : ''}${ROUNDS} rounds turn about, status ${status ?? 'killed'}:`,
    '',
    '| what | median s | each s |',
    '|---|---|---|',
    row('cp --reflink=never', copySeconds),
    row('mendframe repair', repairSeconds),
    '',
    `ratio ${ratio.toFixed(2)}, peak memory of the engine ${Math.round(peakBytes / 1024 ** 2)} MiB`,
  ].join('\n')
}
