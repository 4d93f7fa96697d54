/** A stretch of a file in bytes. */
export interface Stretch {
  readonly offset: number
  readonly length: number
}

/** Zeros in a row that are told. */
const LEAST = 512
/** Bytes between two looks: in each stretch to be told lies one. */
const STEP = LEAST / 2
/** Stretches told of one file: beyond, somebody else has to look. */
const MOST = 65_536

/** Finds stretches of zeros in bytes that pass by, piece after piece. */
export class ZeroWatch {
  #found: Stretch[] = []
  #told = 0
  /** Zeros at the end of the last piece: where they begin, and where that piece ends. */
  #from = 0
  #end = -1

  /** Looks at a piece that lies at `offset` in its file. */
  see(bytes: Uint8Array, offset: number): void {
    const end = offset + bytes.length
    const goesOn = offset === this.#end && this.#from < offset
    let from = goesOn ? this.#from : offset
    let at = goesOn ? leading(bytes, 0) : 0
    if (at < bytes.length) {
      if (goesOn) this.#tell(from, offset + at)
      from = end
      for (at += STEP - 1; at < bytes.length; at += STEP) {
        if (bytes[at] !== 0) continue
        const first = trailing(bytes, at)
        at = leading(bytes, at)
        if (at < bytes.length) this.#tell(offset + first, offset + at)
      }
      from = offset + trailing(bytes, bytes.length)
    }
    this.#from = from
    this.#end = end
  }

  /**
   * What was found since the last call, what was told as it went on once more in full; undefined for good once there are too many
   * to tell.
   */
  take(): readonly Stretch[] | undefined {
    if (this.#told > MOST) return undefined
    if (this.#end - this.#from >= LEAST) this.#tell(this.#from, this.#end)
    const found = this.#found
    this.#found = []
    return found
  }

  #tell(from: number, end: number): void {
    if (end - from < LEAST || this.#told > MOST) return
    this.#told++
    this.#found.push({ offset: from, length: end - from })
  }
}

/** Where the zeros that begin at `at` end. */
function leading(bytes: Uint8Array, at: number): number {
  let end = at
  while (end < bytes.length && bytes[end] === 0) end++
  return end
}

/** Where the zeros before `at` begin. */
function trailing(bytes: Uint8Array, at: number): number {
  let first = at
  while (first > 0 && bytes[first - 1] === 0) first--
  return first
}
