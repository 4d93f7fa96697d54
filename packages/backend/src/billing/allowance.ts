import type { Plan } from '@mendframe/contract'

/** What the plan allows now. */
export interface Allowance {
  readonly plan: Plan
  /** Places altogether, of all unexpired purchases or of the Free plan. */
  readonly total: number
  readonly spent: number
  readonly held: number
}
