import { describe, expect, it } from 'vitest'
import { STANDARD_QUANTISATION } from '../../../src/codecs/jpeg/standard-tables.ts'
import { borderJumps } from '../../../src/photo/frame/border-jumps.ts'
import { chrominanceTable } from '../../../src/photo/frame/estimate-quantisation.ts'
import { contrastOf } from '../../../src/photo/preview/preview-tone.ts'
import { randomFrom } from '../../../testing/hostile-sources.ts'
import { drawPicture } from '../../../testing/photos/draw.ts'
import { readPhoto } from '../../../testing/photos/read-photo.ts'
import { writePhoto } from '../../../testing/photos/write-photo.ts'

const PLAIN = { sampling: [2, 2], quality: 90, interval: 0 } as const

describe('quantisation tables', () => {
  it.each([0, 1, 2])('are told by how blocks continue each other, number %i of three', (which) => {
    const photo = readPhoto(writePhoto(drawPicture(640, 400, 5), PLAIN))
    if (!photo) throw new Error('no photo')
    const { layout, coefficients, quantisation } = photo
    const [table] = quantisation
    // the same picture as it would be coded with finer and coarser steps of detail
    const tables = [1, 3, 9].map((times) =>
      Uint16Array.from(table, (step, i) => (i === 0 ? step : step * times)),
    )
    const recoded = coefficients.map((value, i) =>
      i % 64 === 0 ? value : Math.round((value * table[i % 64]) / tables[which][i % 64]),
    )
    const jumps = borderJumps(recoded, layout, 0, layout.mcuCount, tables)
    expect(jumps.indexOf(Math.min(...jumps))).toBe(which)
  })

  it('are not finer than they were where a picture is grainy', () => {
    const drawn = drawPicture(640, 400, 5)
    const random = randomFrom(3)
    for (let i = 0; i < drawn.pixels.length; i++)
      drawn.pixels[i] = Math.max(0, Math.min(255, drawn.pixels[i] + Math.floor(41 * random()) - 20))
    const photo = readPhoto(writePhoto(drawn, { ...PLAIN, quality: 75 }))
    if (!photo) throw new Error('no photo')
    const { layout, coefficients, quantisation } = photo
    const tables = [1, 0.5, 0.25].map((times) =>
      Uint16Array.from(quantisation[0], (step, i) =>
        i === 0 ? step : Math.max(1, Math.round(step * times)),
      ),
    )
    const jumps = borderJumps(coefficients, layout, 0, layout.mcuCount, tables)
    expect(jumps.indexOf(Math.min(...jumps))).toBe(0)
  })
})

describe('a table of chrominance', () => {
  it('grows as the standard’s does beside one of luminance that no quality scales', () => {
    const luminance = { values: STANDARD_QUANTISATION[0], quality: undefined, exponent: 1, finer: 1 }
    const [, standard] = STANDARD_QUANTISATION
    expect(chrominanceTable(luminance, standard[0])).toEqual(standard)
  })
})

describe('a preview of another contrast', () => {
  it('tells how much it has more, whatever the offsets of pieces are', () => {
    const piece = (offset: number, levels: readonly number[]) =>
      levels.map((level) => ({ level, offset: offset + 0.03 * (level + offset) }))
    const pieces = [piece(5, [-60, -20, 10, 40, 3]), piece(-80, [30, 60, 90, 5, 44])]
    expect(contrastOf(pieces)).toBeCloseTo(0.03, 2)
  })
})
