import { constants } from 'node:os'

/** Signals that ask a command to stop and clean up after itself. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Watches for Ctrl-C and its kin while a command runs. The second signal ends the process at once. */
export class Interruption {
  readonly #controller = new AbortController()
  #received: NodeJS.Signals | undefined
  readonly #listener = (signal: NodeJS.Signals): void => {
    if (this.#received) process.exit(this.exitCode)
    this.#received = signal
    this.#controller.abort()
  }

  constructor() {
    for (const signal of SIGNALS) process.on(signal, this.#listener)
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** What a shell expects of a command ended by this signal: 128 plus its number, 130 for Ctrl-C. */
  get exitCode(): number {
    return 128 + constants.signals[this.#received ?? 'SIGINT']
  }

  [Symbol.dispose](): void {
    for (const signal of SIGNALS) process.off(signal, this.#listener)
  }
}
