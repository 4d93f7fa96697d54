import { beforeAll, describe, expect, it } from 'vitest'
import { entropyData } from '../../src/codecs/jpeg/entropy-data.ts'
import { endOfScan } from '../../src/formats/jpeg/read/read-picture.ts'
import { edgeMeans } from '../../src/photo/levels/edge-means.ts'
import { weighDcSteps } from '../../src/photo/levels/weigh-dc-steps.ts'
import { Edges } from '../../src/photo/placing/edges.ts'
import { BreakFinder } from '../../src/photo/placing/find-breaks.ts'
import { SlipFinder } from '../../src/photo/placing/find-slips.ts'
import { LossEvidence } from '../../src/photo/placing/losses.ts'
import { damagedZones } from '../../src/photo/reading/damaged-zones.ts'
import { type CutOut, type Piece, partsBetween } from '../../src/photo/reading/pieces.ts'
import { medianOf } from '../../src/photo/statistics.ts'
import { randomFrom } from '../../testing/hostile-sources.ts'
import { drawPicture } from '../../testing/photos/draw.ts'
import { type PhotoCoefficients, readPhoto } from '../../testing/photos/read-photo.ts'
import { writePhoto } from '../../testing/photos/write-photo.ts'

let photo: PhotoCoefficients

beforeAll(() => {
  const read = readPhoto(writePhoto(drawPicture(640, 400, 8), { sampling: [2, 2], quality: 90, interval: 0 }))
  if (!read) throw new Error('the drawn photo cannot be read')
  photo = read
})

/** One piece of the MCUs from the first on, whose DC is absolute. */
function pieceOf(count: number): Piece {
  const sections = [{ first: 0, count, known: true }]
  const bits = { startBit: 0, endBit: 100 * count, step: 1, phase: 0, broken: false, flush: true }
  return { first: 0, count, sections, ...bits }
}

function identity(count: number): Int32Array {
  return Int32Array.from({ length: count }, (_, i) => i)
}

/** Steps of DC in a section of all MCUs with these values. */
function look(values: Int16Array, known = false) {
  const { layout, quantisation } = photo
  const dc = new Int32Array(layout.components.length)
  const sections = [{ first: 0, count: layout.mcuCount, known, place: 0, dc }]
  const means = layout.components.map((_, i) =>
    edgeMeans(values, layout.mcuCount, layout, i, quantisation[i]),
  )
  const source = identity(layout.mcuCount)
  return weighDcSteps({ coefficients: values, layout, quantisation, means, source, sections })
}

describe('noise in a scan', () => {
  const stuffed = (length: number): number[] =>
    Array.from({ length }, (_, i) => (i % 100 === 50 ? 0xff : i % 100 === 51 ? 0 : (i % 200) + 1))
  const noise = [0xff, 0xd9, 1, 2, 0xff, 0x12, 3, 0xff, 0x77, 4]

  it('is passed over though it holds an end of image', () => {
    const bytes = Uint8Array.from([...stuffed(600), ...noise, ...stuffed(2_000), 0xff, 0xd9])
    expect(endOfScan(bytes, 0)).toBe(bytes.length - 2)
  })

  it('does not reach beyond an end of image that a further picture follows', () => {
    const further = [0xff, 0xd9, 0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, ...stuffed(2_000)]
    const bytes = Uint8Array.from([...stuffed(600), ...further])
    expect(endOfScan(bytes, 0)).toBe(600)
  })

  it('shows by the markers that it holds, those near each other together', () => {
    const bytes = Uint8Array.from([...stuffed(600), ...noise, ...stuffed(2_000), 0xff, 0x31, ...stuffed(100)])
    const data = entropyData(bytes, 0, bytes.length, () => false)
    const zones = damagedZones(data).filter(({ foreign }) => foreign)
    expect(zones.map(({ from, to }) => to - from)).toEqual([9, 2])
  })
})

describe('a step of DC within a piece', () => {
  it('is found to the MCU by all of the row behind it', () => {
    const { layout, quantisation } = photo
    const coefficients = photo.coefficients.slice()
    const from = 12 * layout.mcuWide + 17
    // eight levels of luminance
    const step = Math.round(64 / quantisation[0][0])
    for (let mcu = from; mcu < layout.mcuCount; mcu++) {
      for (let block = 0; block < 4; block++) coefficients[mcu * layout.mcuLength + block * 64] += step
    }
    const near = ({ at }: { readonly at: number }): boolean => Math.abs(at - from) < 3
    expect(look(photo.coefficients).filter(near)).toEqual([])
    const [found, ...others] = look(coefficients).filter(near)
    expect(others).toEqual([])
    expect(found.components).toContain(0)
    // what was read without a break from the scan's start on is left as it is: a slanting edge looks alike
    expect(look(coefficients, true)).toEqual([])
  })

  it('is none where a bar of another colour ends', () => {
    const { layout } = photo
    const coefficients = photo.coefficients.slice()
    const end = 12 * layout.mcuWide
    for (let mcu = 0; mcu < end; mcu++)
      for (const block of [4, 5]) coefficients[mcu * layout.mcuLength + block * 64] += 12
    const column = ({ at }: { readonly at: number }): boolean => Math.abs(at - end) < 3
    expect(look(coefficients).filter(column)).toEqual([])
  })
})

describe('a slip within a piece that has its place', () => {
  /** The parts of a photo's only piece from which MCUs are missing at a place. */
  const cutWithout = (
    { layout, quantisation, coefficients: whole }: PhotoCoefficients,
    missing: number,
    at: number,
  ) => {
    const count = layout.mcuCount - missing
    const coefficients = new Int16Array(count * layout.mcuLength)
    coefficients.set(whole.subarray(0, at * layout.mcuLength))
    coefficients.set(whole.subarray((at + missing) * layout.mcuLength), at * layout.mcuLength)
    const edges = new Edges(coefficients, count, layout, quantisation[0])
    const source = identity(layout.mcuCount).fill(-1, count)
    return new SlipFinder(edges, layout, [pieceOf(count)], {
      source,
      places: [0],
      margins: [0],
      score: 0,
      lift: () => 0,
    }).cut()
  }

  it('is found where MCUs are missing', () => {
    const at = 10 * photo.layout.mcuWide + 9
    const parts = cutWithout(photo, 3, at)
    expect(parts?.length).toBe(2)
    expect(Math.abs((parts?.[1].first ?? 0) - at)).toBeLessThan(6)
    expect(parts?.[1].slipped).toBe(true)
  })

  it('is found in a wide photo, where not every MCU is looked at in every place', () => {
    const wide = readPhoto(
      writePhoto(drawPicture(1_600, 200, 8), { sampling: [1, 1], quality: 90, interval: 0 }),
    )
    const at = 12 * 200 + 90
    const parts = wide && cutWithout(wide, 7, at)
    expect(wide?.layout.mcuWide).toBe(200)
    expect(parts?.length).toBe(2)
    expect(Math.abs((parts?.[1].first ?? 0) - at)).toBeLessThan(12)
  })

  it('is none in a photo that is as it was', () => {
    const { layout, quantisation, coefficients } = photo
    const edges = new Edges(coefficients, layout.mcuCount, layout, quantisation[0])
    const place = { source: identity(layout.mcuCount), places: [0], margins: [0], score: 0, lift: () => 0 }
    expect(new SlipFinder(edges, layout, [pieceOf(layout.mcuCount)], place).cut()).toBeUndefined()
  })
})

describe('what is cut out of a piece', () => {
  const cutOf = (piece: Piece, cuts: readonly CutOut[]): unknown[] =>
    partsBetween(piece, cuts).map(({ first, count, omitted }) => [first, count, omitted])

  it('lies between its parts', () => {
    const cuts = [
      { stop: 30, next: 32 },
      { stop: 70, next: 75 },
    ]
    expect(cutOf({ ...pieceOf(100), omitted: 4 }, cuts)).toEqual([
      [0, 30, 4],
      [32, 38, 2],
      [75, 25, 5],
    ])
  })

  it('leaves something on both sides', () => {
    expect(cutOf(pieceOf(100), [{ stop: -4, next: 8 }])).toEqual([[0, 100, undefined]])
    expect(cutOf(pieceOf(100), [{ stop: 94, next: 106 }])).toEqual([[0, 100, undefined]])
    expect(cutOf(pieceOf(100), [{ stop: 94, next: 99 }])).toEqual([
      [0, 94, undefined],
      [99, 1, 5],
    ])
    // pictures of one MCU's width have rows shorter than what is cut out
    const narrow = writePhoto(drawPicture(8, 800, 5), { sampling: [1, 1], quality: 92, interval: 0 })
    const { coefficients, layout, quantisation } = readPhoto(narrow) ?? photo
    expect(layout.mcuWide).toBe(1)
    const edges = new Edges(coefficients, layout.mcuCount, layout, quantisation[0])
    for (let count = 6; count < 60; count++) {
      const parts = new BreakFinder(edges, layout.mcuWide).cutAtWorst([pieceOf(count)])
      expect(Math.min(...parts.map((part) => part.count))).toBeGreaterThan(0)
    }
  })
})

describe('MCUs invented at the end of a piece', () => {
  it('count among those lost behind it', () => {
    const piece = { ...pieceOf(100), broken: true }
    const pieces = [piece, { ...piece, first: 100, startBit: 10_000, endBit: 20_000 }]
    const starts = Uint32Array.from({ length: 200 }, (_, i) => 100 * i)
    const losses = new LossEvidence(pieces, starts, 100, 5_000, undefined, () => 40)
    // forty MCUs of a hundred bits lie between what is right, and the next piece begins forty behind that
    expect(losses.expected(1)).toBeLessThan(2)
    expect(losses.of(1, 0)).toBeGreaterThan(losses.of(1, 40))
  })
})

describe('the median', () => {
  it('is the middle of the sorted values, however they repeat', () => {
    const random = randomFrom(2)
    for (let count = 1; count < 60; count++) {
      const values = Float32Array.from({ length: count }, () => Math.floor(random() * 12))
      expect(medianOf(values.slice())).toBe(values.slice().sort()[count >> 1])
    }
  })
})
