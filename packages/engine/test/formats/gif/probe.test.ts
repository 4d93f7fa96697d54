import { describe, expect, it } from 'vitest'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { inSubBlocks } from '../../../src/codecs/lzw/gif-lzw.ts'
import { identify } from '../../../src/engine.ts'
import { probe } from '../../../src/formats/gif/probe.ts'
import { randomFrom } from '../../../testing/hostile-sources.ts'
import { drawPicture } from '../../../testing/photos/draw.ts'
import { writePhoto } from '../../../testing/photos/write-photo.ts'

const noise = (length: number, seed: number): Uint8Array => {
  const random = randomFrom(seed)
  return Uint8Array.from({ length }, () => 1 + Math.floor(random() * 255))
}
const score = (bytes: Uint8Array): number =>
  probe({ reader: new ByteReader(new MemorySource(bytes)), extension: '' }).score
/** What begins an image of 90 by 90 pixels, GIF89a §20, with codes of two bits. */
const IMAGE = [0x2c, 0, 0, 0, 0, 90, 0, 90, 0, 0, 2]
/** Codes that clear, tell a pixel and end. */
const CODES = [0x4c, 0x01]

describe('bytes without the signature', () => {
  it('are a GIF where an image ends in front of a block, or reads on for long', () => {
    const whole = [...IMAGE, 2, ...CODES, 0, 0x3b]
    expect(score(Uint8Array.from([...noise(400, 1), ...whole]))).toBeGreaterThan(0)
    // a clear code and pixels of four colours
    const pixels = inSubBlocks(Uint8Array.from([0x04, ...Array<number>(300).fill(0)]))
    expect(score(Uint8Array.from([...noise(400, 1), ...IMAGE, ...pixels]))).toBeGreaterThan(0)
  })

  it.each([
    ['whose codes end within its sub-block', [...IMAGE, 90, ...CODES]],
    ['whose sub-block ends in front of none', [...IMAGE, 2, ...CODES]],
    ['that ends in front of no block', [...IMAGE, 2, ...CODES, 0]],
    ['whose codes break off where its sub-block ends', [...IMAGE, 1, 0x04]],
  ])('are none where noise begins an image %s', (_, image) => {
    expect(score(Uint8Array.from([...noise(400, 2), ...image, ...noise(400, 3)]))).toBe(0)
  })

  it('are a JPEG photo where a scan follows them', () => {
    const photo = writePhoto(drawPicture(640, 480, 5), { sampling: [2, 2], quality: 95, interval: 0 })
    const head = [...noise(400, 2), ...IMAGE, 90, ...CODES, ...noise(400, 3)]
    photo.set(head)
    const file = { reader: new ByteReader(new MemorySource(photo)), extension: 'jpg' }
    expect(identify(file)?.name).toBe('jpeg')
  })
})
