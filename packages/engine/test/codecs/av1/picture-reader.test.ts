import { describe, expect, it } from 'vitest'
import { readIntraFrame } from '../../../src/codecs/av1/headers/intra-frame.ts'
import { parseSequenceHeader } from '../../../src/codecs/av1/headers/sequence-header.ts'
import { readAv1Picture } from '../../../src/codecs/av1/picture-reader.ts'
import type { PictureReading } from '../../../src/codecs/picture-reading.ts'
import { Allowance } from '../../../src/model/allowance.ts'
import { PICTURE } from '../../formats/heif/avif-parts.ts'
import { FROM_SCREEN, LOSSLESS, NOISE } from './pictures.ts'

/** Where the bytes of a picture's tiles begin at the latest: behind a delimiter, a sequence header and the header of a frame. */
const HEADERS = 40

/** Steps by which any of the pictures is read. */
const PLENTY = 1 << 20

function read(picture: Uint8Array): PictureReading {
  return readAv1Picture(picture, new Allowance(PLENTY))
}

/** A picture whose frame OBU is parted into its header and its tiles, AV1 specification (2019-01-08) §5.10. */
function parted(picture: Uint8Array): Uint8Array {
  const end = 4 + picture[3]
  const before = picture.subarray(0, end)
  const sequence = parseSequenceHeader(before.subarray(4))
  // behind its header byte and two of its size
  const frame = picture.subarray(end + 3)
  const bits = sequence ? (readIntraFrame(frame, sequence)?.bits ?? 0) : 0
  const header = Uint8Array.from(frame.subarray(0, (bits >> 3) + 1))
  header[bits >> 3] |= 0x80 >> (bits & 7)
  const tiles = frame.subarray((bits + 7) >> 3)
  return Uint8Array.from([...before, 0x1a, header.length, ...header, 0x20, ...tiles])
}

describe('an AV1 picture read symbol by symbol', () => {
  it.each([
    ['of a gradient', PICTURE],
    ['of noise and a plain part', NOISE],
    ['without loss', LOSSLESS],
    ['of a screen, with palettes', FROM_SCREEN],
  ])('%s ends where its bytes do', (_, picture) => {
    expect(read(picture)).toBe('whole')
  })

  it.each([
    ['a gradient', PICTURE, 5],
    ['a screen', FROM_SCREEN, 211],
  ])('of %s does not where any of its bits is turned', (_, picture, step) => {
    const told = []
    for (let bit = 8 * HEADERS; bit < 8 * picture.length; bit += step) {
      const hit = Uint8Array.from(picture)
      hit[bit >> 3] ^= 0x80 >> (bit & 7)
      told.push(read(hit) === 'torn')
    }
    // a turned sign leaves what follows as it is
    expect(told.filter(Boolean).length / told.length).toBeGreaterThan(0.9)
  })

  it('does not where zeros or noise stand in one of its tiles', () => {
    for (const value of [0, 0xa5]) {
      const hit = Uint8Array.from(NOISE).fill(value, NOISE.length - 60, NOISE.length - 40)
      expect(read(hit)).toBe('torn')
    }
  })

  it('is read the same where the header of its frame and its tiles are OBUs of their own', () => {
    expect(read(parted(NOISE))).toBe('whole')
    expect(read(Uint8Array.from(parted(NOISE)).fill(0, -60, -40))).toBe('torn')
  })

  it('is broken where its OBUs do not fill it, or a tile is missing', () => {
    expect(read(PICTURE.subarray(0, -1))).toBe('broken')
    expect(read(PICTURE.subarray(0, 12))).toBe('broken')
  })

  it('is not read without its sequence header, and is with the one in force', () => {
    const frame = PICTURE.subarray(12)
    const sequence = parseSequenceHeader(PICTURE.subarray(4, 12))
    expect(read(frame)).toBe('unread')
    expect(readAv1Picture(frame, new Allowance(PLENTY), sequence)).toBe('whole')
  })

  it('is not read where the work allowed does not last for it', () => {
    expect(readAv1Picture(NOISE, new Allowance(NOISE.length))).toBe('unread')
  })

  it('is told to be hit where one behind it depends on others, which are not read', () => {
    // show_existing_frame with its trailing bits
    const dependent = [0x1a, 1, 0x88]
    expect(read(Uint8Array.from([...NOISE, ...dependent]))).toBe('unread')
    expect(read(Uint8Array.from([...Uint8Array.from(NOISE).fill(0, -60, -40), ...dependent]))).toBe('torn')
  })
})
