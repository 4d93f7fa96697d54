import { describe, expect, it } from 'vitest'
import { findTables } from '../../../src/formats/jpeg/mend/find-tables.ts'
import { KNOWN_TABLES } from '../../../src/photo/frame/known-tables.ts'
import { drawPicture } from '../../../testing/photos/draw.ts'
import { readPhoto } from '../../../testing/photos/read-photo.ts'
import { writePhoto } from '../../../testing/photos/write-photo.ts'

const COEFFICIENTS = 64
const CANON = KNOWN_TABLES[0]

/** Tables found for a picture that is coded with steps of 1 and then with `tables`; DC of colours is multiplied by `strength`. */
function tablesFor(tables: readonly Uint16Array[], strength: number): (Uint16Array | undefined)[] {
  const photo = readPhoto(
    writePhoto(drawPicture(640, 400, 8), { sampling: [1, 1], quality: 100, interval: 0 }),
  )
  if (!photo) throw new Error('the drawn photo cannot be read')
  const { layout } = photo
  const coefficients = photo.coefficients.map((value, i) => {
    const component = Math.floor((i % layout.mcuLength) / COEFFICIENTS)
    const zigzag = i % COEFFICIENTS
    const scale = component > 0 && zigzag === 0 ? strength : 1
    return Math.round((scale * value) / tables[Math.min(1, component)][zigzag])
  })
  const found: (Uint16Array | undefined)[] = []
  findTables(found, undefined, { layout, coefficients, count: layout.mcuCount, whole: true }, undefined)
  return found
}

describe('a photo without tables and preview', () => {
  it('has those of cameras that wrote such ones, with their colours', () => {
    const found = tablesFor([CANON.luminance, CANON.chrominance], 1)
    expect(found[0]).toEqual(CANON.luminance)
    expect(found[1]).toEqual(CANON.chrominance)
  })

  it('has not where its colours would be none with them', () => {
    const [luminance, chrominance] = tablesFor([CANON.luminance, CANON.luminance], 3)
    expect(luminance?.[0]).toBe(1)
    expect(chrominance?.[0]).toBe(1)
  })
})

describe('tables of cameras', () => {
  it('have a step for each coefficient, that of DC among the finest', () => {
    for (const { luminance, chrominance } of KNOWN_TABLES)
      for (const table of [luminance, chrominance]) {
        expect(table.length).toBe(COEFFICIENTS)
        expect(table[0]).toBeGreaterThan(0)
        expect(table[COEFFICIENTS - 1]).toBeGreaterThan(table[0])
      }
  })
})
