/** Units seen before habits count as evidence. */
const MINIMUM = 8
/** How far an unusual value may speak against a unit, in bits: encoders do change their minds. */
const FLOOR = -8

/**
 * What one encoder always does: which NAL unit its pictures begin with, how many slices, which picture parameter set.
 * Chance bytes that are valid syntax still break these habits; evidence is the logarithm of how much likelier a value is in
 * this stream than among valid chance values.
 */
export class Habits {
  readonly #counts: Map<number, number>[]
  #total = 0

  constructor(features: number) {
    this.#counts = Array.from({ length: features }, () => new Map())
  }

  /** Counts one unit whose features have these values. */
  see(values: readonly number[]): void {
    this.#total++
    for (let i = 0; i < this.#counts.length; i++) {
      const counts = this.#counts[i]
      const value = values[i]
      const count = counts.get(value)
      if (count !== undefined) counts.set(value, count + 1)
      else if (counts.size < 256) counts.set(value, 1)
    }
  }

  /** Bits by which `value` speaks for the stream, when one valid chance unit in 2^`rarity` has that value. */
  bits(feature: number, value: number, rarity: number): number {
    if (this.#total < MINIMUM) return 0
    const count = this.#counts[feature].get(value) ?? 0
    const likelihood = Math.log2((count + 0.25) / (this.#total + 1))
    return Math.min(rarity, Math.max(FLOOR, likelihood + rarity))
  }

  /** What the values of all features say together. */
  bitsOf(values: readonly number[], rarities: readonly number[]): number {
    return rarities.reduce((sum, rarity, feature) => sum + this.bits(feature, values[feature], rarity), 0)
  }

  /** True when enough units were seen and none had this value. */
  never(feature: number, value: number): boolean {
    return this.#total >= MINIMUM && !this.#counts[feature].has(value)
  }
}
