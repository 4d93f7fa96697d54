import { describe, expect, it } from 'vitest'
import { edgeMeans } from '../../src/photo/levels/edge-means.ts'
import { weighDcSteps } from '../../src/photo/levels/weigh-dc-steps.ts'
import { drawPicture } from '../../testing/photos/draw.ts'
import { readPhoto } from '../../testing/photos/read-photo.ts'
import { writePhoto } from '../../testing/photos/write-photo.ts'

const BLOCK = 8
/** Levels of luminance of a step, and the row and column of MCUs it begins at. */
const STEP = 4
const ROW = 22
const COLUMN = 30

describe('a row of MCUs that differs from the one above', () => {
  const photo = readPhoto(
    writePhoto(drawPicture(1_280, 800, 8), { sampling: [2, 1], quality: 92, interval: 0 }),
  )
  if (!photo) throw new Error('the drawn photo cannot be read')
  const { layout, quantisation } = photo
  const { mcuCount, mcuLength, mcuWide } = layout

  /**
   * Places at which steps are seen where luminance of MCUs that are `lifted` is higher, in sections that steps at `known` places
   * part.
   */
  function placesWhere(
    lifted: (row: number, column: number) => boolean,
    everywhere = false,
    { step = STEP, known = [] as readonly number[] } = {},
  ): number[] {
    const change = Math.round((step * BLOCK) / quantisation[0][0])
    const coefficients = photo?.coefficients.slice() ?? new Int16Array(0)
    const { h, v } = layout.components[0]
    for (let mcu = 0; mcu < mcuCount; mcu++) {
      if (!lifted(Math.floor(mcu / mcuWide), mcu % mcuWide)) continue
      for (let block = 0; block < h * v; block++)
        coefficients[mcu * mcuLength + block * BLOCK * BLOCK] += change
    }
    const input = {
      ...{ coefficients, layout, quantisation },
      means: layout.components.map((_, component) =>
        edgeMeans(coefficients, mcuCount, layout, component, quantisation[component]),
      ),
      source: Int32Array.from({ length: mcuCount }, (_, at) => at),
      sections: [0, ...known].map((first, index) => ({
        ...{ first, count: (known[index] ?? mcuCount) - first, known: false, place: first },
        dc: new Int32Array(layout.components.length),
        ...(index > 0 && { free: [0] }),
      })),
    }
    const steps = weighDcSteps(input, everywhere)
    return steps.map(({ section, at }) => input.sections[section].first + at)
  }

  it('from one MCU on up to the one under it has a step of DC', () => {
    const places = placesWhere((row, column) => row > ROW || (row === ROW && column >= COLUMN))
    expect(places).toContain(ROW * mcuWide + COLUMN)
  })

  it("but only to its end shows an edge of the picture's own", () => {
    expect(placesWhere((row, column) => row >= ROW && column >= COLUMN)).toEqual([])
  })

  it('and only to its end is looked at where bits were turned', () => {
    expect(placesWhere((row, column) => row >= ROW && column >= COLUMN, true)).not.toEqual([])
  })

  it("is not told again right behind a step that was taken for an edge of the picture's own", () => {
    const place = ROW * mcuWide + COLUMN
    const stepFrom = (row: number, column: number): boolean => row * mcuWide + column >= place
    expect(placesWhere(stepFrom, true, { step: 7 })).toContain(place)
    const again = placesWhere(stepFrom, true, { step: 7, known: [place] })
    expect(again.filter((at) => Math.abs(at - place) < mcuWide / 2)).toEqual([])
  })
})
