import { describe, expect, it } from 'vitest'
import { DcStepFinder } from '../../src/photo/levels/find-dc-steps.ts'
import { randomFrom } from '../../testing/hostile-sources.ts'

const [WIDE, ROWS] = [48, 16]
/** Where levels begin to differ from the row above, and by how much. */
const [ROW, COLUMN, STEP] = [8, 4, -40]

/** Lengths of the sections of a scan in which MCUs differ from those above where `differs` says so. */
function sectionsWhere(differs: (row: number, column: number) => boolean, step = STEP): number[] {
  const random = randomFrom(5)
  const count = WIDE * ROWS
  const bottom = Float32Array.from({ length: count }, () => 100 + 2 * random())
  const top = Float32Array.from({ length: count }, (_, i) =>
    differs(Math.floor(i / WIDE), i % WIDE) ? 100 + step : 100 + 2 * random(),
  )
  const finder = new DcStepFinder([{ top, bottom }], WIDE, () => true)
  const whole = { first: 0, count, known: true }
  const bits = { startBit: 0, endBit: 1, step: 1, phase: 0, broken: false, flush: true }
  return finder.cut({ first: 0, count, sections: [whole], ...bits }, 0).sections.map((each) => each.count)
}

describe('a row that differs from the one above', () => {
  it('up to the MCU under its first one is off by a step of DC', () => {
    const step = sectionsWhere((row, column) =>
      row === ROW ? column >= COLUMN : row === ROW + 1 && column < COLUMN,
    )
    expect(step).toEqual([ROW * WIDE + COLUMN, (ROWS - ROW) * WIDE - COLUMN])
  })

  it("up to its end has an edge of the picture's own, be that nearly all of it", () => {
    expect(sectionsWhere((row, column) => row === ROW && column >= COLUMN)).toEqual([WIDE * ROWS])
  })

  it.each([STEP, -STEP])(
    "by %i levels from its first MCU on has an edge of the picture's own, be some of the next row off, too",
    (step) => {
      const edge = (row: number, column: number): boolean =>
        row === ROW || (row === ROW + 1 && column < COLUMN)
      expect(sectionsWhere(edge, step)).toEqual([WIDE * ROWS])
    },
  )

  it("with no row under it has an edge of the picture's own, be its first MCUs as those above", () => {
    const last = ROWS - 1
    expect(sectionsWhere((row, column) => row === last && column >= COLUMN)).toEqual([WIDE * ROWS])
  })
})
