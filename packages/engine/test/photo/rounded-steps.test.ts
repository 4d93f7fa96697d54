import { describe, expect, it } from 'vitest'
import type { ColouredSection } from '../../src/photo/levels/colour.ts'
import { changesOf } from '../../src/photo/turned/dc-changes.ts'
import { areRounded, areUnits } from '../../src/photo/turned/rounded-steps.ts'
import { drawPicture } from '../../testing/photos/draw.ts'
import { readPhoto } from '../../testing/photos/read-photo.ts'
import { readScan } from '../../testing/photos/read-scan.ts'
import { writePhoto } from '../../testing/photos/write-photo.ts'

const COMPONENT = 1
/** MCUs around a step in which a bit may make it. */
const AROUND = 8

describe('a step of DC in a scan that is read to its end', () => {
  const bytes = writePhoto(drawPicture(640, 400, 8), { sampling: [2, 1], quality: 92, interval: 0 })
  const photo = readPhoto(bytes)
  if (!photo) throw new Error('the drawn photo cannot be read')
  const { mcuCount, components } = photo.layout
  const scan = readScan(bytes, photo)

  /** Whether sections are as rounding makes them, the second of which is `units` higher from `first` on. */
  function isRounded(first: number, units: number): boolean {
    const higher = Int32Array.from(components, (_, component) => (component === COMPONENT ? units : 0))
    return areRounded(
      [
        { first: 0, count: first, place: 0, known: true, dc: new Int32Array(components.length) },
        { first, count: mcuCount - first, place: first, known: false, free: [COMPONENT], dc: higher },
      ],
      scan,
    )
  }

  /** Whether a bit of the MCUs around one makes a change of one unit. */
  const hasBit = (first: number): boolean =>
    Array.from({ length: 2 * AROUND }, (_, i) => changesOf(scan, first - AROUND + i, COMPONENT)).some(
      (found) => found.some(({ change }) => change === 1),
    )
  const all = Array.from({ length: mcuCount - 2 * AROUND }, (_, i) => AROUND + i)
  const withBit = all.find(hasBit)
  const without = all.find((first) => !hasBit(first))
  if (withBit === undefined || without === undefined)
    throw new Error('the drawn photo is too even, or too uneven')

  it("of one unit that no bit makes is a slope of the picture's own, rounded", () => {
    expect(isRounded(without, 1)).toBe(true)
    expect(isRounded(withBit, 1)).toBe(false)
  })

  it('of more is damage', () => {
    expect(isRounded(without, 0)).toBe(true)
    expect(isRounded(without, 2)).toBe(false)
  })
})

describe('steps of single units', () => {
  const sections = (...levels: (readonly number[])[]): ColouredSection[] =>
    levels.map((dc, first) => ({ first, count: 1, known: true, place: first, dc: Int32Array.from(dc) }))

  it('are those of each section from the one in front of it, of every component', () => {
    expect(areUnits(sections([0, 0], [1, 0], [2, -1], [1, -1]))).toBe(true)
    expect(areUnits(sections([0, 0], [2, 0]))).toBe(false)
    expect(areUnits(sections([0, 0], [0, 0], [0, -2]))).toBe(false)
    expect(areUnits(sections([2, 0]))).toBe(false)
  })
})
