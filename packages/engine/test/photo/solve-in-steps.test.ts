import { describe, expect, it } from 'vitest'
import { BorderSamples } from '../../src/photo/levels/border-samples.ts'
import { edgeMeans } from '../../src/photo/levels/edge-means.ts'
import { isUnchanged, solveInSteps } from '../../src/photo/levels/solve-in-steps.ts'
import { drawPicture } from '../../testing/photos/draw.ts'
import { readPhoto } from '../../testing/photos/read-photo.ts'
import { writePhoto } from '../../testing/photos/write-photo.ts'

const BLOCK = 8
/** Levels of luminance that a step of DC has, and the MCU it begins at. */
const STEP = 6
const HIT = 905

describe('a scan whose MCUs are all in line from its start on', () => {
  const photo = readPhoto(
    writePhoto(drawPicture(640, 400, 8), { sampling: [2, 1], quality: 92, interval: 0 }),
  )
  if (!photo) throw new Error('the drawn photo cannot be read')
  const { layout, quantisation } = photo
  const { mcuCount, mcuLength } = layout
  const change = Math.round((STEP * BLOCK) / quantisation[0][0])

  /** How a scan is solved whose MCUs behind a place are off by a step where it is `hit`, and seem to be where that is `seen`. */
  function solved(hit: boolean, seen: boolean) {
    const coefficients = photo?.coefficients.slice() ?? new Int16Array(0)
    const { h, v } = layout.components[0]
    for (let mcu = HIT; hit && mcu < mcuCount; mcu++)
      for (let block = 0; block < h * v; block++)
        coefficients[mcu * mcuLength + block * BLOCK * BLOCK] += change
    const cut = [
      { first: 0, count: HIT, known: true },
      { first: HIT, count: mcuCount - HIT, known: false, free: [0] },
    ]
    const sections = seen ? cut : [{ first: 0, count: mcuCount, known: true }]
    return solveInSteps(
      {
        ...{ coefficients, layout, quantisation, places: [0], reference: undefined },
        pieces: [
          {
            ...{ first: 0, count: mcuCount, sections, startBit: 0, endBit: 0 },
            ...{ step: 1, phase: 0, broken: false, flush: true },
          },
        ],
        source: Int32Array.from({ length: mcuCount }, (_, at) => at),
        means: layout.components.map((_, component) =>
          edgeMeans(coefficients, mcuCount, layout, component, quantisation[component]),
        ),
        borders: layout.components.map(
          (_, component) => new BorderSamples(coefficients, layout, component, quantisation[component]),
        ),
      },
      true,
    )
  }

  it("keeps its levels where nothing else is wrong, whatever stands out: that may be the picture's own", () => {
    expect(isUnchanged(solved(true, false))).toBe(true)
    expect(isUnchanged(solved(false, false))).toBe(true)
  })

  it('is as it was where a step that is seen changes nothing', () => {
    expect(solved(false, true).length).toBeGreaterThan(1)
    expect(isUnchanged(solved(false, true))).toBe(true)
    expect(isUnchanged(solved(true, true))).toBe(false)
  })
})

describe('a scan of which MCUs are lost, with a step of DC behind them', () => {
  const photo = readPhoto(
    writePhoto(drawPicture(640, 400, 8), { sampling: [2, 1], quality: 92, interval: 0 }),
  )
  if (!photo) throw new Error('the drawn photo cannot be read')
  const { layout, quantisation } = photo
  const { mcuCount, mcuLength, components } = layout
  /** MCUs that are lost. */
  const [lostFrom, lostTo] = [200, 210]

  /** Where sections begin that a step parts from those in front of them, with the components that have it. */
  function steps(lost?: Uint8Array) {
    const coefficients = photo?.coefficients.slice() ?? new Int16Array(0)
    const change = Math.round((STEP * BLOCK) / quantisation[0][0])
    for (let mcu = HIT; mcu < mcuCount; mcu++)
      for (let block = 0; block < components[0].h * components[0].v; block++)
        coefficients[mcu * mcuLength + block * BLOCK * BLOCK] += change
    const pieceOf = (first: number, end: number) => ({
      ...{ first, count: end - first, startBit: 0, endBit: 0, step: 1, phase: 0 },
      ...{ sections: [{ first, count: end - first, known: first === 0 }], broken: false, flush: true },
    })
    const solved = solveInSteps(
      {
        ...{ coefficients, layout, quantisation, places: [0, lostTo], reference: undefined },
        pieces: [pieceOf(0, lostFrom), pieceOf(lostTo, mcuCount)],
        source: Int32Array.from({ length: mcuCount }, (_, at) => (at < lostFrom || at >= lostTo ? at : -1)),
        means: components.map((_, component) =>
          edgeMeans(coefficients, mcuCount, layout, component, quantisation[component]),
        ),
        borders: components.map(
          (_, component) => new BorderSamples(coefficients, layout, component, quantisation[component]),
        ),
      },
      false,
      lost,
    )
    return solved.flatMap(({ first, free }) => (free ? [{ first, free }] : []))
  }

  const near = ({ first }: { readonly first: number }): boolean => Math.abs(first - HIT) < 3

  it('has it told where reading may have lost its way, and so of all components', () => {
    const lost = new Uint8Array(mcuCount)
    lost.fill(1, HIT - 10, HIT + 10)
    const found = steps(lost)
    expect(found.some(near)).toBe(true)
    for (const { first, free } of found) {
      expect(lost[first]).toBe(1)
      expect(free).toEqual([0, 1, 2])
    }
  })

  it('has none told where it cannot have', () => {
    expect(steps().some(near)).toBe(true)
    expect(steps(new Uint8Array(mcuCount))).toEqual([])
  })
})
