import { describe, expect, it } from 'vitest'
import { type Border, balance, FAR_OFF, PREVIEW_FAR_OFF } from '../../src/photo/levels/balance.ts'

/** Groups behind each other, the first of them known. */
const GROUPS = 4
const PREVIEW = GROUPS
/** Levels by which the border behind the known group is wrong, and errors told of borders and of the preview. */
const WRONG = 10
const BORDER_ERROR = 0.6
const PREVIEW_ERROR = 0.5
const PREVIEW_APART = 2

const weightOf = (error: number): number => error ** -2

/** Borders between groups that follow each other, none of which is brighter, but that behind the known one seems so. */
function borders(wrong: number): Border[] {
  return Array.from({ length: GROUPS - 1 }, (_, index) => ({
    ...{ below: index + 1, above: index, difference: index === 0 ? wrong : 0 },
    ...{ weight: weightOf(BORDER_ERROR), farOff: FAR_OFF },
  }))
}

describe('levels of groups', () => {
  it('follow a preview that shows all of them where one border contradicts it', () => {
    const told = Array.from({ length: GROUPS }, (_, below) => ({
      ...{ below, above: PREVIEW, difference: 0 },
      ...{ weight: weightOf(PREVIEW_ERROR), farOff: PREVIEW_FAR_OFF },
    }))
    const apart = {
      ...{ below: PREVIEW, above: 0, difference: 0 },
      ...{ weight: weightOf(PREVIEW_APART), farOff: FAR_OFF },
    }
    const known = Array.from({ length: GROUPS + 1 }, (_, group) => group === 0)
    const levels = balance(known, [...borders(WRONG), ...told, apart], []).offsets
    for (const level of levels) expect(Math.abs(level)).toBeLessThan(1)
  })

  it('are what borders tell where nothing contradicts them', () => {
    const levels = balance([true, false, false, false], borders(WRONG), []).offsets
    expect(Array.from(levels, Math.round)).toEqual([0, WRONG, WRONG, WRONG])
  })

  it('stay within the bounds of each', () => {
    const bounds = [undefined, { least: -50, most: 2 }, { least: -50, most: 60 }, { least: -50, most: 2 }]
    const levels = balance([true, false, false, false], borders(WRONG), bounds).offsets
    for (const level of levels.subarray(1)) expect(level).toBeCloseTo(2, 0)
  })
})
