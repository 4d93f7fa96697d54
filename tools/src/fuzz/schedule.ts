import type { Target } from './target.ts'

/** One input: a target and the number that makes its bytes. */
export interface Turn {
  readonly target: Target
  readonly seed: number
}

/**
 * Whose turn it is: every round each target comes as often as its weight says, so that quick parsers get most inputs and slow
 * ones a fair share of the time. Every target's inputs are numbered from the run's seed on without a gap.
 */
export class Schedule {
  readonly #round: readonly { readonly target: Target; readonly place: number }[]
  readonly #seed: number

  constructor(targets: readonly Target[], seed: number) {
    this.#seed = seed
    const most = Math.max(0, ...targets.map(weightOf))
    this.#round = Array.from({ length: most }, (_, place) => place).flatMap((place) =>
      targets.filter((target) => place < weightOf(target)).map((target) => ({ target, place })),
    )
  }

  /** The input of a number from 0 on. @throws Error when there is no target */
  at(number: number): Turn {
    const turn = this.#round[number % this.#round.length]
    if (!turn) throw new Error('there are no targets')
    const rounds = Math.floor(number / this.#round.length)
    return { target: turn.target, seed: this.#seed + rounds * weightOf(turn.target) + turn.place }
  }
}

function weightOf({ weight = 1 }: Target): number {
  return weight
}
