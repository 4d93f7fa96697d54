import { expect, it } from 'vitest'
import { closeAv1Picture } from '../../../src/codecs/av1/close-picture.ts'
import { readAv1Picture } from '../../../src/codecs/av1/picture-reader.ts'
import { Allowance } from '../../../src/model/allowance.ts'
import { FROM_SCREEN, LOSSLESS, NOISE } from './pictures.ts'

const PLENTY = 1 << 22
const HOLE = 30
const PLACES = 16
/** Where the bytes of the tiles begin at the latest. */
const HEADERS = 40
/** Bytes in front of a hole that symbols which reach into it may change. */
const REACH = 3

it.each([
  ['of noise and a plain part', NOISE],
  ['without loss', LOSSLESS],
  ['of a screen, with palettes', FROM_SCREEN],
])('a picture %s is read to its end with any hole, and begins as it did', (_, picture) => {
  let closings = 0
  for (let place = 4; place < PLACES; place++) {
    const from = Math.floor((picture.length * place) / PLACES)
    const damaged = Uint8Array.from(picture).fill(0, from, from + HOLE)
    const closed = closeAv1Picture(damaged, new Allowance(PLENTY))
    if (!closed) continue
    closings++
    expect(closed).toHaveLength(picture.length)
    expect(readAv1Picture(closed, new Allowance(PLENTY))).toBe('whole')
    expect(closed.subarray(0, from - REACH)).toEqual(picture.subarray(0, from - REACH))
  }
  // near its end a picture has no room for what ends it
  expect(closings).toBeGreaterThan(PLACES / 2)
})

it('a picture of noise is closed wherever the hole begins', () => {
  const left: number[] = []
  for (let from = HEADERS; from < NOISE.length - 2 * HOLE; from++) {
    const damaged = Uint8Array.from(NOISE).fill(0, from, from + HOLE)
    if (!closeAv1Picture(damaged, new Allowance(PLENTY))) left.push(from)
  }
  expect(left).toEqual([])
})

it('a picture that was hit without a hole is not closed', () => {
  const damaged = Uint8Array.from(NOISE)
  damaged[damaged.length >> 1] ^= 0x55
  expect(readAv1Picture(damaged, new Allowance(PLENTY))).toBe('torn')
  expect(closeAv1Picture(damaged, new Allowance(PLENTY))).toBeUndefined()
})
