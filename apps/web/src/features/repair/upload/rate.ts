/** How fast a transfer goes and how long it will still take, from byte counts as they come in. */
export interface Pace {
  /** Bytes a second. 0 while unknown. */
  readonly rate: number
  /** Seconds left; `undefined` while unknown. */
  readonly secondsLeft: number | undefined
}

/** Milliseconds of the past that count; older measurements say little about a mobile connection. */
const WINDOW_MS = 8_000
/** Before this much of it is known, any figure would jump about. */
const LEAST_MS = 700

/** Measures a transfer over the last seconds. */
export class PaceMeter {
  readonly #marks: { readonly at: number; readonly bytes: number }[] = []

  /** Takes a reading: bytes sent so far, of so many, at a time in milliseconds. */
  read(at: number, bytes: number, total: number): Pace {
    const last = this.#marks[this.#marks.length - 1]
    if (last && bytes < last.bytes) this.#marks.length = 0
    this.#marks.push({ at, bytes })
    while (this.#marks.length > 2 && at - (this.#marks[0]?.at ?? at) > WINDOW_MS) this.#marks.shift()
    const first = this.#marks[0]
    if (!first || at - first.at < LEAST_MS) return { rate: 0, secondsLeft: undefined }
    const rate = ((bytes - first.bytes) / (at - first.at)) * 1000
    if (rate <= 0) return { rate: 0, secondsLeft: undefined }
    return { rate, secondsLeft: Math.max(0, total - bytes) / rate }
  }

  /** Forgets what was measured, after a pause. */
  reset(): void {
    this.#marks.length = 0
  }
}
