import { type Attempt, type Context, reportProgress } from '@mendframe/backend'
import type { RepairStage } from '@mendframe/contract'

/** Writes at most so often, and at least so often, so that a cancelled repair is noticed soon. */
const LEAST_MS = 400
const MOST_MS = 2_000

/**
 * Writes an attempt's progress, never two writes at once. When the repair is no longer this attempt's (cancelled, or given to
 * another worker) `onLost` is called, once.
 */
export class ProgressWriter {
  readonly #context: Context
  readonly #attempt: Attempt
  readonly #onLost: () => void
  readonly #timer: NodeJS.Timeout
  #stage: RepairStage = 'fetch'
  #fraction = 0
  #told = ''
  #lastWrite = 0
  #writing: Promise<void> | undefined
  #over = false

  constructor(context: Context, attempt: Attempt, onLost: () => void) {
    this.#context = context
    this.#attempt = attempt
    this.#onLost = onLost
    this.#timer = setInterval(() => this.#tick(), LEAST_MS)
  }

  set(stage: RepairStage, fraction: number): void {
    this.#stage = stage
    this.#fraction = fraction
  }

  /** Ends the writing; waits for the last one. */
  async stop(): Promise<void> {
    this.#over = true
    clearInterval(this.#timer)
    await this.#writing
  }

  #tick(): void {
    if (this.#writing || this.#over) return
    const now = Date.now()
    const text = `${this.#stage} ${Math.round(this.#fraction * 100)}`
    if (text === this.#told && now - this.#lastWrite < MOST_MS) return
    this.#told = text
    this.#lastWrite = now
    this.#writing = this.#write().finally(() => {
      this.#writing = undefined
    })
  }

  async #write(): Promise<void> {
    try {
      const ours = await reportProgress(this.#context, this.#attempt, this.#stage, this.#fraction)
      if (ours || this.#over) return
      this.#over = true
      clearInterval(this.#timer)
      this.#onLost()
    } catch (error) {
      // A database that is away for a moment costs a line of progress, not the repair.
      this.#context.log.warn({ err: error }, 'progress not written')
    }
  }
}
