import { describe, expect, it } from 'vitest'
import { headCut, headZeroed, truncated, zeroTail } from '../../../src/bytes/damage.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { diagnose } from '../../../src/engine.ts'
import { bmp } from '../../../src/formats/bmp/index.ts'
import { RECIPES } from '../../../src/formats/bmp/recipes.ts'
import type { PhotoReport } from '../../../src/model/report.ts'
import { fixturesOf } from '../../../testing/contract/fixtures.ts'
import { randomFrom } from '../../../testing/hostile-sources.ts'
import { contradictions } from '../../../testing/photos/own-word.ts'
import { repairPhoto } from '../../../testing/photos/repair-photo.ts'

const FIXTURES = fixturesOf(bmp)

function fixture(name: string): { readonly bytes: Uint8Array; readonly sample: Uint8Array | undefined } {
  const found = FIXTURES.find((each) => each.name === name)
  if (!found) throw new Error(`there is no ${name}`)
  return found
}

const repaired = (damaged: Uint8Array, sample?: Uint8Array) => repairPhoto(damaged, 'bmp', sample)

function doubts(report: PhotoReport): string[] {
  return (report.doubts ?? []).map(({ code }) => code)
}

function overwritten(bytes: Uint8Array, at: number, values: readonly number[]): Uint8Array {
  const copy = Uint8Array.from(bytes)
  copy.set(values, at)
  return copy
}

describe.each(FIXTURES)('the bitmap $name', ({ bytes, sample }) => {
  it.each(RECIPES)('with $name: what is called repaired is the original', async ({ name, apply }) => {
    for (const with_ of [undefined, sample]) {
      const { report, bytes: back } = await repaired(apply(bytes, 1), with_)
      expect(contradictions(report, back), name).toEqual([])
      if (report.verdict === 'repaired') expect(Buffer.compare(back, bytes), name).toBe(0)
    }
  })

  it.each([
    ['the signature', 0, [0, 0]],
    ['the file header', 0, Array.from({ length: 14 }, () => 0)],
    ['the place of the pixels', 10, [0, 0, 0, 0]],
  ])('without %s is repaired exactly', async (_, at, values) => {
    const { report, bytes: back } = await repaired(overwritten(bytes, at, values))
    expect(report.verdict).toBe('repaired')
    expect(Buffer.compare(back, bytes)).toBe(0)
  })

  it.each([[[0xff, 0xff, 0xff, 0xff]], [[1, 0, 0, 0]]])(
    'is healthy with a note where the size of the file is %j, which no program asks for',
    async (size) => {
      const { report } = await repaired(overwritten(bytes, 2, size))
      expect(report.verdict).toBe('healthy')
      expect(report.findings.map(({ code }) => code)).toEqual(['bmp.file-size-wrong'])
    },
  )

  it('without its file header, cut away, is repaired exactly', async () => {
    const { report, bytes: back } = await repaired(headCut(bytes, 14))
    expect(report.verdict).toBe('repaired')
    expect(Buffer.compare(back, bytes)).toBe(0)
  })

  it('keeps what stands behind it', async () => {
    const longer = Uint8Array.from([...bytes, ...new Uint8Array(100).fill(7)])
    const { report } = await repaired(longer)
    expect(report.verdict).toBe('healthy')
    const { bytes: back } = await repaired(overwritten(longer, 0, [0, 0, 0, 0, 0, 0]))
    expect(back.subarray(6)).toEqual(longer.subarray(6))
  })
})

describe('what is gone', () => {
  it('of a picture stored bottom-up is its top', async () => {
    const { bytes } = fixture('colours')
    const left = truncated(bytes, 0.7)
    const { report, bytes: back } = await repaired(left)
    expect(report.verdict).toBe('partial')
    expect(doubts(report)).toEqual(['areas-lost'])
    expect(back.length).toBe(bytes.length)
    expect(back.subarray(0, left.length)).toEqual(left)
    const [picture] = report.pictures
    const rows = Math.floor((left.length - 54) / 184)
    expect(picture).toMatchObject({ total: 48, recovered: rows, lost: 48 - rows })
    expect(picture?.areas).toEqual([{ x: 0, y: 0, width: 61, height: 48 - rows, state: 'lost' }])
  })

  it('of one stored top-down is its bottom', async () => {
    const { report } = await repaired(truncated(fixture('masked').bytes, 0.7))
    const [area] = report.pictures[0]?.areas ?? []
    expect((area?.y ?? 0) + (area?.height ?? 0)).toBe(40)
    expect(area?.y).toBeGreaterThan(20)
  })

  it('of run lengths ends with the end of the bitmap behind the last whole code', async () => {
    const { bytes } = fixture('run-lengths')
    const { report, bytes: back } = await repaired(truncated(bytes, 0.7))
    expect(doubts(report)).toEqual(['areas-lost'])
    expect([...back.subarray(-2)]).toEqual([0, 1])
    expect(report.pictures[0]?.recovered).toBeGreaterThan(30)
  })

  it('is told where zeros break off in the midst of a row', async () => {
    const { report } = await repaired(zeroTail(fixture('colours').bytes, 0.7))
    expect(doubts(report)).toEqual(['areas-lost'])
    expect(report.findings.map(({ code }) => code)).toContain('bmp.data-hit')
  })

  it('is not black that begins with a row', async () => {
    const black = overwritten(fixture('colours').bytes, 54 + 30 * 184, Array(18 * 184).fill(0))
    const { healthy } = await diagnose({ file: { source: new MemorySource(black), name: 'black.bmp' } })
    expect(healthy).toBe(true)
  })
})

describe('a header that is lost', () => {
  const { bytes, sample } = fixture('colours')

  it('is fitted to the rows, which is a doubt', async () => {
    for (const damaged of [headZeroed(bytes, 54), overwritten(bytes, 14, Array(40).fill(0))]) {
      const { report, bytes: back } = await repaired(damaged)
      expect(report.verdict).toBe('partial')
      expect(doubts(report)).toContain('size')
      expect(report.pictures[0]).toMatchObject({ width: 61, height: 48 })
      expect(back.subarray(54)).toEqual(bytes.subarray(54))
    }
  })

  it('comes from a sample of the same size, which is a doubt', async () => {
    const { report, bytes: back } = await repaired(headZeroed(bytes, 54), sample)
    expect(doubts(report)).toContain('size')
    expect(report.sample?.used).toContain('structure')
    expect(back).toEqual(bytes)
  })

  it('is fitted where the height was hit', async () => {
    const { report, bytes: back } = await repaired(overwritten(bytes, 22, [0, 1, 0, 0]))
    expect(doubts(report)).toContain('size')
    expect(back.subarray(54)).toEqual(bytes.subarray(54))
    expect(report.pictures[0]).toMatchObject({ width: 61, height: 48 })
  })
})

describe('a resolution that no program writes', () => {
  it('in a header that was hit elsewhere is a doubt', async () => {
    const { bytes } = fixture('colours')
    const unsigned = overwritten(bytes, 0, [0, 0])
    expect((await repaired(unsigned)).report.verdict).toBe('repaired')
    for (const at of [38, 45]) {
      const { report } = await repaired(overwritten(unsigned, at, [0x7f]))
      expect(doubts(report), `at ${at}`).toEqual(['metadata'])
    }
  })
})

describe('the size of a file of OS/2', () => {
  it('may be that of its headers', async () => {
    const { bytes } = fixture('os2')
    const damaged = overwritten(bytes, 2, [26, 0, 0, 0])
    expect((await repaired(damaged)).report.verdict).toBe('healthy')
  })
})

describe('a palette of more colours than pixels can name', () => {
  it('is healthy', async () => {
    const { bytes } = fixture('bilevel')
    const at = bytes[10]
    const more = new Uint8Array(bytes.length + 8)
    more.set(bytes.subarray(0, at))
    more.set(bytes.subarray(at), at + 8)
    const view = new DataView(more.buffer)
    view.setUint32(2, more.length, true)
    view.setUint32(10, at + 8, true)
    view.setUint32(46, 4, true)
    expect((await repaired(more)).report.verdict).toBe('healthy')
  })
})

describe('a header', () => {
  it('of OS/2 that ends behind the bits of a pixel is healthy', async () => {
    const { bytes } = fixture('indexed')
    const short = Buffer.concat([bytes.subarray(0, 30), bytes.subarray(54)])
    for (const [at, value] of [short.length, bytes[10] - 24 + 256 * bytes[11]].entries())
      short.writeUInt32LE(value, 2 + 8 * at)
    short.writeUInt32LE(16, 14)
    expect((await repaired(short)).report.verdict).toBe('healthy')
  })

  it('that tells of more colours than there are is put right where pixels have none', async () => {
    const { bytes } = fixture('colours')
    const { report, bytes: back } = await repaired(overwritten(bytes, 49, [1]))
    expect(report.verdict).toBe('repaired')
    expect(back).toEqual(bytes)
  })

  it.each([
    ['JPEG', 4, 0],
    ['PNG', 5, 0],
    ['Huffman codes', 3, 1],
    ['runs of 24 bits', 4, 24],
  ])('of pixels coded as %s is told not to be supported', async (_, compression, bits) => {
    const foreign = overwritten(overwritten(fixture('colours').bytes, 28, [bits]), 30, [compression])
    const { report } = await repaired(foreign)
    expect([report.format, report.verdict]).toEqual(['bmp', 'unrepairable'])
    expect(report.reason).toContain('not supported')
  })
})

describe('run lengths', () => {
  it('that go on to whole words at the end of a row are healthy', async () => {
    const pixels = Array.from({ length: 5 }, () => [8, 3, 0, 0]).flat()
    pixels.splice(-2, 2, 0, 1)
    const front = Uint8Array.from(fixture('run-lengths').bytes.subarray(0, 54 + 1024))
    const bytes = Buffer.concat([front, Uint8Array.from(pixels)])
    for (const [at, value] of [
      [2, bytes.length],
      [18, 5],
      [22, 5],
      [34, pixels.length],
    ])
      bytes.writeUInt32LE(value, at)
    expect((await repaired(bytes)).report.verdict).toBe('healthy')
  })
})

describe('a palette that is lost', () => {
  const { bytes, sample } = fixture('indexed')
  const damaged = overwritten(bytes, 54, Array(1024).fill(0))

  it('is a ramp of greys, which is a doubt', async () => {
    const { report, bytes: back } = await repaired(damaged)
    expect(doubts(report)).toEqual(['colour'])
    expect([...back.subarray(54 + 4 * 100, 54 + 4 * 101)]).toEqual([100, 100, 100, 0])
  })

  it('is a sample’s, which is a doubt', async () => {
    const { report, bytes: back } = await repaired(damaged, sample)
    expect(doubts(report)).toEqual(['colour'])
    expect(back).toEqual(bytes)
  })
})

describe('a bitmap whose size is not what its header says', () => {
  const { bytes: PHOTO } = fixture('colours')
  const junk = (length: number): Uint8Array => Uint8Array.from({ length }, (_, i) => (i * 97 + 13) & 0xff)
  // black at all edges
  const VIGNETTE = Uint8Array.from(PHOTO)
  for (let y = 0; y < 48; y++)
    for (let x = 0; x < 61; x++) {
      const centre = Math.max(0, 1 - Math.hypot((x - 30) / 30, (y - 24) / 24))
      VIGNETTE.fill(Math.round(200 * centre), 54 + y * 184 + x * 3, 54 + y * 184 + x * 3 + 3)
    }
  const at = 54 + 20 * 192 + 71

  it.each([7, 16, 100, 500])(
    'with %d bytes put in among its pixels has them out again, and its place is a doubt',
    async (count) => {
      const damaged = Buffer.concat([PHOTO.subarray(0, at), junk(count), PHOTO.subarray(at)])
      const { report, bytes } = await repaired(damaged)
      const codes = report.findings.map(({ code }) => code)
      expect([codes.includes('bmp.data-shifted'), codes.includes('bmp.trailing-data')]).toEqual([true, false])
      expect(doubts(report)).toContain('placement')
      expect(bytes.length).toBe(PHOTO.length)
      expect(bytes.filter((byte, i) => byte !== PHOTO[i]).length).toBeLessThan(200)
      expect(bytes.subarray(at + 600)).toEqual(PHOTO.subarray(at + 600))
    },
  )

  it.each([50, 100, 250, 450])(
    'with %d bytes missing among its pixels has those behind them in their places',
    async (count) => {
      const damaged = Buffer.concat([PHOTO.subarray(0, at), PHOTO.subarray(at + count)])
      const { report, bytes } = await repaired(damaged)
      expect(doubts(report)).toEqual(['areas-lost', 'placement'])
      expect(bytes.subarray(at + 600)).toEqual(PHOTO.subarray(at + 600))
      expect(report.pictures[0].lost).toBeGreaterThan(0)
    },
  )

  it('whose edges are alike has few bytes out again as well, by the row that does not go with the one above', async () => {
    const damaged = Buffer.concat([VIGNETTE.subarray(0, at), junk(16), VIGNETTE.subarray(at)])
    const { report, bytes } = await repaired(damaged)
    expect(doubts(report)).toEqual(['placement'])
    expect(bytes.filter((byte, i) => byte !== VIGNETTE[i]).length).toBeLessThan(32)
  })

  it.each([
    ['header', 'colours', 50, 3],
    ['header', 'colours', 50, 1],
    ['palette', 'indexed', 500, 6],
  ])('has its pixels in their places where bytes were put into its %s', async (_, name, place, count) => {
    const { bytes: own } = fixture(name)
    const { report, bytes } = await repaired(
      Buffer.concat([own.subarray(0, place), junk(count), own.subarray(place)]),
    )
    expect(doubts(report)).toEqual(['placement'])
    const pixels = own.length - 54 - (name === 'indexed' ? 1024 : 0)
    expect(bytes.length).toBe(own.length)
    expect(bytes.subarray(-pixels)).toEqual(own.subarray(-pixels))
  })

  it('is in doubt where no row goes with the one above, so that nothing shows where bytes were put in', async () => {
    const random = randomFrom(7)
    const noise = Uint8Array.from(PHOTO, (byte, i) => (i < 54 ? byte : Math.floor(random() * 256)))
    const { report, bytes } = await repaired(
      Buffer.concat([noise.subarray(0, at), junk(16), noise.subarray(at)]),
    )
    expect(report.findings.map(({ code }) => code)).toEqual(['bmp.length-unclear'])
    expect(report.verdict).toBe('partial')
    expect(doubts(report)).toEqual(['placement'])
    expect(bytes.length).toBe(PHOTO.length + 16)
  })

  it('has bytes out that were put in where the size of the file was hit as well', async () => {
    const damaged = Buffer.concat([PHOTO.subarray(0, at), junk(7), PHOTO.subarray(at)])
    const { report, bytes } = await repaired(overwritten(damaged, 2, [9, 9, 0, 0]))
    expect(doubts(report)).toEqual(['placement'])
    expect(bytes.subarray(at + 600)).toEqual(PHOTO.subarray(at + 600))
  })

  it('keeps what its size counts behind the pixels when bytes among them are taken out', async () => {
    const longer = Buffer.concat([PHOTO, Uint8Array.of(0, 0)])
    longer.writeUInt32LE(longer.length, 2)
    const { bytes } = await repaired(Buffer.concat([longer.subarray(0, at), junk(16), longer.subarray(at)]))
    expect(bytes.length).toBe(longer.length)
    expect(bytes.filter((byte, i) => byte !== longer[i]).length).toBeLessThan(32)
  })

  it.each([
    ['they are whole rows', 2 * 184],
    ['they are more than half of them', 48 * 92 + 100],
  ])('with bytes put in is not told to be shifted where %s', async (_, count) => {
    const { report } = await repaired(Buffer.concat([PHOTO.subarray(0, at), junk(count), PHOTO.subarray(at)]))
    expect(report.findings.map(({ code }) => code)).not.toContain('bmp.data-shifted')
  })

  it.each(FIXTURES)('is healthy with bytes behind its pixels: $name', async ({ bytes }) => {
    for (const count of [2, 7, 500]) {
      const source = new MemorySource(Uint8Array.from(Buffer.concat([bytes, junk(count)])))
      expect((await diagnose({ file: { source, name: 'photo.bmp' } })).healthy).toBe(true)
    }
  })
})

describe.each(FIXTURES)('bytes in front of the bitmap $name', ({ name, bytes }) => {
  it.each([1, 13, 14, 777, 60_000])('%i of them are left out', async (count) => {
    const random = randomFrom(count)
    const junk = Uint8Array.from({ length: count }, () => Math.floor(random() * 256))
    const { report, bytes: back } = await repaired(Uint8Array.from([...junk, ...bytes]))
    expect(report.findings[0]).toMatchObject({ code: 'bmp.leading-data', offset: 0, length: count })
    expect(report.verdict).toBe('repaired')
    expect(Buffer.compare(back, bytes)).toBe(0)
  })

  it('are left out where the signature went with them, if the pixels are as many as the header says', async () => {
    const unsigned = overwritten(
      bytes,
      0,
      Array.from({ length: 14 }, () => 0),
    )
    const { report, bytes: back } = await repaired(Uint8Array.from([...new Uint8Array(300), ...unsigned]))
    if (name === 'run-lengths') return expect(report.verdict).toBe('unrepairable')
    expect(report.verdict).toBe('repaired')
    expect(Buffer.compare(back, bytes)).toBe(0)
  })
})
