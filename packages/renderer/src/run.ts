import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { endConfined, type Host, lookAtHost, residentBytes } from '@mendframe/confined'
import { type Bounds, bytesIn, mostWritten, type Place, startChild } from './child-process.ts'
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
  /** What this machine can do to contain the child, as a measurement pretends it to be; looked at when absent. */
  readonly host?: Host
}

/** Does a task somewhere and says what it answered. @throws RendererError */
export type RunTask = (task: Task, options: RunOptions) => Promise<unknown>

const DEFAULT_TIMEOUT_SECONDS = 600
/** Eight-thousand-line pictures in 10 bits need about 200 MB a decoder with its references on two threads; this leaves room. */
const DEFAULT_MEMORY_BYTES = 1.5 * 1024 ** 3
const POLL_MS = 200
/** Longest line believed of the child; results are a few kilobytes. */
const LINE_LIMIT = 4 * 1024 * 1024
/** Kept of the child's standard error for the message of a crash. */
const STDERR_KEPT = 2_000
/** What a runtime, an addon or the system says when a limit of memory holds. */
const OUT_OF_MEMORY = /out of memory|Cannot allocate memory|bad_alloc|Array buffer allocation failed/i

/**
 * Runs one task in a fresh child process and returns what it answered. The child is in a room of its own, as far as this
 * machine can make one: it sees its program, its input and a folder for its output. What it made gets its name when it has
 * ended well.
 * The media library is native, copyleft and fed with hostile bytes: it never loads into the caller's process.
 * @throws RendererError
 */
export async function runTask(task: Task, options: RunOptions = {}): Promise<unknown> {
  if (options.signal?.aborted) throw new RendererError('aborted', 'stopped before it began')
  const input = resolve(task.input)
  const inputBytes = await stat(input).then(
    ({ size }) => size,
    // The child misses it, too, and says so.
    () => 0,
  )
  if (!('output' in task)) return converse({ ...task, input }, options, { inputBytes })
  const output = resolve(task.output)
  const folder = await makeFolder(dirname(output))
  try {
    const made = join(folder, basename(output))
    const value = await converse({ ...task, input, output: made }, options, { inputBytes, folder })
    await rename(made, output).catch((error: unknown) => {
      // Some tasks find that there is nothing to make.
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    })
    return value
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function makeFolder(beside: string): Promise<string> {
  const folder = join(beside, `.room-${randomUUID()}`)
  try {
    await mkdir(folder, { mode: 0o700 })
    return folder
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new RendererError('environment', `no output can be written: ${reason}`, { cause })
  }
}

async function converse(task: Task, options: RunOptions, place: Place): Promise<unknown> {
  const host = options.host ?? (await lookAtHost())
  const bounds = {
    seconds: options.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS,
    memoryBytes: options.memoryBytes ?? DEFAULT_MEMORY_BYTES,
    writtenBytes: mostWritten(place),
  }
  return new Promise((resolve, reject) => {
    const child = startChild(host, task, place, bounds)
    const watch = new Watch(child, bounds, place, options.signal)
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
      else if (OUT_OF_MEMORY.test(stderr)) reject(tooMuchMemory(bounds))
      else {
        const how = signal ? `was ended by ${signal}` : `ended with status ${code ?? 'unknown'}`
        const last = stderr.split('\n').find((line) => line.includes('Error')) ?? ''
        reject(new RendererError('crashed', `the media process ${how}${last ? `: ${last}` : ''}`))
      }
    })
  })
}

function tooMuchMemory({ memoryBytes }: Bounds): RendererError {
  return new RendererError('memory', `needs more than ${Math.round(memoryBytes / 1024 ** 2)} MiB`)
}

/** Kills a child that overstays a limit or is no longer wanted, and remembers why. */
class Watch {
  reason: RendererError | undefined
  readonly #child: ChildProcess
  readonly #bounds: Bounds
  readonly #place: Place
  readonly #timer: NodeJS.Timeout
  readonly #poll: NodeJS.Timeout
  readonly #signal: AbortSignal | undefined
  readonly #onAbort = (): void => this.kill('aborted', 'stopped by the caller')

  constructor(child: ChildProcess, bounds: Bounds, place: Place, signal: AbortSignal | undefined) {
    const { seconds } = bounds
    this.#child = child
    this.#bounds = bounds
    this.#place = place
    this.#signal = signal
    this.#signal?.addEventListener('abort', this.#onAbort, { once: true })
    this.#timer = setTimeout(() => this.kill('timeout', `not done after ${seconds} s`), seconds * 1000)
    this.#poll = setInterval(() => void this.#look(), POLL_MS)
    // The caller may have stopped while the child was prepared: nobody is told of that again.
    if (signal?.aborted) this.#onAbort()
  }

  async #look(): Promise<void> {
    const { memoryBytes, writtenBytes } = this.#bounds
    if ((await residentBytes(this.#child.pid)) > memoryBytes) this.#end(tooMuchMemory(this.#bounds))
    if ((await bytesIn(this.#place.folder)) > writtenBytes) {
      this.kill('memory', `writes more than ${Math.round(writtenBytes / 1024 ** 2)} MiB`)
    }
  }

  kill(kind: RendererError['kind'], message: string): void {
    this.#end(new RendererError(kind, message))
  }

  #end(reason: RendererError): void {
    this.reason ??= reason
    endConfined(this.#child)
  }

  stop(): void {
    clearTimeout(this.#timer)
    clearInterval(this.#poll)
    this.#signal?.removeEventListener('abort', this.#onAbort)
  }
}
