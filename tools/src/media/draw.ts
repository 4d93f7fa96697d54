import { randomFrom } from './random.ts'

/** Lots drawn one after the other. */
export interface Draw {
  /** A whole number in [0, below). */
  below(below: number): number
  /** True with a probability in [0, 1]. */
  happens(probability: number): boolean
  one<T>(list: readonly T[]): T
  /** A name, each as likely as its weight. */
  weighted<Name extends string>(weights: Readonly<Record<Name, number>>): Name
}

/** Lots that are the same for the same seed. */
export function drawFrom(seed: number): Draw {
  const random = randomFrom(Math.imul(Math.round(seed * 4), 0x9e3779b1))
  const below = (limit: number): number => Math.floor(random() * limit)
  return {
    below,
    happens: (probability) => random() < probability,
    one: (list) => {
      const item = list[below(list.length)]
      if (item === undefined) throw new Error('nothing to draw from')
      return item
    },
    weighted: (weights) => {
      const entries = Object.entries(weights) as [keyof typeof weights, number][]
      let left = random() * entries.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [name, weight] of entries) {
        left -= weight
        if (left < 0) return name
      }
      throw new Error('nothing to draw from')
    },
  }
}
