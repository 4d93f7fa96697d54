import type { ChildProcess } from 'node:child_process'
import { readdir, stat } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { codeOf, type Host, spawnConfined } from '@mendframe/confined'
import type { Task } from './protocol.ts'

/** Where a task happens. */
export interface Place {
  readonly inputBytes: number
  /** Made for what the task writes, and for nothing else. */
  readonly folder?: string
}

/** What a task may use up. */
export interface Bounds {
  /** Wall-clock seconds. */
  readonly seconds: number
  /** Resident bytes. */
  readonly memoryBytes: number
  /** Bytes of all files it makes. */
  readonly writtenBytes: number
}

const RECORDINGS = fileURLToPath(new URL('./child.ts', import.meta.url))
const PHOTOS = fileURLToPath(new URL('./photo-child.ts', import.meta.url))
const PHOTO_TASKS: ReadonlySet<Task['task']> = new Set(['verify-photo', 'render-photo'])
const CODE = codeOf(RECORDINGS)
/** Room for what is written beside copies of the input: encoded pictures, lists of hashes. */
const WRITTEN_BESIDE = 2 * 1024 ** 3
/** Threads of the runtime and of decoders on any machine. */
const MOST_PROCESSES = 256

/** Everything a task makes is at most the input written twice and something beside it. */
export function mostWritten({ inputBytes }: Place): number {
  return 2 * inputBytes + WRITTEN_BESIDE
}

/** Starts the process for a task and hands it over. */
export function startChild(host: Host, task: Task, { folder }: Place, bounds: Bounds): ChildProcess {
  const flags = ['--permission', '--allow-addons', '--no-warnings', '--allow-fs-read=*']
  if (folder !== undefined) flags.push(`--allow-fs-write=${join(folder, '*')}`)
  const script = PHOTO_TASKS.has(task.task) ? PHOTOS : RECORDINGS
  const child = spawnConfined(host, [...flags, script], {
    code: CODE,
    inputs: [task.input],
    ...(folder === undefined ? {} : { output: folder }),
    limits: {
      memoryBytes: bounds.memoryBytes,
      cpuSeconds: bounds.seconds * availableParallelism(),
      fileBytes: bounds.writtenBytes,
      processes: MOST_PROCESSES,
    },
  })
  // A child that dies before it has read its task is told by its exit, not by the broken pipe.
  child.stdin?.on('error', () => {})
  child.stdin?.end(JSON.stringify(task))
  return child
}

/** Bytes of all files in a folder; 0 without one. */
export async function bytesIn(folder: string | undefined): Promise<number> {
  if (folder === undefined) return 0
  try {
    const sizes = (await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size)
    return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
  } catch {
    // A file has just been renamed or removed; the next look counts it.
    return 0
  }
}
