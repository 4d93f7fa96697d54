import { describe, expect, it } from 'vitest'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { ShiftedSource } from '../../../src/bytes/shifted-source.ts'
import { MemorySink } from '../../../src/bytes/sink.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { packLzw } from '../../../src/codecs/lzw/tiff-lzw.ts'
import { repair } from '../../../src/engine.ts'
import { tiff } from '../../../src/formats/tiff/index.ts'
import { fixtureOf } from '../../../testing/contract/fixtures.ts'

const [WIDTH, HEIGHT] = [48, 40]
const TEXT = 'a program of some name\0'

/** A picture of soft shades with its directory, and what that points to, behind it. */
function shades(): Uint8Array {
  const fields = [
    [256, 4, 1, WIDTH],
    [257, 4, 1, HEIGHT],
    [258, 4, 1, 8],
    [259, 4, 1, 1],
    [262, 4, 1, 1],
    [273, 4, 1, 8],
    [277, 4, 1, 1],
    [278, 4, 1, HEIGHT],
    [279, 4, 1, WIDTH * HEIGHT],
    [305, 2, TEXT.length, 0],
  ]
  const directory = 8 + WIDTH * HEIGHT
  const behind = directory + 2 + 12 * fields.length + 4
  const bytes = new Uint8Array(behind + TEXT.length)
  const view = new DataView(bytes.buffer)
  bytes.set([0x49, 0x49, 42, 0])
  view.setUint32(4, directory, true)
  for (let y = 0; y < HEIGHT; y++)
    for (let x = 0; x < WIDTH; x++) bytes[8 + y * WIDTH + x] = 20 + 4 * x + Math.round(20 * Math.sin(y / 5))
  view.setUint16(directory, fields.length, true)
  fields.forEach(([tag, type, count, value], i) => {
    const at = directory + 2 + 12 * i
    view.setUint16(at, tag, true)
    view.setUint16(at + 2, type, true)
    view.setUint32(at + 4, count, true)
    view.setUint32(at + 8, type === 2 ? behind : value, true)
  })
  bytes.set(new TextEncoder().encode(TEXT), behind)
  return bytes
}

/** A directory of one field: the width of the picture that Exif tells of. */
const EXIF = Uint8Array.of(1, 0, 2, 160, 3, 0, 1, 0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0)

/**
 * Two packed strips behind their directory, and two bytes that nothing tells of; or Exif's directory between them, and zeros that
 * fill the file up.
 */
function packedStrips({ exif = false } = {}) {
  const pixels = Uint8Array.from({ length: 128 }, (_, i) => 20 + i)
  pixels.set([0, 1, 16])
  const strip = packLzw(pixels)
  const offsets = exif ? 134 : 122
  const [counts, first] = [offsets + 8, offsets + 16]
  const between = first + strip.length
  const second = between + (exif ? EXIF.length : 0)
  const fields = [
    [256, 4, 1, 16],
    [257, 4, 1, 16],
    [258, 4, 1, 8],
    [259, 4, 1, 5],
    [262, 4, 1, 1],
    [273, 4, 2, offsets],
    [277, 4, 1, 1],
    [278, 4, 1, 8],
    [279, 4, 2, counts],
    ...(exif ? [[34_665, 4, 1, between]] : []),
  ]
  const bytes = new Uint8Array(second + strip.length + (exif ? 4 : 2))
  if (exif) bytes.set(EXIF, between)
  const view = new DataView(bytes.buffer)
  bytes.set([0x49, 0x49, 42, 0, 8, 0, 0, 0])
  view.setUint16(8, fields.length, true)
  for (const [i, [tag, type, count, value]] of fields.entries()) {
    view.setUint16(10 + 12 * i, tag, true)
    view.setUint16(12 + 12 * i, type, true)
    view.setUint32(14 + 12 * i, count, true)
    view.setUint32(18 + 12 * i, value, true)
  }
  for (const [i, at] of [first, second].entries()) {
    view.setUint32(offsets + 4 * i, at, true)
    view.setUint32(counts + 4 * i, strip.length, true)
    bytes.set(strip, at)
  }
  return { bytes, first, second }
}

/** A strip of 40 rows that is not packed, behind its directory, at the end of the file. */
function plainStrip(shade: (x: number, i: number) => number): Uint8Array {
  const fields = [
    [256, 4, 1, WIDTH],
    [257, 4, 1, HEIGHT],
    [258, 4, 1, 8],
    [259, 4, 1, 1],
    [262, 4, 1, 1],
    [273, 4, 1, 122],
    [277, 4, 1, 1],
    [278, 4, 1, HEIGHT],
    [279, 4, 1, WIDTH * HEIGHT],
  ]
  const bytes = new Uint8Array(122 + WIDTH * HEIGHT)
  const view = new DataView(bytes.buffer)
  bytes.set([0x49, 0x49, 42, 0, 8, 0, 0, 0])
  view.setUint16(8, fields.length, true)
  for (const [i, [tag, type, count, value]] of fields.entries()) {
    view.setUint16(10 + 12 * i, tag, true)
    view.setUint16(12 + 12 * i, type, true)
    view.setUint32(14 + 12 * i, count, true)
    view.setUint32(18 + 12 * i, value, true)
  }
  for (let i = 0; i < WIDTH * HEIGHT; i++) bytes[122 + i] = shade(i % WIDTH, i)
  return bytes
}

const fixture = (name: string) => fixtureOf(tiff, name)

function withBytes(file: Uint8Array, at: number, count: number): Uint8Array {
  const more = Uint8Array.from({ length: count }, (_, i) => (i * 77 + 131) & 255)
  return Uint8Array.from([...file.subarray(0, at), ...more, ...file.subarray(at)])
}

function withoutBytes(file: Uint8Array, at: number, count: number): Uint8Array {
  return Uint8Array.from([...file.subarray(0, at), ...file.subarray(at + count)])
}

/** Whether anything differs but a few bytes at a place. */
function changedBeyond(file: Uint8Array, other: Uint8Array, at: number): boolean {
  return file.length !== other.length || file.some((byte, i) => byte !== other[i] && Math.abs(i - at) >= NEAR)
}

const NEAR = 20

async function repaired(damaged: Uint8Array) {
  const sink = new MemorySink()
  const report = await repair({ damaged: { source: new MemorySource(damaged), name: 'damaged.tif' }, sink })
  const codes = (report.doubts ?? []).map(({ code }) => code)
  return { verdict: report.verdict, codes, bytes: sink.bytes().slice() }
}

describe('bytes that came into a file', () => {
  it('among pixels in front of its directory are taken out again', async () => {
    const file = shades()
    const { verdict, codes, bytes } = await repaired(withBytes(file, 8 + 17 * WIDTH + 11, 10))
    expect(bytes).toEqual(file)
    expect([verdict, codes]).toEqual(['partial', ['moved']])
  })

  it('among pixels behind its directory are taken out again', async () => {
    const file = fixture('strips')
    const { codes, bytes } = await repaired(withBytes(file, 9_000, 10))
    expect(codes).toEqual(['moved'])
    expect(changedBeyond(file, bytes, 9_000)).toBe(false)
  })

  it('within a packed strip are taken out again', async () => {
    const file = fixture('lzw')
    const { codes, bytes } = await repaired(withBytes(file, 9_000, 10))
    expect(codes).toEqual(['moved'])
    expect(changedBeyond(file, bytes, 9_000)).toBe(false)
  })

  it('are not thought away where packed bytes, read from another place, only look like an older code', async () => {
    const { bytes: file, first, second } = packedStrips()
    // moved by two bytes they would begin as LZW of before TIFF 6.0
    expect([file[first + 2], file[first + 3] & 1]).toEqual([0, 1])
    file.fill(0xff, first + 60, first + 80)
    const { codes, bytes } = await repaired(file)
    expect(codes).not.toContain('moved')
    expect(bytes.subarray(second, file.length)).toEqual(file.subarray(second))
  })

  it('in front of the only readable pixels and of Exif’s directory are found though zeros fill the file up', async () => {
    const { bytes: file, first } = packedStrips({ exif: true })
    const { codes, bytes } = await repaired(withBytes(file, first, 14))
    expect(codes).toContain('moved')
    expect(bytes).toEqual(file)
  })

  it('between packed tiles leave all others as they were', async () => {
    const file = fixture('deflate-tiles')
    const { codes, bytes } = await repaired(withBytes(file, 9_000, 10))
    expect(codes).toContain('moved')
    expect(bytes.subarray(12_000, file.length)).toEqual(file.subarray(12_000))
  })

  it('among pixels so restless that they do not show where leave a doubt', async () => {
    const file = plainStrip((_, i) => (i * i * 31) % 251)
    const { verdict, codes } = await repaired(withBytes(file, 122 + 17 * WIDTH + 11, 10))
    expect([verdict, codes]).toEqual(['partial', ['moved']])
  })

  it.each([
    ['which they are unlike', () => 90],
    ['which show where rows end', (x: number) => 20 + 5 * x],
  ])('behind pixels, %s, leave none', async (_, shade) => {
    const file = plainStrip(shade)
    const { verdict } = await repaired(withBytes(file, file.length, 10))
    expect(verdict).toBe('healthy')
  })

  it('are not thought away in a code that is not read here', async () => {
    const file = shades()
    const compression = 8 + WIDTH * HEIGHT + 2 + 12 * 3 + 8
    file[compression] = 3
    const { verdict } = await repaired(withBytes(file, 8 + 17 * WIDTH + 11, 10))
    expect(verdict).toBe('partial')
  })
})

describe('bytes that are gone from a file', () => {
  it('among its pixels leave those on both sides where they belong', async () => {
    const file = shades()
    const at = 8 + 17 * WIDTH + 11
    const { codes, bytes } = await repaired(withoutBytes(file, at, 10))
    expect(codes).toEqual(['moved'])
    expect(changedBeyond(file, bytes, at)).toBe(false)
  })
})

describe('a file that ends otherwise than its directory says', () => {
  it('is healthy with bytes behind it', async () => {
    const { verdict } = await repaired(withBytes(fixture('strips'), fixture('strips').length, 50))
    expect(verdict).toBe('healthy')
  })

  it('is cut where it is cut off', async () => {
    const { codes } = await repaired(fixture('strips').slice(0, -1_000))
    expect(codes).toEqual(['areas-lost'])
  })
})

describe('a source with zeros put in', () => {
  it('has them at their place, whatever part of it is read', () => {
    const source = new ShiftedSource(new MemorySource(Uint8Array.from([1, 2, 3, 4])), 2, 3)
    const all = [1, 2, 3, 0, 0, 4]
    const reader = new ByteReader(source)
    expect([...reader.bytes(0, 10)]).toEqual(all)
    for (let from = 0; from < 6; from++) {
      const part = new Uint8Array(2)
      const count = source.read(from, part)
      expect([...part.subarray(0, count)]).toEqual(all.slice(from, from + 2))
    }
  })

  it('may be without some bytes instead', () => {
    const source = new ShiftedSource(new MemorySource(Uint8Array.from([1, 2, 3, 4])), -2, 1)
    expect([...new ByteReader(source).bytes(0, 10)]).toEqual([1, 4])
  })
})
