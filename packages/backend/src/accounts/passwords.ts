import { hash, verify } from '@node-rs/argon2'
import { ServiceFailure } from '../failure.ts'

/**
 * argon2id (the library's own choice of algorithm) with 12 MiB, three passes, one lane: one of the equal-strength settings of the
 * OWASP Password Storage Cheat Sheet; the one with little memory leaves room for many log-ins at once.
 */
const PARAMETERS = { memoryCost: 12_288, timeCost: 3, parallelism: 1 } as const

/** A hash of no password: verified in place of a missing one, so that both answers take the same time. */
let decoy: Promise<string> | undefined

/** Hashings at the same time, as many as there are threads for them, and those that may wait. */
const AT_ONCE = 4
const WAITING = 200

/** Lets a bounded number of hashings run and wait: each takes 12 MiB, and whoever comes too late would time out anyway. */
export class Gate {
  #running = 0
  readonly #waiting: (() => void)[] = []

  /** @throws ServiceFailure `server.unavailable` when too many wait already. */
  async pass<Value>(work: () => Promise<Value>): Promise<Value> {
    if (this.#running >= AT_ONCE) {
      if (this.#waiting.length >= WAITING) throw new ServiceFailure('server.unavailable')
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    } else this.#running++
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running--
    }
  }
}

const gate = new Gate()

export function hashPassword(password: string): Promise<string> {
  return gate.pass(() => hash(password, PARAMETERS))
}

/** Whether the password fits; `undefined` stands for an account without one and never fits. */
export async function passwordFits(stored: string | null | undefined, password: string): Promise<boolean> {
  if (!stored) {
    decoy ??= hash('', PARAMETERS)
    const fits = await decoy
    await gate.pass(() => verify(fits, password))
    return false
  }
  return gate.pass(() => verify(stored, password))
}
