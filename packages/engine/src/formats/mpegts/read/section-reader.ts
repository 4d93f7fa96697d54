import { LONGEST_SECTION, parseSection, type Section, sectionLength } from '../../../syntax/psi/section.ts'

/** Puts the sections of one PID together from its packets. */
export class SectionReader {
  readonly #bytes = new Uint8Array(LONGEST_SECTION + 188)
  #used = 0
  #wanted = 0

  /**
   * Takes a payload. `section`: one is complete, `failed`: it was, but its checksum fails.
   */
  take(payload: Uint8Array, start: boolean): { section?: Section; failed?: true } | undefined {
    let rest = payload
    if (start) {
      const pointer = payload[0] + 1
      if (pointer >= payload.length) return { failed: true }
      rest = payload.subarray(pointer)
      this.#used = 0
      this.#wanted = sectionLength(rest, 0)
      if (this.#wanted === 0) return { failed: true }
    }
    if (this.#wanted === 0) return undefined
    const part = rest.subarray(0, this.#wanted - this.#used)
    this.#bytes.set(part, this.#used)
    this.#used += part.length
    if (this.#used < this.#wanted) return undefined
    const section = parseSection(this.#bytes.subarray(0, this.#wanted))
    this.#wanted = 0
    return section ? { section } : { failed: true }
  }

  /** A packet was lost: what has begun cannot be completed. */
  reset(): void {
    this.#wanted = 0
  }
}
