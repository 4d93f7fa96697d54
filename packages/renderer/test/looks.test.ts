import { expect, test } from 'vitest'
import { Faults } from '../src/tasks/verify/faults.ts'
import { declaredOtherwise } from '../src/tasks/verify/looks.ts'

test('a size that differs by more than cropping is told, one that does not is not', () => {
  expect(declaredOtherwise({ width: 720, height: 576 }, { width: 720, height: 480 })).toEqual({
    declared: '720x576',
  })
  expect(declaredOtherwise({ width: 1920, height: 1088 }, { width: 1920, height: 1080 })).toEqual({})
  expect(declaredOtherwise({}, { width: 720, height: 480 })).toEqual({})
})

test('sound may decode to twice or half the declared rate, and to no other', () => {
  for (const sampleRate of [24_000, 48_000, 12_000])
    expect(declaredOtherwise({ sampleRate: 24_000 }, { sampleRate })).toEqual({})
  expect(declaredOtherwise({ sampleRate: 22_050 }, { sampleRate: 48_000 })).toEqual({ declared: '22050 Hz' })
})

test('faults that touch are one stretch, those that are likely another, and a complaint stays one', () => {
  const faults = new Faults()
  faults.add(1.04, 0.04)
  faults.add(1, 0.04)
  faults.add(1, 0.04, true)
  faults.add(2, 0.04, true)
  const [first, second, ...more] = faults.list(1)
  expect(first).toMatchObject({ start: 0, units: 2 })
  expect(first).not.toHaveProperty('likely')
  expect(second).toMatchObject({ start: 1, units: 1, likely: true })
  expect(more).toEqual([])
})

test('a track with very many faults tells no more than two thousand', () => {
  const faults = new Faults()
  for (let at = 0; at < 9_000; at++) faults.add(at / 5, 0.04)
  const list = faults.list(0)
  expect(list.length).toBeLessThanOrEqual(2_000)
  expect(list.reduce((sum, { units }) => sum + units, 0)).toBe(9_000)
})
