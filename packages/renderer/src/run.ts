import { type ChildProcess, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { RendererError } from './errors.ts'
import { type Message, parseMessage, type Task } from './protocol.ts'

/** Limits and wishes common to everything the renderer does. */
export interface RunOptions {
  /** Kills the child at once. */
  readonly signal?: AbortSignal
  /** Wall-clock seconds after which the child is killed; 600 by default. */
  readonly timeoutSeconds?: number
  /** Resident bytes above which the child is killed; 1.5 GiB by default. */
  readonly memoryBytes?: number
  /** Hears the fraction done, 0 to 1, a few times a second at most. */
  readonly onProgress?: (fraction: number) => void
}

const DEFAULT_TIMEOUT_SECONDS = 600
/** Eight-thousand-line pictures in 10 bits need about 200 MB a decoder with its references on two threads; this leaves room. */
const DEFAULT_MEMORY_BYTES = 1.5 * 1024 ** 3
const MEMORY_POLL_MS = 200
const MEMORY_PAGE_BYTES = 4096
/** Longest line believed of the child; results are a few kilobytes. */
const LINE_LIMIT = 4 * 1024 * 1024
/** Kept of the child's standard error for the message of a crash. */
const STDERR_KEPT = 2_000

/**
 * Runs one task in a fresh child process and returns what it answered.
 * The media library is native, copyleft and fed with hostile bytes: it never loads into the caller's process.
 * @throws RendererError
 */
export function runTask(task: Task, options: RunOptions = {}): Promise<unknown> {
  if (options.signal?.aborted) return Promise.reject(new RendererError('aborted', 'stopped before it began'))
  return new Promise((resolve, reject) => {
    const child = start(task)
    const watch = new Watch(child, options)
    let answer: Message | undefined
    let stderr = ''
    let pending = ''
    child.stdout?.setEncoding('utf8')
    child.stdout?.on('data', (text: string) => {
      pending += text
      let end = pending.indexOf('\n')
      for (; end >= 0; end = pending.indexOf('\n')) {
        const message = parseMessage(pending.slice(0, end))
        pending = pending.slice(end + 1)
        if (message?.type === 'progress') options.onProgress?.(message.fraction)
        else if (message) answer = message
      }
      if (pending.length > LINE_LIMIT) watch.kill('crashed', 'the media process wrote an endless line')
    })
    child.stderr?.setEncoding('utf8')
    child.stderr?.on('data', (text: string) => {
      stderr = (stderr + text).slice(-STDERR_KEPT)
    })
    child.once('error', (cause) => {
      watch.stop()
      reject(new RendererError('environment', `the media process cannot start: ${cause.message}`, { cause }))
    })
    child.once('close', (code, signal) => {
      watch.stop()
      if (watch.reason) reject(watch.reason)
      else if (answer?.type === 'result' && code === 0) resolve(answer.value)
      else if (answer?.type === 'error') reject(new RendererError(answer.kind, answer.message))
      else {
        const how = signal ? `was ended by ${signal}` : `ended with status ${code ?? 'unknown'}`
        const last = stderr.split('\n').find((line) => line.includes('Error')) ?? ''
        reject(new RendererError('crashed', `the media process ${how}${last ? `: ${last}` : ''}`))
      }
    })
  })
}

function start(task: Task): ChildProcess {
  const args = ['--permission', '--allow-addons', '--no-warnings', '--allow-fs-read=*']
  if ('output' in task) args.push(`--allow-fs-write=${task.output}*`)
  const child = spawn(process.execPath, [...args, fileURLToPath(new URL('./child.ts', import.meta.url))], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: childEnvironment(),
    windowsHide: true,
  })
  // A child that dies before it has read its task is told by its exit, not by the broken pipe.
  child.stdin?.on('error', () => {})
  child.stdin?.end(JSON.stringify(task))
  return child
}

/** Nothing of the caller's environment but what a system needs to start a program: no secret reaches the decoder. */
function childEnvironment(): NodeJS.ProcessEnv {
  const kept: NodeJS.ProcessEnv = {}
  for (const name of ['PATH', 'LD_LIBRARY_PATH', 'SystemRoot', 'TEMP', 'TMPDIR']) {
    const value = process.env[name]
    if (value !== undefined) kept[name] = value
  }
  return kept
}

/** Kills a child that overstays a limit or is no longer wanted, and remembers why. */
class Watch {
  reason: RendererError | undefined
  readonly #child: ChildProcess
  readonly #timer: NodeJS.Timeout
  readonly #poll: NodeJS.Timeout
  readonly #signal: AbortSignal | undefined
  readonly #onAbort = (): void => this.kill('aborted', 'stopped by the caller')

  constructor(child: ChildProcess, options: RunOptions) {
    const seconds = options.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS
    const memory = options.memoryBytes ?? DEFAULT_MEMORY_BYTES
    this.#child = child
    this.#signal = options.signal
    this.#signal?.addEventListener('abort', this.#onAbort, { once: true })
    this.#timer = setTimeout(() => this.kill('timeout', `not done after ${seconds} s`), seconds * 1000)
    this.#poll = setInterval(() => {
      void residentBytes(child.pid).then((bytes) => {
        if (bytes > memory) this.kill('memory', `needs more than ${Math.round(memory / 1024 ** 2)} MiB`)
      })
    }, MEMORY_POLL_MS)
  }

  kill(kind: RendererError['kind'], message: string): void {
    this.reason ??= new RendererError(kind, message)
    this.#child.kill('SIGKILL')
  }

  stop(): void {
    clearTimeout(this.#timer)
    clearInterval(this.#poll)
    this.#signal?.removeEventListener('abort', this.#onAbort)
  }
}

/** Resident memory of a process where the system tells it in a file (Linux), else 0: there the time limit must do. */
async function residentBytes(pid: number | undefined): Promise<number> {
  if (pid === undefined || process.platform !== 'linux') return 0
  try {
    const pages = Number((await readFile(`/proc/${pid}/statm`, 'utf8')).split(' ')[1])
    return Number.isFinite(pages) ? pages * MEMORY_PAGE_BYTES : 0
  } catch {
    // The process has just ended.
    return 0
  }
}
