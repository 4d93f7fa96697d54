import { Worker } from 'node:worker_threads'
import { Schedule } from './schedule.ts'
import type { Target } from './target.ts'

/** What a worker is told: which numbered inputs to run; `Schedule` says what each is. */
export interface WorkerOrder {
  readonly seed: number
  readonly first: number
  readonly last: number
  readonly step: number
  /** Only targets whose name holds this. */
  readonly only: string
  readonly secondsPerMegabyte: number
  /** Address of the module whose `targets()` are run. */
  readonly module: string
  readonly board: SharedArrayBuffer
}

/** Something that must not happen, and the input that brings it about. */
export interface WorkerMessage {
  readonly target: string
  readonly seed: number
  readonly what: string
}

export interface FuzzOptions {
  readonly seed: number
  /** Inputs over all targets. */
  readonly inputs: number
  /** Ends earlier after this many seconds. */
  readonly seconds: number
  readonly workers: number
  /** Only targets whose name holds this; all by default. */
  readonly only?: string
  /** Address of a module that exports `targets()`; the engine's parsers by default. */
  readonly module?: string
  /** Seconds of the processor's time after which an input counts as hanging; 20 by default. */
  readonly hangSeconds?: number
  readonly onFault?: (fault: WorkerMessage) => void
  readonly onProgress?: (inputs: number) => void
}

export interface FuzzResult {
  readonly inputs: number
  readonly faults: readonly WorkerMessage[]
  /** Resident memory of this process at most, in bytes. */
  readonly peakBytes: number
}

const SECONDS_PER_MEGABYTE = 2
/** A worker that works this long on one input hangs: inputs are far below a megabyte. */
const HANG_SECONDS = 20
/** A worker that stays so many times as long on one input hangs even if it does not work: it waits for nothing. */
const WAITING = 60
const POLL_MS = 250
/** JavaScript heap of a worker. */
const HEAP_MEGABYTES = 300
/** Faults after which a run has told enough. */
const ENOUGH_FAULTS = 50

/** The parsers of a module whose names hold a text: a format, a codec or what is done. */
export async function loadTargets(module: string | undefined, only: string | undefined): Promise<Target[]> {
  const loaded: { targets(): Target[] } = await import(
    module ?? new URL('./targets.ts', import.meta.url).href
  )
  return loaded.targets().filter(({ name }) => name.includes(only ?? ''))
}

/** Feeds mutated fixtures to every parser and collects what must not happen. */
export async function fuzz(options: FuzzOptions): Promise<FuzzResult> {
  const faults: WorkerMessage[] = []
  const targets = await loadTargets(options.module, options.only)
  if (targets.length === 0) throw new Error(`there is no target ${options.only}`)
  const schedule = new Schedule(targets, options.seed)
  const deadline = performance.now() + options.seconds * 1000
  const lanes = Array.from(
    { length: options.workers },
    (_, lane) => new Lane(options, schedule, lane, faults),
  )
  let peakBytes = 0
  await new Promise<void>((resolve) => {
    const poll = setInterval(() => {
      peakBytes = Math.max(peakBytes, process.memoryUsage.rss())
      const over = performance.now() > deadline || faults.length >= ENOUGH_FAULTS
      for (const lane of lanes) lane.watch(over)
      options.onProgress?.(count(lanes))
      if (lanes.some((lane) => lane.running)) return
      clearInterval(poll)
      resolve()
    }, POLL_MS)
  })
  return { inputs: count(lanes), faults, peakBytes }
}

function count(lanes: readonly Lane[]): number {
  return lanes.reduce((sum, lane) => sum + lane.done, 0)
}

/** One worker after another on every n-th input: one that hangs or dies is replaced behind the input it died of. */
class Lane {
  running = true
  readonly #board = new SharedArrayBuffer(8)
  readonly #state = new Int32Array(this.#board)
  readonly #options: FuzzOptions
  readonly #faults: WorkerMessage[]
  readonly #schedule: Schedule
  readonly #hangSeconds: number
  #worker: Worker
  #seen = -1
  #since = performance.now()
  /** Processor time of the worker when its input began, in microseconds. */
  #before = 0
  /** The worker whose processor time is being asked for. */
  #looking: Worker | undefined

  constructor(options: FuzzOptions, schedule: Schedule, lane: number, faults: WorkerMessage[]) {
    this.#options = options
    this.#schedule = schedule
    this.#hangSeconds = options.hangSeconds ?? HANG_SECONDS
    this.#faults = faults
    this.#worker = this.#start(lane)
  }

  get done(): number {
    return Atomics.load(this.#state, 1)
  }

  watch(over: boolean): void {
    if (!this.running) return
    if (over) this.#worker.postMessage('stop')
    if (this.#looking !== this.#worker) void this.#look(this.#worker)
  }

  /** Replaces the worker when it hangs. A busy machine is no fault: the worker's own processor time counts. */
  async #look(worker: Worker): Promise<void> {
    this.#looking = worker
    try {
      const { user, system } = await worker.cpuUsage()
      if (worker !== this.#worker) return
      if (this.done !== this.#seen) {
        this.#seen = this.done
        this.#since = performance.now()
        this.#before = user + system
      } else if (
        user + system - this.#before > this.#hangSeconds * 1e6 ||
        performance.now() - this.#since > this.#hangSeconds * WAITING * 1000
      ) {
        const number = Atomics.load(this.#state, 0)
        this.#fault(number, `hangs: ${this.#hangSeconds} s without an end`)
        void worker.terminate()
        this.#worker = this.#start(number + this.#options.workers)
      }
    } catch {
      // the worker has just ended: its exit is heard elsewhere
    } finally {
      if (this.#looking === worker) this.#looking = undefined
    }
  }

  #start(first: number): Worker {
    const { seed, inputs, workers, only = '' } = this.#options
    this.#seen = -1
    this.#since = performance.now()
    this.#before = 0
    const order: WorkerOrder = {
      seed,
      first,
      last: inputs,
      step: workers,
      only,
      module: this.#options.module ?? new URL('./targets.ts', import.meta.url).href,
      secondsPerMegabyte: SECONDS_PER_MEGABYTE,
      board: this.#board,
    }
    const worker = new Worker(new URL('./worker.ts', import.meta.url), {
      workerData: order,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES },
    })
    worker.on('message', (fault: WorkerMessage) => this.#add(fault))
    worker.on('error', (error: Error) => {
      if (worker !== this.#worker) return
      const number = Atomics.load(this.#state, 0)
      this.#fault(number, `takes its worker down: ${error.message}`)
      this.#worker = this.#start(number + workers)
    })
    worker.on('exit', (code) => {
      if (worker === this.#worker && code === 0) this.running = false
    })
    return worker
  }

  #fault(number: number, what: string): void {
    const { target, seed } = this.#schedule.at(number)
    this.#add({ target: target.name, seed, what })
  }

  #add(fault: WorkerMessage): void {
    this.#faults.push(fault)
    this.#options.onFault?.(fault)
  }
}
