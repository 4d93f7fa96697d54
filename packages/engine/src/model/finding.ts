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

/** Collects findings up to a bound; beyond it only counts. */
export class Findings {
  readonly list: Finding[] = []
  omitted = 0
  readonly #limit: number

  constructor(limit = 1_000) {
    this.#limit = limit
  }

  add(finding: Finding): void {
    if (this.list.length < this.#limit) this.list.push(finding)
    else this.omitted++
  }

  has(code: string): boolean {
    return this.list.some((finding) => finding.code === code)
  }

  /** True when nothing found is more than a note. */
  get healthy(): boolean {
    return this.omitted === 0 && this.list.every((finding) => finding.severity === 'info')
  }
}
