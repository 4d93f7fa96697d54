import type { ChildProcess } from 'node:child_process'
import { Readable } from 'node:stream'
import type { Stage } from '@mendframe/engine'
import { AbortedError } from '@mendframe/engine/errors'
import { readAnswers } from './answers.ts'
import type { Copier } from './copier.ts'
import type { Decoding } from './decoding.ts'
import { EngineCrashError, EngineLimitError, fromWire } from './errors.ts'
import { processMemory } from './memory.ts'
import { ANSWERS, type EngineJob, type EngineMessage, type Notice } from './protocol.ts'

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

/** Milliseconds between two looks at the process's memory. */
const MEMORY_INTERVAL = 200
/** Characters kept of the process's error stream. */
const DETAIL_LIMIT = 16_384

const BYTES_PER_MB = 2 ** 20

/** What the runtime says when a limit of memory holds. */
const OUT_OF_MEMORY = /out of memory|Array buffer allocation failed/

/** What ends a conversation. */
export type FinalMessage = Exclude<
  EngineMessage,
  { type: 'progress' | 'copy' | 'foretell' | 'hold' | 'decode' }
>

/** Whom the engine's process may ask to work for it. */
export interface Helpers {
  readonly copier: Copier | undefined
  readonly decoding: Decoding | undefined
}

/**
 * What is said between a process of the engine and whoever gave it a job: the job, what it asks for and hears, and how it ends.
 * Past a bound of time or memory the process is killed.
 */
export class Conversation {
  readonly #child: ChildProcess
  readonly #options: EngineRunOptions
  readonly #memoryMb: number
  readonly #helpers: Helpers
  readonly #ended = Promise.withResolvers<FinalMessage>()
  readonly #watch: NodeJS.Timeout
  readonly #clock: NodeJS.Timeout | undefined
  #errorText = ''
  #peakBytes = 0

  private constructor(child: ChildProcess, memoryMb: number, options: EngineRunOptions, helpers: Helpers) {
    this.#child = child
    this.#options = options
    this.#memoryMb = memoryMb
    this.#helpers = helpers
    this.#watch = setInterval(() => this.#look(), MEMORY_INTERVAL)
    this.#clock = this.#startClock()
    options.signal?.addEventListener('abort', this.#stop, { once: true })
    this.#listen()
  }

  /**
   * Gives the process its job, and resolves with what it says last. `memoryMb`: the most MiB it may hold.
   * @throws AbortedError, EngineLimitError, EngineCrashError, or what the engine itself threw.
   */
  static about(
    job: EngineJob,
    child: ChildProcess,
    memoryMb: number,
    options: EngineRunOptions,
    helpers: Helpers,
  ): Promise<FinalMessage> {
    const conversation = new Conversation(child, memoryMb, options, helpers)
    conversation.#tell(job)
    return conversation.#ended.promise
  }

  #startClock(): NodeJS.Timeout | undefined {
    const { timeoutSeconds } = this.#options
    if (timeoutSeconds === undefined) return undefined
    const error = new EngineLimitError('time', `stopped: it took longer than ${timeoutSeconds} seconds`)
    return setTimeout(() => this.#fail(error), timeoutSeconds * 1000)
  }

  #listen(): void {
    const child = this.#child
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#errorText = (this.#errorText + text).slice(-DETAIL_LIMIT)
    })
    child.stdin?.on('error', () => {
      // The process died before it took its job; 'close' tells why.
    })
    child.once('error', (error) =>
      this.#fail(new EngineCrashError(`the engine could not be started: ${error.message}`, '')),
    )
    child.once('close', (code, signal) => this.#fail(this.#brokenOff(code, signal)))
    const answers = child.stdio[ANSWERS]
    if (answers instanceof Readable) readAnswers(answers, this.#receive, this.#fail)
    this.#helpers.copier?.listen({
      done: (copied, zeros) => this.#tell({ copied, zeros }),
      failed: this.#fail,
    })
  }

  readonly #receive = (message: EngineMessage): void => {
    const { copier, decoding } = this.#helpers
    switch (message.type) {
      case 'progress':
        this.#note(message.memory, message.memory)
        this.#options.onProgress?.(message.stage, message.fraction)
        return
      case 'copy':
        copier?.add(message.order)
        return
      case 'foretell':
        copier?.foretell(message.order)
        return
      case 'hold':
        copier?.hold()
        this.#tell({ held: true })
        return
      case 'decode':
        if (!decoding) throw new EngineCrashError('the engine asked for a decoder that it was not given', '')
        decoding(message.target).then((decoded) => this.#tell({ decoded }), this.#fail)
        return
      default:
        this.#conclude(message)
    }
  }

  #conclude(message: FinalMessage): void {
    this.#look()
    this.#settle()
    this.#options.onUsage?.({ peakBytes: this.#peakBytes })
    if (message.type === 'failed') this.#ended.reject(fromWire(message.error))
    else this.#ended.resolve(message)
  }

  readonly #stop = (): void => this.#fail(new AbortedError('stopped'))

  readonly #fail = (error: Error): void => {
    this.#settle()
    this.#child.kill('SIGKILL')
    this.#ended.reject(error)
  }

  #settle(): void {
    clearInterval(this.#watch)
    clearTimeout(this.#clock)
    this.#options.signal?.removeEventListener('abort', this.#stop)
  }

  #tell(line: EngineJob | Notice): void {
    this.#child.stdin?.write(`${JSON.stringify(line)}\n`)
  }

  #look(): void {
    const memory = processMemory(this.#child.pid ?? 0)
    if (memory) this.#note(memory.current, memory.peak)
  }

  #note(currentBytes: number, peakBytes: number): void {
    this.#peakBytes = Math.max(this.#peakBytes, peakBytes)
    if (currentBytes > this.#memoryMb * BYTES_PER_MB) this.#fail(this.#tooMuchMemory())
  }

  #tooMuchMemory(): EngineLimitError {
    return new EngineLimitError('memory', `stopped: it needed more than ${this.#memoryMb} MiB of memory`)
  }

  #brokenOff(code: number | null, signal: NodeJS.Signals | null): Error {
    if (OUT_OF_MEMORY.test(this.#errorText)) return this.#tooMuchMemory()
    const line = signal
      ? `the engine process was killed (${signal})`
      : `the engine process broke off (exit ${code})`
    return new EngineCrashError(line, this.#errorText)
  }
}
