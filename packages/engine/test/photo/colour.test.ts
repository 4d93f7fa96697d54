import { beforeAll, describe, expect, it } from 'vitest'
import { BLOCK_COEFFICIENTS } from '../../src/codecs/jpeg/mcu-layout.ts'
import { BorderSamples } from '../../src/photo/border-samples.ts'
import { solveColour } from '../../src/photo/colour.ts'
import { edgeMeans } from '../../src/photo/edge-means.ts'
import type { Piece, Section } from '../../src/photo/pieces.ts'
import { Reference } from '../../src/photo/reference.ts'
import { drawPicture } from '../../testing/photos/draw.ts'
import { type PhotoCoefficients, readPhoto } from '../../testing/photos/read-photo.ts'
import { writePhoto } from '../../testing/photos/write-photo.ts'

const BLOCK = 8

let photo: PhotoCoefficients

beforeAll(() => {
  const read = readPhoto(writePhoto(drawPicture(640, 400, 8), { sampling: [1, 1], quality: 92, interval: 0 }))
  if (!read) throw new Error('the drawn photo cannot be read')
  photo = read
})

function pieceOf(sections: readonly Section[]): Piece {
  const [{ first }] = sections
  const count = sections.reduce((sum, section) => sum + section.count, 0)
  return { first, count, sections, startBit: 0, endBit: 0, step: 1, phase: 0, broken: true, flush: false }
}

/** Levels of pieces that stand where they were. */
function solve(coefficients: Int16Array, pieces: readonly Piece[], reference?: Reference) {
  const { layout, quantisation } = photo
  const { mcuCount } = layout
  const source = new Int32Array(mcuCount).fill(-1)
  for (const { first, count } of pieces) for (let i = first; i < first + count; i++) source[i] = i
  return solveColour({
    coefficients,
    layout,
    quantisation,
    pieces,
    places: pieces.map(({ first }) => first),
    source,
    means: layout.components.map((_, i) => edgeMeans(coefficients, mcuCount, layout, i, quantisation[i])),
    borders: layout.components.map((_, i) => new BorderSamples(coefficients, layout, i, quantisation[i])),
    reference,
  })
}

describe('levels of sections', () => {
  it('that a step of DC seemed to part are told by all of both: parts of a preview are off by themselves', () => {
    const { layout, quantisation, coefficients } = photo
    const { mcuWide, mcuCount, mcuLength } = layout
    const [stop, next, seeming, last] = [20, 26, 44.5, 47.5].map((row) => row * mcuWide)
    const pieces = [
      pieceOf([{ first: 0, count: stop, known: true }]),
      pieceOf([
        { first: next, count: seeming - next, known: false },
        { first: seeming, count: last - seeming, known: false, free: [0] },
        { first: last, count: mcuCount - last, known: false, free: [0] },
      ]),
    ]
    const planes = layout.components.map(({ firstBlock }, component) =>
      Float32Array.from({ length: mcuCount }, (_, at) => {
        const dc = coefficients[at * mcuLength + firstBlock * BLOCK_COEFFICIENTS]
        // the camera's own rendering made the lower end much brighter
        const brighter = component > 0 || at < seeming ? 0 : at < last ? 20 : 28
        return (dc * quantisation[component][0]) / BLOCK + brighter + 3 * Math.sin(at / (3 * mcuWide))
      }),
    )
    const reference = new Reference(coefficients, layout, quantisation, { planes, rowsOfSample: 1 })
    const solved = solve(coefficients, pieces, reference)
    for (const { dc } of solved) expect(Math.abs(dc[0] * quantisation[0][0]) / BLOCK).toBeLessThan(2)
  })
})
