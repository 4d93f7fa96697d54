import { type ChildProcess, spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { Readable } from 'node:stream'
import { type Limits, limited, lookAtHost, stepBack } from '@mendframe/confined'
import type { Stage } from '@mendframe/engine'
import { AbortedError } from '@mendframe/engine/errors'
import { readAnswers } from './answers.ts'
import type { Copier } from './copier.ts'
import type { Decoding } from './decoding.ts'
import { ended, startEarly } from './early-start.ts'
import { EngineCrashError, EngineLimitError, fromWire } from './errors.ts'
import { processMemory } from './memory.ts'
import { ANSWERS, type EngineJob, type EngineMessage, type Notice } from './protocol.ts'
import { sandboxEnvironment, sandboxFlags } from './sandbox.ts'

/** Bounds and listeners of one run of the engine. */
export interface EngineRunOptions {
  /** Most memory the engine process may hold, in MiB. Default 1024: three times what a long recording needs. */
  readonly memoryMb?: number
  /** Most seconds the engine may take; no bound by default. */
  readonly timeoutSeconds?: number
  /** Called as the work goes on: the stage and the fraction of it done, 0 to 1. */
  readonly onProgress?: (stage: Stage, fraction: number) => void
  /** Stops the run: the process is killed, nothing is left behind, the promise rejects with AbortedError. */
  readonly signal?: AbortSignal
  /** Told once, when the engine has answered: the most memory its process held, in bytes. */
  readonly onUsage?: (usage: { readonly peakBytes: number }) => void
}

const DEFAULT_MEMORY_MB = 1024
/** Share of the memory given to JavaScript's own heap; the rest is for buffers and the runtime. */
const HEAP_SHARE = 0.75
/** MiB of each half of the space for new objects: larger ones only let garbage lie about for longer, a hundred MiB of it. */
const NEW_SPACE_MB = 8
/** Milliseconds between two looks at the process's memory. */
const MEMORY_INTERVAL = 200
/** Characters kept of the process's error stream. */
const DETAIL_LIMIT = 16_384

const BYTES_PER_MB = 2 ** 20
/** An index and what is copied twice are small beside the input; this leaves room for small inputs. */
const WRITTEN_BESIDE = 2 ** 30

/** What is written in the background takes one thread: several would only wait for each other at the file. */
const DISK_THREADS = '1'

/**
 * What tables of a recording leave behind as they grow goes back to the system: glibc keeps what was freed of up to 32 MiB otherwise, and
 * more for every thread, mallopt(3).
 */
const ALLOCATOR = { MALLOC_MMAP_THRESHOLD_: String(128 * 1024), MALLOC_ARENA_MAX: '1' }

/** What the runtime says when a limit of memory holds. */
const OUT_OF_MEMORY = /out of memory|Array buffer allocation failed/

type FinalMessage = Exclude<EngineMessage, { type: 'progress' | 'copy' | 'foretell' | 'hold' | 'decode' }>

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
    return await converse(child, job, memoryMb, options, copier, decoding)
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

function converse(
  child: ChildProcess,
  job: EngineJob,
  memoryMb: number,
  options: EngineRunOptions,
  copier: Copier | undefined,
  decoding: Decoding | undefined,
): Promise<FinalMessage> {
  const { signal, onProgress, onUsage, timeoutSeconds } = options
  const answers = child.stdio[ANSWERS]
  const memoryLimit = memoryMb * 1024 * 1024
  let detail = ''
  let peakBytes = 0
  return new Promise((resolve, reject) => {
    const watch = setInterval(() => note(processMemory(child.pid ?? 0)), MEMORY_INTERVAL)
    const clock =
      timeoutSeconds === undefined
        ? undefined
        : setTimeout(
            () =>
              fail(new EngineLimitError('time', `stopped: it took longer than ${timeoutSeconds} seconds`)),
            timeoutSeconds * 1000,
          )
    const onAbort = (): void => fail(new AbortedError('stopped'))
    signal?.addEventListener('abort', onAbort, { once: true })

    function settle(): void {
      clearInterval(watch)
      clearTimeout(clock)
      signal?.removeEventListener('abort', onAbort)
    }
    function fail(error: Error): void {
      settle()
      child.kill('SIGKILL')
      reject(error)
    }
    function note(memory: { current: number; peak: number } | undefined): void {
      if (!memory) return
      peakBytes = Math.max(peakBytes, memory.peak)
      if (memory.current > memoryLimit) {
        fail(new EngineLimitError('memory', `stopped: it needed more than ${memoryMb} MiB of memory`))
      }
    }
    function receive(message: EngineMessage): void {
      if (message.type === 'progress') {
        note({ current: message.memory, peak: message.memory })
        onProgress?.(message.stage, message.fraction)
        return
      }
      if (message.type === 'copy') {
        copier?.add(message.order)
        return
      }
      if (message.type === 'foretell') {
        copier?.foretell(message.order)
        return
      }
      if (message.type === 'hold') {
        copier?.hold()
        tell({ held: true })
        return
      }
      if (message.type === 'decode') {
        if (!decoding) throw new EngineCrashError('the engine asked for a decoder that it was not given', '')
        decoding(message.target).then((decoded) => tell({ decoded }), fail)
        return
      }
      note(processMemory(child.pid ?? 0))
      settle()
      onUsage?.({ peakBytes })
      if (message.type === 'failed') reject(fromWire(message.error))
      else resolve(message)
    }

    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      detail = (detail + text).slice(-DETAIL_LIMIT)
    })
    if (answers instanceof Readable) readAnswers(answers, receive, fail)
    child.once('error', (error) =>
      fail(new EngineCrashError(`the engine could not be started: ${error.message}`, '')),
    )
    child.once('close', (code, killed) => {
      settle()
      reject(
        OUT_OF_MEMORY.test(detail)
          ? new EngineLimitError('memory', `stopped: it needed more than ${memoryMb} MiB of memory`)
          : new EngineCrashError(crashLine(code, killed), detail),
      )
    })
    child.stdin?.on('error', () => {
      // The process died before it took its job; 'close' tells why.
    })
    const tell = (line: EngineJob | Notice): void => {
      child.stdin?.write(`${JSON.stringify(line)}\n`)
    }
    copier?.listen({ done: (copied, zeros) => tell({ copied, zeros }), failed: fail })
    tell(job)
  })
}

function crashLine(code: number | null, killed: NodeJS.Signals | null): string {
  return killed ? `the engine process was killed (${killed})` : `the engine process broke off (exit ${code})`
}

function heapFlags(memoryMb: number): readonly string[] {
  const old = Math.max(64, Math.round(memoryMb * HEAP_SHARE))
  return [`--max-old-space-size=${old}`, `--max-semi-space-size=${NEW_SPACE_MB}`]
}
