import { describe, expect, it } from 'vitest'
import { mutate } from '../../src/fuzz/mutate.ts'
import { fuzz } from '../../src/fuzz/run.ts'
import { randomFrom } from '../../src/media/random.ts'

describe('mutation', () => {
  const bytes = Uint8Array.from({ length: 3_000 }, (_, index) => index)
  const other = Uint8Array.from({ length: 500 }, () => 7)

  it('gives the same bytes for the same number and leaves what it was given alone', () => {
    const before = Uint8Array.from(bytes)
    for (let seed = 0; seed < 300; seed++) {
      const first = mutate(bytes, other, randomFrom(seed))
      expect(mutate(bytes, other, randomFrom(seed))).toEqual(first)
      expect(first.length).toBeLessThan(60_000)
    }
    expect(bytes).toEqual(before)
  })

  it('gives different bytes for most numbers', () => {
    const seen = new Set(
      Array.from({ length: 300 }, (_, seed) => mutate(bytes, other, randomFrom(seed)).join()),
    )
    expect(seen.size).toBeGreaterThan(250)
  })
})

describe('fuzzer', () => {
  it('names every planted fault by target and number: what throws, hangs or grows', async () => {
    const module = new URL('./planted.ts', import.meta.url).href
    const { faults, inputs } = await fuzz({
      seed: 0,
      inputs: 4 * 60,
      seconds: 60,
      workers: 2,
      hangSeconds: 3,
      module,
    })
    expect(faults.map(({ target, seed }) => `${target} ${seed}`).sort()).toEqual([
      'grows 19',
      'hangs 17',
      'throws 13',
    ])
    expect(inputs).toBeGreaterThanOrEqual(4 * 60)
  })

  it('finds no fault in a short run over every parser of the engine', async () => {
    const { faults, inputs } = await fuzz({ seed: 20_000, inputs: 1_500, seconds: 20, workers: 2 })
    expect(faults).toEqual([])
    expect(inputs).toBeGreaterThan(100)
  })
})
