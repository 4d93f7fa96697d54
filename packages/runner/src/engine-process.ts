import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { type Limits, limited, lookAtHost, stepBack } from '@mendframe/confined'
import { AbortedError } from '@mendframe/engine/errors'
import { Conversation, type EngineRunOptions, type FinalMessage } from './conversation.ts'
import type { Copier } from './copier.ts'
import type { Decoding } from './decoding.ts'
import { ended, startEarly } from './early-start.ts'
import type { EngineJob } from './protocol.ts'
import { sandboxEnvironment, sandboxFlags } from './sandbox.ts'

const DEFAULT_MEMORY_MB = 1024
/** Share of the memory given to JavaScript's own heap; the rest is for buffers and the runtime. */
const HEAP_SHARE = 0.75
/**
 * MiB of each half of the space for new objects, from the start, which fills less and need not be cleared up meanwhile. Larger
 * ones only let garbage lie about for longer, a hundred MiB of it.
 */
const NEW_SPACE_MB = 8

const BYTES_PER_MB = 2 ** 20
/** An index and what is copied twice are small beside the input; this leaves room for small inputs. */
const WRITTEN_BESIDE = 2 ** 30

/** What is written in the background takes one thread: several would only wait for each other at the file. */
const DISK_THREADS = '1'

/**
 * What tables of a recording leave behind as they grow goes back to the system: glibc keeps what was freed of up to 32 MiB
 * otherwise, and more for every thread, mallopt(3).
 */
const ALLOCATOR = { MALLOC_MMAP_THRESHOLD_: String(128 * 1024), MALLOC_ARENA_MAX: '1' }

/**
 * Runs one job in a process of its own that may read nothing but our code and use only the descriptors of `files`,
 * which it sees numbered from `FIRST_FILE` on in this order. What it orders to be copied `copier` does, what it asks
 * to be decoded `decoding`.
 * @throws AbortedError, EngineLimitError, EngineCrashError, or what the engine itself threw.
 */
export async function runEngine(
  job: EngineJob,
  files: readonly number[],
  options: EngineRunOptions,
  copier?: Copier,
  decoding?: Decoding,
): Promise<FinalMessage> {
  if (options.signal?.aborted) throw new AbortedError('stopped before it began')
  const memoryMb = options.memoryMb ?? DEFAULT_MEMORY_MB
  // The engine is our own and opens nothing, so it needs no room: only the limits.
  const { prlimit } = await lookAtHost('none')
  const child = await startEarly(({ entry, readable }) => {
    const command = [process.execPath, ...sandboxFlags(readable), ...heapFlags(memoryMb), entry]
    const [program = '', ...args] = limited(prlimit, limitsOf(job, memoryMb, options), command)
    const started = spawn(program, args, {
      stdio: ['pipe', 'ignore', 'pipe', 'pipe', ...files],
      env: { ...sandboxEnvironment(), ...ALLOCATOR, UV_THREADPOOL_SIZE: DISK_THREADS },
      windowsHide: true,
    })
    stepBack(started)
    // Who converses with it hears of it, too; nobody does with one that is started in vain.
    return started.on('error', () => {})
  })
  try {
    return await Conversation.about(job, child, memoryMb, options, { copier, decoding })
  } finally {
    await ended(child)
  }
}

/** What the system holds the process to, should nobody be left to watch it. */
function limitsOf(job: EngineJob, memoryMb: number, { timeoutSeconds }: EngineRunOptions): Limits {
  const inputBytes = job.kind === 'repair' ? job.damaged.size + (job.sample?.size ?? 0) : 0
  return {
    memoryBytes: memoryMb * BYTES_PER_MB,
    fileBytes: job.kind === 'repair' ? inputBytes * 2 + WRITTEN_BESIDE : 0,
    ...(timeoutSeconds === undefined ? {} : { cpuSeconds: timeoutSeconds * availableParallelism() }),
  }
}

function heapFlags(memoryMb: number): readonly string[] {
  const old = Math.max(64, Math.round(memoryMb * HEAP_SHARE))
  return [
    `--max-old-space-size=${old}`,
    `--min-semi-space-size=${NEW_SPACE_MB}`,
    `--max-semi-space-size=${NEW_SPACE_MB}`,
  ]
}
