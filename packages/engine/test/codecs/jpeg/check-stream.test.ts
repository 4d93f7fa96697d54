import { describe, expect, it } from 'vitest'
import { checkStream } from '../../../src/codecs/jpeg/check-stream.ts'
import { randomFrom } from '../../../testing/hostile-sources.ts'
import { drawPicture } from '../../../testing/photos/draw.ts'
import { writePhoto } from '../../../testing/photos/write-photo.ts'

const PICTURE = drawPicture(320, 240, 4)
const SIDE = 64

/** A photo with `count` bytes from the middle of its scan on set to zero. */
function hit(bytes: Uint8Array, count: number): Uint8Array {
  const damaged = bytes.slice()
  const middle = Math.floor(bytes.length * 0.7)
  return damaged.fill(0, middle, middle + count)
}

/** A photo with bytes put in front of its end of image. */
function withBehind(bytes: Uint8Array, more: readonly number[]): Uint8Array {
  return Uint8Array.from([...bytes.subarray(0, -2), ...more, 0xff, 0xd9])
}

/** A lossless stream of noise: categories 0 to 3 as codes of two bits, each followed by as many bits. */
function lossless(): Uint8Array {
  let bits = ''
  const samples = SIDE * SIDE * 2
  const sizes = Array.from({ length: samples }, (_, i) => (i * i + (i >> 3)) % 4)
  const codes = sizes.map((size) => size.toString(2).padStart(2, '0'))
  const values = sizes.map((size, i) =>
    size > 0 ? ((i * 7) % (1 << size)).toString(2).padStart(size, '0') : '',
  )
  for (let i = 0; i < samples; i++) bits += codes[i] + values[i]
  const data: number[] = []
  for (let i = 0; i < bits.length; i += 8) {
    const byte = Number.parseInt(bits.slice(i, i + 8).padEnd(8, '1'), 2)
    data.push(...(byte === 0xff ? [0xff, 0] : [byte]))
  }
  return losslessFile(data)
}

/** The headers of a lossless stream with categories 0 to 3 in front of its data. */
function losslessFile(data: readonly number[]): Uint8Array {
  const frame = [0xff, 0xc3, 0, 14, 14, 0, SIDE, 0, SIDE, 2, 0, 0x11, 0, 1, 0x11, 0]
  const table = [0xff, 0xc4, 0, 23, 0, 0, 4, ...Array(14).fill(0), 0, 1, 2, 3]
  const scan = [0xff, 0xda, 0, 10, 2, 0, 0, 1, 0, 1, 0, 0]
  return Uint8Array.from([0xff, 0xd8, ...frame, ...table, ...scan, ...data, 0xff, 0xd9])
}

it('data of a lossless frame in which no zeros are stuffed are in words of a maker, and are not judged', () => {
  const random = randomFrom(5)
  const words = Array.from({ length: 40_000 }, () => Math.floor(random() * 256))
  expect(checkStream(losslessFile(words)).state).toBe('unknown')
  expect(checkStream(losslessFile(words.flatMap((byte) => (byte === 0xff ? [byte, 0] : [byte])))).state).toBe(
    'broken',
  )
})

describe.each([
  ['baseline', writePhoto(PICTURE, { sampling: [2, 2], quality: 80, interval: 0 })],
  ['one component', writePhoto(PICTURE, { sampling: undefined, quality: 80, interval: 0 })],
  ['restart intervals', writePhoto(PICTURE, { sampling: [2, 1], quality: 80, interval: 6 })],
  ['lossless', lossless()],
])('a JPEG stream: %s', (_name, bytes) => {
  it('is whole as it was written, and broken where zeros took some of it', () => {
    expect(checkStream(bytes).state).toBe('whole')
    for (const count of [80, 1_000, bytes.length]) expect(checkStream(hit(bytes, count)).state).toBe('broken')
  })

  it('is broken where bytes are gone or stand behind the last MCU, and whole with a word of padding', () => {
    expect(checkStream(Uint8Array.from([...bytes.subarray(0, 700), ...bytes.subarray(1_700)])).state).toBe(
      'broken',
    )
    expect(checkStream(withBehind(bytes, [1, 2, 3, 4, 5, 6])).state).toBe('broken')
    expect(checkStream(withBehind(bytes, [0, 0])).state).toBe('whole')
  })
})

it('a restart marker behind the last interval is none too many', () => {
  const bytes = writePhoto(PICTURE, { sampling: undefined, quality: 80, interval: 6 })
  expect(checkStream(withBehind(bytes, [0xff, 0xd7])).state).toBe('whole')
  expect(checkStream(withBehind(bytes, [0xff, 0xd7, 0xff, 0xd0])).state).toBe('broken')
})

it('tables may stand elsewhere', () => {
  const bytes = writePhoto(PICTURE, { sampling: undefined, quality: 80, interval: 0 })
  const tables = bytes.findIndex((byte, i) => byte === 0xff && bytes[i + 1] === 0xc4)
  const end = bytes.findIndex((byte, i) => byte === 0xff && bytes[i + 1] === 0xda)
  const shared = Uint8Array.from([0xff, 0xd8, ...bytes.subarray(tables, end), 0xff, 0xd9])
  const bare = Uint8Array.from([...bytes.subarray(0, tables), ...bytes.subarray(end)])
  expect(checkStream(bare).state).toBe('unknown')
  expect(checkStream(bare, shared).state).toBe('whole')
  expect(checkStream(hit(bare, 200), shared).state).toBe('broken')
})
