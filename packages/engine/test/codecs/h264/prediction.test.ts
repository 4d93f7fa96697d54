import { describe, expect, it } from 'vitest'
import { type MotionSymbols, Prediction } from '../../../src/codecs/h264/slice-data/prediction.ts'

const B_QUARTERS = 22

/** Symbols that are all right, with what was asked for: `r0`, `v1` with places and sizes. */
function asked(prediction: Prediction, references: readonly [number, number] = [2, 2]): string[] {
  const list: string[] = []
  const symbols: MotionSymbols = {
    reference: (of, _, ...place) => list.push(`r${of} ${place.join()}`) && 0,
    vector: (of, ...place) => list.push(`v${of} ${place.join()}`) > 0,
  }
  expect(prediction.read(symbols, references)).toBe(true)
  return list
}

function quarters(type: number): Prediction {
  const prediction = new Prediction()
  expect(prediction.take(B_QUARTERS, true)).toBe(true)
  for (let quarter = 0; quarter < 4; quarter++)
    expect(prediction.takeQuarter(quarter, quarter === 3 ? type : 0, true)).toBe(true)
  return prediction
}

describe('quarters of macroblocks in B slices', () => {
  it.each([
    [1, ['r0 2,2,2,2', 'v0 2,2,2,2']],
    [4, ['r0 2,2,2,2', 'v0 2,2,2,1', 'v0 2,3,2,1']],
    [5, ['r0 2,2,2,2', 'v0 2,2,1,2', 'v0 3,2,1,2']],
    [7, ['r1 2,2,2,2', 'v1 2,2,1,2', 'v1 3,2,1,2']],
    [8, ['r0 2,2,2,2', 'r1 2,2,2,2', 'v0 2,2,2,1', 'v0 2,3,2,1', 'v1 2,2,2,1', 'v1 2,3,2,1']],
    [11, ['r1 2,2,2,2', 'v1 2,2,1,1', 'v1 3,2,1,1', 'v1 2,3,1,1', 'v1 3,3,1,1']],
  ])('of type %i are parted as Table 7-18 says', (type, symbols) => {
    expect(asked(quarters(type))).toEqual(symbols)
  })

  it('end with the last type of the table', () => {
    expect(new Prediction().takeQuarter(0, 12, true)).toBe(true)
    expect(new Prediction().takeQuarter(0, 13, true)).toBe(false)
  })
})

describe('transforms of 8x8 samples', () => {
  it('span what is predicted directly only where directions are inferred for as much', () => {
    const direct = new Prediction()
    direct.take(0, true)
    for (const prediction of [direct, quarters(1)])
      expect([true, false].map((inferred) => prediction.allows8x8(inferred))).toEqual([true, false])
  })

  it('span no smaller parts', () => {
    expect(quarters(4).allows8x8(true)).toBe(false)
    const quartered = new Prediction()
    quartered.take(3, false)
    for (let quarter = 0; quarter < 4; quarter++) quartered.takeQuarter(quarter, 0, false)
    expect(quartered.allows8x8(false)).toBe(true)
  })
})

it('references are asked for where there is a choice, and one beyond is none', () => {
  const prediction = new Prediction()
  prediction.take(1, false)
  expect(asked(prediction, [1, 0])).toEqual(['v0 0,0,4,2', 'v0 0,2,4,2'])
  const beyond: MotionSymbols = { reference: (_, count) => count, vector: () => true }
  expect(prediction.read(beyond, [2, 0])).toBe(false)
})
