import type { Allowance } from '../../../../model/allowance.ts'

/** Steps of the allowance for each look at a chunk. */
const STEPS_A_LOOK = 2

/** Looks at chunks that an allowance still has steps for. */
export class Looks {
  readonly #work: Allowance
  #spent = false

  constructor(work: Allowance) {
    this.#work = work
  }

  /** The allowance is used up: whatever is found is not the whole truth. */
  get spent(): boolean {
    return this.#spent
  }

  /** Takes steps of the allowance for so many looks at chunks; false once there are none left. */
  may(looks: number): boolean {
    if (!this.#work.take(looks * STEPS_A_LOOK)) this.#spent = true
    return !this.#spent
  }
}
