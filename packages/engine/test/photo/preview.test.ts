import { describe, expect, it } from 'vitest'
import { McuLayout } from '../../src/codecs/jpeg/mcu-layout.ts'
import { alignPreview, likeliestPreview, likelyAlignments } from '../../src/photo/preview/align-preview.ts'
import { Preview, type PreviewPlanes } from '../../src/photo/preview/preview.ts'
import { Reference } from '../../src/photo/preview/reference.ts'

const BLACK = -128

/** Levels that differ at every place. */
function levelAt(x: number, y: number): number {
  return 60 * Math.sin(9 * x + 2) * Math.cos(7 * y) + 30 * x - 20 * y
}

/** A preview of 160 by 120 of which the picture takes rows `top` up to `bottom`, the rest is black. */
function planesOf(top: number, bottom: number): PreviewPlanes {
  const plane = new Float32Array(160 * 120).fill(BLACK)
  for (let y = top; y < bottom; y++) {
    for (let x = 0; x < 160; x++)
      plane[y * 160 + x] = levelAt((x + 0.5) / 160, (y + 0.5 - top) / (bottom - top))
  }
  return { width: 160, height: 120, planes: [plane] }
}

describe('a preview', () => {
  it.each([
    [7, 113],
    [13, 120],
    [0, 107],
  ])('whose picture takes rows %i to %i beside black bars shows the photo there', (top, bottom) => {
    const preview = Preview.of(planesOf(top, bottom), 3000, 2000)
    expect(preview?.mean(0, 0.2, 0.1, 0.25, 0.15)).toBeCloseTo(levelAt(0.225, 0.125), -1)
  })

  it('at an eighth of its size shows the photo to its last row, though bars end within samples', () => {
    const [wide, high, rows] = [80, 60, 80 / 1.5]
    const plane = new Float32Array(wide * high).fill(BLACK)
    const top = (high - rows) / 2
    for (let y = 0; y < high; y++) {
      const part = Math.max(0, Math.min(y + 1, top + rows) - Math.max(y, top))
      for (let x = 0; x < wide; x++)
        plane[y * wide + x] = part * (100 * ((y + 0.5 - top) / rows)) + (1 - part) * BLACK
    }
    const preview = Preview.of({ width: wide, height: high, planes: [plane] }, 3000, 2000)
    for (const down of [0.05, 0.5, 0.95])
      expect(preview?.mean(0, 0.4, down - 0.01, 0.5, down + 0.01)).toBeCloseTo(100 * down, 0)
  })

  it('shows the first and the last rows of a photo without the bars that samples beside them show, too', () => {
    const source = planesOf(7, 113)
    const [plane] = source.planes
    for (const row of [7, 112])
      for (let x = 0; x < 160; x++) plane[row * 160 + x] = (plane[row * 160 + x] + BLACK) / 2
    const preview = Preview.of(source, 3000, 2000)
    for (const down of [0.004, 0.996])
      expect(preview?.mean(0, 0.2, down - 0.004, 0.25, down + 0.004)).toBeCloseTo(levelAt(0.225, down), -1)
  })

  it('without bars is none of a photo of other proportions', () => {
    expect(Preview.of(planesOf(0, 120), 3000, 2000)).toBeUndefined()
  })

  it.each([
    [160, 112, 1620, 1080],
    [96, 160, 1980, 3520],
  ])('of %i by %i, stretched over whole MCUs, shows a photo of %i by %i', (wide, high, width, height) => {
    const plane = Float32Array.from({ length: wide * high }, (_, at) =>
      levelAt(((at % wide) + 0.5) / wide, (Math.floor(at / wide) + 0.5) / high),
    )
    const preview = Preview.of({ width: wide, height: high, planes: [plane] }, width, height)
    for (const at of [0.05, 0.5, 0.95])
      expect(preview?.mean(0, at - 0.01, at - 0.01, at + 0.01, at + 0.01)).toBeCloseTo(levelAt(at, at), -1)
    // what is a MCU farther off is another picture's
    expect(Preview.of({ width: wide, height: high, planes: [plane] }, width * 1.2, height)).toBeUndefined()
  })

  it('that the camera cropped is moved to where it shows what is known', () => {
    const layout = new McuLayout(640, 480, [{ id: 1, h: 1, v: 1, table: 0 }])
    const coefficients = new Int16Array(layout.mcuCount * layout.mcuLength)
    for (let at = 0; at < layout.mcuCount; at++) {
      const x = ((at % layout.mcuWide) + 0.5) / layout.mcuWide
      const y = (Math.floor(at / layout.mcuWide) + 0.5) / layout.mcuHigh
      coefficients[at * layout.mcuLength] = Math.round(8 * levelAt(x, y))
    }
    const source = planesOf(0, 120)
    const cropped = source.planes[0].slice()
    cropped.copyWithin(0, 2 * 160)
    const preview = Preview.of({ ...source, planes: [cropped] }, 640, 480)
    if (!preview) throw new Error('no preview of this photo')
    const known = { first: 0, count: layout.mcuCount / 2, known: true, place: 0 }
    const aligned = alignPreview(preview, [known], coefficients, layout, [new Uint16Array(64).fill(1)])
    const off = (other: Preview): number =>
      Math.abs(other.mean(0, 0.5, 0.3, 0.52, 0.32) - levelAt(0.51, 0.31))
    expect(off(aligned)).toBeLessThan(0.3)
    expect(off(preview)).toBeGreaterThan(1)
  })

  it('that was moved far by a part of the photo is looked at unmoved, too', () => {
    const layout = new McuLayout(640, 480, [{ id: 1, h: 1, v: 1, table: 0 }])
    const tables = [new Uint16Array(64).fill(1)]
    const preview = Preview.of(planesOf(0, 120), 640, 480)
    if (!preview) throw new Error('no preview of this photo')
    const known = { first: 0, count: layout.mcuCount / 4, known: true, place: 0 }
    const alignments = [0, 0.5, 2.5].map((samples) => {
      const coefficients = new Int16Array(layout.mcuCount * layout.mcuLength)
      for (let at = 0; at < layout.mcuCount; at++) {
        const x = ((at % layout.mcuWide) + 0.5) / layout.mcuWide
        const y = (Math.floor(at / layout.mcuWide) + 0.5) / layout.mcuHigh
        coefficients[at * layout.mcuLength] = Math.round(8 * levelAt(x + samples / 160, y))
      }
      return likelyAlignments(preview, [known], coefficients, layout, tables)
    })
    expect(alignments.map(({ length }) => length)).toEqual([1, 1, 2])
    expect(alignments[2][1]).toBe(preview)
    expect(alignments[2][0]).not.toBe(preview)
  })

  it.each([1, 0.4])(
    'agrees as well a row of its samples too low, where that is %f rows of MCUs',
    (rowsOfSample) => {
      const layout = new McuLayout(640, 480, [{ id: 1, h: 1, v: 1, table: 0 }])
      const { mcuWide, mcuCount } = layout
      const coefficients = new Int16Array(mcuCount * layout.mcuLength)
      const plane = new Float32Array(mcuCount)
      for (let at = 0; at < mcuCount; at++) {
        const x = ((at % mcuWide) + 0.5) / mcuWide
        const y = Math.floor(at / mcuWide) / layout.mcuHigh
        plane[at] = 9 * levelAt(x, y)
        coefficients[at * layout.mcuLength] = Math.round(8 * 9 * levelAt(x, y + 1 / layout.mcuHigh))
      }
      const tables = [new Uint16Array(64).fill(1)]
      const reference = new Reference(coefficients, layout, tables, { planes: [plane], rowsOfSample })
      const section = { first: 10 * mcuWide, count: 6 * mcuWide, known: false }
      const true_ = reference.agreement(section, 10 * mcuWide)
      const shown = reference.agreement(section, 11 * mcuWide)
      if (rowsOfSample === 1) expect(true_).toBeCloseTo(shown)
      else expect(true_).toBeLessThan(shown - 1)
      expect(reference.agreement(section, 14 * mcuWide)).toBeLessThan(shown - 1)
    },
  )

  it('tells the levels of few MCUs, and of such that differ from it by this and that, less surely than of many alike', () => {
    const layout = new McuLayout(640, 480, [{ id: 1, h: 1, v: 1, table: 0 }])
    const { mcuWide, mcuCount, mcuLength } = layout
    const coefficients = new Int16Array(mcuCount * mcuLength)
    // the lower half grows brighter to the right, which the preview does not show
    for (let at = mcuCount / 2; at < mcuCount; at++) coefficients[at * mcuLength] = 8 * (at % mcuWide)
    for (let at = 0; at < mcuCount; at++) coefficients[at * mcuLength] += 8 * (at % 3)
    const shown = { planes: [new Float32Array(mcuCount)], rowsOfSample: 1 }
    const reference = new Reference(coefficients, layout, [new Uint16Array(64).fill(1)], shown)
    const error = (first: number, count: number): number =>
      reference.offsetError({ first, count, known: false }, first, 0)
    expect(error(0, 10 * mcuWide)).toBeLessThan(0.3)
    expect(error(0, 14)).toBeGreaterThan(4 * error(0, 10 * mcuWide))
    expect(error(mcuCount / 2, 10 * mcuWide)).toBeGreaterThan(1)
    expect(error(0, 1)).toBe(Number.POSITIVE_INFINITY)
  })

  it('with more contrast tells the levels of a section most of which is dark, some bright', () => {
    const layout = new McuLayout(640, 480, [{ id: 1, h: 1, v: 1, table: 0 }])
    const { mcuCount, mcuLength } = layout
    const contrast = 0.1
    const coefficients = new Int16Array(mcuCount * mcuLength)
    const plane = Float32Array.from({ length: mcuCount }, (_, at) => (at % 5 < 2 ? 90 : -60))
    plane.forEach((level, at) => {
      coefficients[at * mcuLength] = Math.round(8 * level * (1 - contrast))
    })
    const shown = { planes: [plane], rowsOfSample: 1 }
    const reference = new Reference(coefficients, layout, [new Uint16Array(64).fill(1)], shown)
    const section = { first: 0, count: mcuCount, known: false }
    expect(reference.offset(section, 0, 0, contrast)).toBeCloseTo(0, 1)
    expect(reference.offset(section, 0, 0)).toBeCloseTo(-60 * contrast, 0)
  })

  it('tells levels by what is even: where a photo is restless it is off to one side', () => {
    const layout = new McuLayout(640, 480, [{ id: 1, h: 1, v: 1, table: 0 }])
    const { mcuCount, mcuLength, mcuWide } = layout
    const coefficients = new Int16Array(mcuCount * mcuLength)
    const plane = new Float32Array(mcuCount)
    for (let at = 0; at < mcuCount; at++) {
      if (at % mcuWide < 30) continue
      coefficients[at * mcuLength] = 8 * (at % 2 === 0 ? 40 : -40)
      plane[at] = coefficients[at * mcuLength] / 8 + 5 + (at % 3)
    }
    const shown = { planes: [plane], rowsOfSample: 1 }
    const reference = new Reference(coefficients, layout, [new Uint16Array(64).fill(1)], shown)
    const section = { first: 0, count: mcuCount, known: false }
    expect(Math.abs(reference.offset(section, 0, 0) ?? 9)).toBeLessThan(0.5)
  })

  it('that was not turned with the photo is turned to where it shows what is known', () => {
    const layout = new McuLayout(480, 640, [{ id: 1, h: 1, v: 1, table: 0 }])
    const upright = planesOf(0, 120)
    expect(Preview.of(upright, 480, 640)).toBeUndefined()
    const previews = Preview.turned(upright, 480, 640)
    expect(previews).toHaveLength(2)
    const known = { first: 0, count: layout.mcuCount / 2, known: true, place: 0 }
    const levels = [true, false].map((clockwise) => {
      const coefficients = new Int16Array(layout.mcuCount * layout.mcuLength)
      for (let at = 0; at < layout.mcuCount; at++) {
        const across = ((at % layout.mcuWide) + 0.5) / layout.mcuWide
        const down = (Math.floor(at / layout.mcuWide) + 0.5) / layout.mcuHigh
        const level = clockwise ? levelAt(down, 1 - across) : levelAt(1 - down, across)
        coefficients[at * layout.mcuLength] = Math.round(8 * level)
      }
      const table = [new Uint16Array(64).fill(1)]
      const chosen = likeliestPreview(previews, [known], coefficients, layout, table)
      return chosen?.mean(0, 0.7, 0.2, 0.72, 0.22)
    })
    expect(levels[0]).toBeCloseTo(levelAt(0.21, 0.29), 0)
    expect(levels[1]).toBeCloseTo(levelAt(0.79, 0.71), 0)
    expect(likeliestPreview(previews, [], new Int16Array(0), layout, [])).toBeUndefined()
  })
})
