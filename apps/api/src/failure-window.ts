/** Keys remembered at most; beyond it the oldest are forgotten, so that an attacker cannot fill the memory. */
const MOST_KEYS = 50_000

/** Counts failures by key in a window that begins with the first one. */
export class FailureWindow {
  readonly #most: number
  readonly #windowMs: number
  readonly #now: () => number
  readonly #counts = new Map<string, { count: number; until: number }>()

  constructor(most: number, windowMs: number, now: () => number) {
    this.#most = most
    this.#windowMs = windowMs
    this.#now = now
  }

  /** Whether a key has used up its failures. */
  isFull(key: string): boolean {
    return (this.#live(key)?.count ?? 0) >= this.#most
  }

  add(key: string): void {
    const known = this.#live(key)
    if (known) {
      known.count++
      return
    }
    if (this.#counts.size >= MOST_KEYS) {
      const [oldest] = this.#counts.keys()
      if (oldest !== undefined) this.#counts.delete(oldest)
    }
    this.#counts.set(key, { count: 1, until: this.#now() + this.#windowMs })
  }

  #live(key: string): { count: number; until: number } | undefined {
    const known = this.#counts.get(key)
    if (!known || known.until > this.#now()) return known
    this.#counts.delete(key)
    return undefined
  }
}
