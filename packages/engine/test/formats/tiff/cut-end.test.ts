import { describe, expect, it } from 'vitest'
import { cutEnd } from '../../../src/formats/tiff/mend/cut-end.ts'

describe('the end that a file had before it was cut off', () => {
  it('is where the last piece behind the cut ends, whatever order they stand in', () => {
    expect(cutEnd(1_000, [at(2_900, 100), at(900, 1_000), at(1_900, 1_000)])).toBe(3_000)
  })

  it('is no earlier than the file', () => {
    expect(cutEnd(1_000, [at(10, 20)])).toBe(1_000)
    expect(cutEnd(1_000, [])).toBe(1_000)
  })

  it('leaves room for what nothing names, up to as much as survives', () => {
    expect(cutEnd(1_000, [at(2_000, 50)])).toBe(2_050)
    expect(cutEnd(1_000, [at(2_001, 50)])).toBe(1_000)
    expect(cutEnd(1_000, [at(1_600, 50), at(2_300, 50)])).toBe(1_650)
  })

  it('is not where a piece ends that is longer than anything the file could be cut from', () => {
    expect(cutEnd(1_000_000, [at(900_000, 200_000), at(1_100_000, 2 ** 31)])).toBe(1_100_000)
    expect(cutEnd(1_000_000, [at(900_000, 50_000_000)])).toBe(50_900_000)
  })
})

function at(offset: number, bytes: number): { offset: number; bytes: number } {
  return { offset, bytes }
}
