/** How much a defect matters: `info` breaks no rule, `warning` a player survives, `error` loses or hides content. */
export type Severity = 'info' | 'warning' | 'error'

/** One defect (or notable fact) of an input file. Damage is data: findings are collected, never thrown. */
export interface Finding {
  /** Stable name, `family.defect`, e.g. `isobmff.moov-missing`; the web gives it words for visitors. */
  readonly code: string
  readonly severity: Severity
  /** One line for engineers, with numbers. */
  readonly message: string
  /** Where in the file: first byte and byte count. Absent when the defect has no place. */
  readonly offset?: number
  readonly length?: number
  /** The rule it breaks, e.g. `ISO/IEC 14496-12:2022 §8.2.1`. */
  readonly clause?: string
}

/**
 * Collects findings up to a bound; beyond it only counts. What is asked of the whole (`has`, `healthy`) knows those beyond it,
 * too: no verdict depends on how many are kept.
 */
export class Findings {
  readonly list: Finding[] = []
  omitted = 0
  readonly #limit: number
  readonly #codes = new Set<string>()
  /** Codes of those that are more than a note. */
  readonly #faults = new Set<string>()

  constructor(limit = 1_000) {
    this.#limit = limit
  }

  add(finding: Finding): void {
    this.#codes.add(finding.code)
    if (finding.severity !== 'info') this.#faults.add(finding.code)
    if (this.list.length < this.#limit) this.list.push(finding)
    else this.omitted++
  }

  /**
   * Counts one more of a code that is more than a note, once no more are kept: true of nearly all of a file in pieces, for which
   * nothing has to be put in words. False where it has to be added.
   */
  countMore(code: string): boolean {
    if (this.list.length < this.#limit || !this.#faults.has(code)) return false
    this.omitted++
    return true
  }

  /** Takes over what another list has, with what it left out. */
  join(other: Findings): void {
    for (const finding of other.list) this.add(finding)
    for (const code of other.#codes) this.#codes.add(code)
    for (const code of other.#faults) this.#faults.add(code)
    this.omitted += other.omitted
  }

  has(code: string): boolean {
    return this.#codes.has(code)
  }

  /** Whether some code found fits. */
  some(fits: (code: string) => boolean): boolean {
    return [...this.#codes].some(fits)
  }

  /** True when nothing found is more than a note. */
  get healthy(): boolean {
    return this.#faults.size === 0
  }

  /** True when nothing found is more than a note, but for findings with these codes. */
  healthyBut(codes: ReadonlySet<string>): boolean {
    return [...this.#faults].every((code) => codes.has(code))
  }
}
