import { describe, expect, it } from 'vitest'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySink } from '../../../src/bytes/sink.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { repair } from '../../../src/engine.ts'
import { arwRows } from '../../../src/formats/tiff/read/arw-blocks.ts'
import { checkUnit, unpackedWithin } from '../../../src/formats/tiff/read/check-units.ts'
import { imageOf } from '../../../src/formats/tiff/read/image.ts'
import { readIfd } from '../../../src/syntax/tiff-ifd/ifd.ts'
import { TiffNumbers } from '../../../src/syntax/tiff-ifd/numbers.ts'
import { cameraRaw } from './camera-raw.ts'

const AT = 200

/** What is found of the only strip of a sensor's picture. */
function stateOf(
  strip: Uint8Array,
  compression: number,
  width: number,
  height: number,
  bits = 16,
): string | undefined {
  const fields = [
    [256, width],
    [257, height],
    [258, compression === 32767 ? 8 : bits],
    [259, compression],
    [262, 32_803],
    [273, AT],
    [278, height],
    [279, strip.length],
  ]
  const bytes = Buffer.alloc(AT + strip.length)
  bytes.set(strip, AT)
  bytes.writeUInt16LE(fields.length, 8)
  for (const [i, [tag, value]] of fields.entries()) {
    bytes.writeUInt16LE(tag, 10 + 12 * i)
    bytes.writeUInt16LE(4, 12 + 12 * i)
    bytes.writeUInt32LE(1, 14 + 12 * i)
    bytes.writeUInt32LE(value, 18 + 12 * i)
  }
  const numbers = new TiffNumbers(new ByteReader(new MemorySource(bytes)), true)
  const ifd = readIfd(numbers, 8, false)
  const image = ifd && imageOf(numbers, ifd)
  return image && checkUnit(numbers, image, image.units[0], unpackedWithin(bytes.length)).state
}

function noise(length: number): Uint8Array {
  let state = 5
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return state >>> 16
  })
}

describe.each([32767, 34713, 65535])('a strip in a code of cameras (%i)', (compression) => {
  it('has no zeros within as storage leaves them', () => {
    const strip = noise(20_000)
    expect(stateOf(strip, compression, 100, 100)).toBe('whole')
    expect(stateOf(strip.slice().fill(0, 9_000, 13_096), compression, 100, 100)).toBe('broken')
  })
  it('may end with zeros, and have some', () => {
    const strip = noise(20_000).fill(0, 15_000).fill(0, 4_000, 4_256)
    expect(stateOf(strip, compression, 100, 100)).toBe('whole')
  })
})

describe('uncoded values of a sensor', () => {
  const [width, height] = [500, 60]
  const row = width * 2
  /** Values of 256 and more, each of two bytes. */
  const bright = () => Uint8Array.from({ length: height * row }, (_, i) => (i % 2 === 1 ? 3 : (i * 7) & 0xff))

  it('have no zeros among others', () => {
    expect(stateOf(bright(), 1, width, height)).toBe('whole')
    const from = 10 * row + 301
    expect(stateOf(bright().fill(0, from, from + 4_096), 1, width, height)).toBe('broken')
  })
  it('have none either where several share a byte', () => {
    const packed = Uint8Array.from({ length: height * 750 }, (_, i) => (i % 3 === 0 ? 0 : 40 + (i % 90)))
    expect(stateOf(packed, 1, width, height, 12)).toBe('whole')
    expect(stateOf(packed.fill(0, 9_000, 13_096), 1, width, height, 12)).toBe('broken')
  })
  it('may be zeros in a border, in whole rows and where it is dark', () => {
    expect(stateOf(bright().fill(0, 0, 5 * row), 1, width, height)).toBe('whole')
    expect(stateOf(bright().fill(0, 20 * row, 25 * row), 1, width, height)).toBe('whole')
    expect(stateOf(new Uint8Array(height * row), 1, width, height)).toBe('whole')
    const dark = bright()
    for (let y = 20; y < 40; y++) dark.fill(0, y * row + 100, y * row + (y === 30 ? row + 400 : 800))
    dark.fill(0, 25 * row + 100, 32 * row + 500)
    expect(stateOf(dark, 1, width, height)).toBe('whole')
  })
})

describe('blocks of 16 values with their largest and smallest', () => {
  const [width, height] = [64, 40]
  const blocks = () => {
    const bytes = noise(width * height)
    const view = new DataView(bytes.buffer)
    for (let at = 0; at < bytes.length; at += 16) {
      const high = view.getUint32(at, true) & 0xc000_0000
      view.setUint32(at, (high | (9 << 26) | (4 << 22) | (200 << 11) | (300 + (at % 50))) >>> 0, true)
    }
    return bytes
  }

  it('are right', () => {
    expect(arwRows(blocks(), width, height)).toBe(height)
    expect(stateOf(blocks(), 32767, width, height)).toBe('whole')
  })
  it('contradict themselves where noise took their place', () => {
    const damaged = blocks()
    damaged.set(noise(256), 20 * width)
    expect(arwRows(damaged, width, height)).toBe(20)
    expect(stateOf(damaged, 32767, width, height)).toBe('broken')
  })
  it('may be of one value', () => {
    expect(arwRows(new Uint8Array(width * height), width, height)).toBe(height)
  })
})

describe('a raw photo that is cut off within its only strip', () => {
  const whole = cameraRaw({
    ...{ seed: 3, preview: 300, date: '2024:05:06 07:08:09' },
    coded: { compression: 34713, bytes: noise(9_000) },
  })

  it('and has no preview is padded to its length, and the share that is there is told', async () => {
    const length = whole.pixels + 6_000
    const sink = new MemorySink()
    const report = await repair({
      damaged: { source: new MemorySource(whole.bytes.subarray(0, length)), name: 'photo.nef' },
      sink,
    })
    if (report.kind !== 'photo') throw new Error('taken for a recording')
    const bytes = sink.bytes()
    expect([report.verdict, report.doubts?.map(({ code }) => code)]).toEqual(['partial', ['areas-lost']])
    expect(report.pictures[0].areas).toMatchObject([{ y: 32, height: 16, state: 'lost' }])
    expect(bytes.subarray(0, length)).toEqual(whole.bytes.subarray(0, length))
    expect(bytes.length).toBe(whole.bytes.length)
    expect(new Set(bytes.subarray(length))).toEqual(new Set([0x55]))
  })
})
