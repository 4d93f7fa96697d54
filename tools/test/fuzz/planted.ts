import type { Target } from '../../src/fuzz/target.ts'

/** Parsers with known faults, for the test that faults are found. */
export function targets(): Target[] {
  return [
    { name: 'sound', run: async () => 100 },
    {
      name: 'throws',
      run: async (seed) => {
        if (seed === 13) throw new TypeError('planted')
        return 100
      },
    },
    {
      name: 'hangs',
      run: async (seed) => {
        while (seed === 17) Math.sqrt(seed)
        return 100
      },
    },
    {
      name: 'grows',
      run: async (seed) => {
        const kept: number[][] = []
        while (seed === 19) kept.push(Array.from({ length: 100_000 }, (_, index) => index + kept.length))
        return 100
      },
    },
  ]
}
