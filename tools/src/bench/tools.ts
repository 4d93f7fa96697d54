import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { DamagedFrames } from '@mendframe/engine'
import { mend } from '../mend.ts'
import { measure, type RunResult } from './processes.ts'

/** Something that repairs files, run as a command. */
export interface Tool {
  readonly name: string
  /** Repairs into `output`; the file is there afterwards when it made one. */
  repair(damaged: string, sample: string | undefined, output: string): Promise<RunResult>
}

const TIMEOUT_SECONDS = 120
const CLI = join(dirname(fileURLToPath(import.meta.url)), '../../../bin/mendframe.js')

const commandLine = (check: boolean, damagedFrames = 'auto'): Tool => ({
  name: 'mendframe',
  repair: (damaged, sample, output) => {
    const withSample = sample ? ['--sample', sample] : []
    const args = [
      CLI,
      'repair',
      damaged,
      ...withSample,
      '--output',
      output,
      '--report',
      `${output}.json`,
      '--damaged-frames',
      damagedFrames,
      ...(check ? [] : ['--no-verify']),
    ]
    return measure(process.execPath, args, TIMEOUT_SECONDS)
  },
})

/** Exit statuses of the command line. */
const STATUS = { repaired: 0, partial: 3, healthy: 4, unrepairable: 5 } as const
const FAILED = 1

/**
 * The engine in this process: no check by decoding, no limits, no memory told. A command line's start costs several times as much
 * as the repair of a small file.
 */
export const inProcess = (damagedFrames: DamagedFrames = 'auto'): Tool => ({
  name: 'mendframe',
  repair: async (damaged, sample, output) => {
    const started = performance.now()
    const end = (status: number, stderr = ''): RunResult => ({
      status,
      seconds: (performance.now() - started) / 1000,
      peakBytes: 0,
      stderr,
    })
    try {
      const [bytes, like] = await Promise.all([readFile(damaged), sample ? readFile(sample) : undefined])
      const { report, result } = await mend(bytes, like, damaged, { damagedFrames })
      await writeFile(`${output}.json`, JSON.stringify(report))
      if (result) await writeFile(output, result)
      return end(STATUS[report.verdict])
    } catch (error) {
      return end(FAILED, error instanceof Error ? error.message : String(error))
    }
  },
})

/**
 * Has the engine make its script, as the first run after a change of its sources does: that takes seconds, and more memory than
 * repairs do. Call it before anything is measured.
 */
export async function prepare(): Promise<void> {
  await measure(process.execPath, [CLI, 'diagnose', CLI], TIMEOUT_SECONDS)
}

/** The engine through its command line, without the decoding check. */
export const mendframe = commandLine(false)
/** The same with the decoding check or without, and with another choice for damaged pictures. */
export const mendframeWith = commandLine

/** Other repairers that happen to be on the machine's path. */
export function peers(): Tool[] {
  const found: Tool[] = []
  const ffmpeg = onPath('ffmpeg')
  if (ffmpeg) {
    found.push({
      name: 'ffmpeg -c copy',
      repair: (damaged, _sample, output) => {
        const args = [
          '-v',
          'error',
          '-y',
          '-err_detect',
          'ignore_err',
          '-i',
          damaged,
          '-map',
          '0',
          '-c',
          'copy',
          output,
        ]
        return measure(ffmpeg, args, TIMEOUT_SECONDS)
      },
    })
  }
  const untrunc = onPath('untrunc')
  if (untrunc) {
    for (const skip of [false, true]) {
      found.push({
        name: skip ? 'untrunc -s' : 'untrunc',
        repair: async (damaged, sample, output) => {
          await rm(output, { force: true })
          return measure(
            untrunc,
            ['-n', ...(skip ? ['-s'] : []), '-fa', '-dst', output, sample ?? damaged, damaged],
            TIMEOUT_SECONDS,
          )
        },
      })
    }
  }
  return found
}

function onPath(name: string): string | undefined {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path))
}
