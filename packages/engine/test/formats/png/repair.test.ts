import { constants, deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { headCut, headZeroed, truncated } from '../../../src/bytes/damage.ts'
import { inflateZlib } from '../../../src/bytes/deflate/inflate-zlib.ts'
import { png } from '../../../src/formats/png/index.ts'
import { type Chunk, chunkBytes, SIGNATURE } from '../../../src/formats/png/read/chunk.ts'
import { framesOf } from '../../../src/formats/png/read/frames.ts'
import { walk } from '../../../src/formats/png/read/walk.ts'
import { asText, RECIPES } from '../../../src/formats/png/recipes.ts'
import type { PhotoReport } from '../../../src/model/report.ts'
import { fixtureOf, fixturesOf } from '../../../testing/contract/fixtures.ts'
import { randomFrom } from '../../../testing/hostile-sources.ts'
import { contradictions } from '../../../testing/photos/own-word.ts'
import { repairPhoto } from '../../../testing/photos/repair-photo.ts'

const FIXTURES = fixturesOf(png)
const PLENTY = 1 << 20

const fixture = (name: string) => fixtureOf(png, name)

const repaired = (damaged: Uint8Array, sample?: Uint8Array) => repairPhoto(damaged, 'png', sample)

function doubts(report: PhotoReport): string[] {
  return (report.doubts ?? []).map(({ code }) => code)
}

function chunkOf(bytes: Uint8Array, type: string): Chunk {
  const found = walk(bytes).chunks.find((chunk) => chunk.type === type)
  if (!found) throw new Error(`there is no ${type}`)
  return found
}

/** The rows of the first picture as they are inflated. */
function rowsOf(bytes: Uint8Array): Uint8Array {
  const [frame] = framesOf(bytes, walk(bytes).chunks, undefined)
  const { bytes: rows, checked } = inflateZlib(frame.stream, PLENTY)
  expect(checked).toBe(true)
  return rows
}

function isFalselyRepaired(report: PhotoReport, back: Uint8Array, rows: Uint8Array): boolean {
  return report.verdict === 'repaired' && !rowsOf(back).every((value, i) => value === rows[i])
}

describe.each(FIXTURES)('the picture $name', ({ bytes }) => {
  it.each(RECIPES)('with $name: what is called repaired is the original', async ({ apply }) => {
    for (const seed of [1, 2, 3]) {
      const { report, bytes: back } = await repaired(apply(bytes, seed))
      expect(contradictions(report, back), `seed ${seed}`).toEqual([])
      if (report.verdict === 'repaired') expect(rowsOf(back), `seed ${seed}`).toEqual(rowsOf(bytes))
    }
  })

  it('transferred as text comes back byte for byte', async () => {
    const { report, bytes: back } = await repaired(asText(bytes))
    expect(report.verdict).toBe('repaired')
    expect(back).toEqual(bytes)
  })

  it.each([1, 3, 16, 700])('with %d bytes put in among its data comes back byte for byte', async (count) => {
    const { body, length } = chunkOf(bytes, 'IDAT')
    const random = randomFrom(count)
    const foreign = Uint8Array.from({ length: count }, () => Math.floor(random() * 256))
    for (const part of [0, 0.4, 1]) {
      const place = body + Math.floor(part * length)
      const damaged = Uint8Array.from([...bytes.subarray(0, place), ...foreign, ...bytes.subarray(place)])
      const { report, bytes: back } = await repaired(damaged)
      expect(report.findings.map(({ code }) => code)).toEqual(['png.bytes-put-in'])
      expect(report.verdict).toBe('repaired')
      expect(back).toEqual(bytes)
    }
  })

  it('without its signature comes back byte for byte', async () => {
    for (const damaged of [headZeroed(bytes, SIGNATURE.length), headCut(bytes, SIGNATURE.length)])
      expect((await repaired(damaged)).bytes).toEqual(bytes)
  })

  it('with any one bit of its image data flipped comes back byte for byte', async () => {
    const { body, length } = chunkOf(bytes, 'IDAT')
    for (let at = body; at < body + length; at += 97) {
      const damaged = Uint8Array.from(bytes)
      damaged[at] ^= 1 << (at & 7)
      const { report, bytes: back } = await repaired(damaged)
      expect(report.verdict, `byte ${at}`).toBe('repaired')
      expect(back, `byte ${at}`).toEqual(bytes)
    }
  })

  it('with a header of which a byte was hit comes back byte for byte', async () => {
    const { body } = chunkOf(bytes, 'IHDR')
    for (const at of [body + 3, body + 7, body + 9]) {
      const damaged = Uint8Array.from(bytes)
      damaged[at] ^= 0x5a
      expect((await repaired(damaged)).bytes).toEqual(bytes)
    }
  })
})

describe('a picture without its header', () => {
  it('has the size and coding that its data ask for, beyond doubt where the checksum survives', async () => {
    const bytes = fixture('colours')
    const damaged = Uint8Array.from(bytes).fill(0, 16, 29)
    const { report, bytes: back } = await repaired(damaged)
    expect(report.verdict).toBe('repaired')
    expect(back).toEqual(bytes)
  })

  it('of less than a byte a pixel is estimated in its width', async () => {
    const { report } = await repaired(headCut(fixture('palette'), 33))
    expect(report.verdict).toBe('partial')
    expect(doubts(report)).toContain('size')
  })
})

describe('a picture without its palette', () => {
  const bytes = fixture('palette')
  const palette = chunkOf(bytes, 'PLTE')
  const without = Uint8Array.from([
    ...bytes.subarray(0, palette.offset),
    ...bytes.subarray(palette.offset + palette.length + 12),
  ])

  it('is grey, and that is a doubt', async () => {
    const { report } = await repaired(without)
    expect(report.verdict).toBe('partial')
    expect(doubts(report)).toEqual(['colour'])
  })

  it("takes a sample's, which is a doubt, too", async () => {
    const { report, bytes: back } = await repaired(without, bytes)
    expect(back).toEqual(bytes)
    expect(doubts(report)).toEqual(['colour'])
    expect(report.sample?.used).toEqual(['palette'])
  })
})

describe('a picture that breaks off', () => {
  it('keeps the bits of what is there, and says which rows are gone', async () => {
    const bytes = fixture('colours')
    const cut = truncated(bytes, 0.5)
    const { report, bytes: back } = await repaired(cut)
    const [before] = framesOf(cut, walk(cut).chunks, undefined)
    const [after] = framesOf(back, walk(back).chunks, undefined)
    // the mark of the last block stands in the byte behind the header, and the last bytes are read to a symbol's end
    const kept = before.stream.length - 8
    expect(after.stream.subarray(3, kept)).toEqual(before.stream.subarray(3, kept))
    expect(doubts(report)).toEqual(['areas-lost'])
    const [picture] = report.pictures
    expect(picture.recovered).toBeGreaterThan(20)
    expect(picture.areas.at(-1)).toMatchObject({ state: 'lost' })
  })

  it('of an animation has the pictures that are there, and says that others are gone', async () => {
    const bytes = fixture('animation')
    const last = walk(bytes).chunks.findLast(({ type }) => type === 'fcTL')
    const { report, bytes: back } = await repaired(bytes.subarray(0, (last?.offset ?? 0) + 60))
    expect(doubts(report)).toContain('frames')
    expect(back[chunkOf(back, 'acTL').body + 3]).toBe(2)
  })
})

describe('chunks beside the picture', () => {
  it('keep their place; one that was hit in more than a byte is a doubt', async () => {
    const bytes = fixture('colours')
    const { body } = chunkOf(bytes, 'tEXt')
    const damaged = Uint8Array.from(bytes)
    damaged.set([1, 2, 3], body + 8)
    const { report, bytes: back } = await repaired(damaged)
    expect(doubts(report)).toEqual(['metadata'])
    expect(rowsOf(back)).toEqual(rowsOf(bytes))
  })

  it('are put right without a doubt where only a length or a type was hit', async () => {
    const bytes = fixture('colours')
    const { offset } = chunkOf(bytes, 'gAMA')
    for (const at of [offset + 2, offset + 5]) {
      const damaged = Uint8Array.from(bytes)
      damaged[at] ^= 0x10
      const { report, bytes: back } = await repaired(damaged)
      expect(report.verdict, `byte ${at}`).toBe('repaired')
      expect(back, `byte ${at}`).toEqual(bytes)
    }
  })

  it('what follows the image stays', async () => {
    const bytes = fixture('palette')
    const behind = Uint8Array.from({ length: 50 }, (_, i) => i)
    const damaged = Uint8Array.from([...bytes, ...behind])
    damaged[20] ^= 1
    expect((await repaired(damaged)).bytes).toEqual(Uint8Array.from([...bytes, ...behind]))
  })
})

it('a checksum of the image data that alone is wrong is written anew', async () => {
  const rows = Uint8Array.from({ length: 8 * 9 }, (_, i) => (i % 9 === 0 ? 0 : i))
  const stream = Uint8Array.from(deflateSync(rows))
  const header = Uint8Array.of(0, 0, 0, 8, 0, 0, 0, 8, 8, 0, 0, 0, 0)
  const file = (data: Uint8Array): Uint8Array =>
    Uint8Array.from([
      ...SIGNATURE,
      ...chunkBytes('IHDR', header),
      ...chunkBytes('IDAT', data),
      ...chunkBytes('IEND'),
    ])
  const hit = Uint8Array.from(stream)
  hit[hit.length - 1] ^= 0xff
  const { report, bytes } = await repaired(file(hit))
  expect(report.findings.map(({ code }) => code)).toContain('png.data-checksum-wrong')
  expect(rowsOf(bytes)).toEqual(rows)
})

it('a small picture of few colours whose data still fill it after two hits is not called repaired', async () => {
  const random = randomFrom(5)
  const rows = Uint8Array.from({ length: 11 * 65 }, (_, i) =>
    i % 65 === 0 ? 0 : Math.floor(4 * random() ** 3),
  )
  const stream = Uint8Array.from(deflateSync(rows))
  const header = Uint8Array.of(0, 0, 0, 64, 0, 0, 0, 11, 8, 0, 0, 0, 0)
  const file = Uint8Array.from([
    ...SIGNATURE,
    ...chunkBytes('IHDR', header),
    ...chunkBytes('IDAT', stream),
    ...chunkBytes('IEND'),
  ])
  const { body, length } = chunkOf(file, 'IDAT')
  let filled = 0
  for (let trial = 0; trial < 60; trial++) {
    const damaged = Uint8Array.from(file)
    for (let hit = 0; hit < 2; hit++)
      damaged[body + Math.floor((0.3 + 0.6 * random()) * length)] ^= 1 << Math.floor(8 * random())
    const { report, bytes } = await repaired(damaged)
    if (report.pictures[0]?.lost === 0) filled++
    expect(isFalselyRepaired(report, bytes, rows), `trial ${trial}`).toBe(false)
    // nor where the file ends with the data
    const cut = await repaired(damaged.subarray(0, body + length))
    expect(isFalselyRepaired(cut.report, cut.bytes, rows), `trial ${trial}, cut`).toBe(false)
  }
  expect(filled).toBeGreaterThan(3)
})

it('a picture of few colours hit in front of equal bytes that its encoder wrote is not called repaired', async () => {
  const rows = Uint8Array.from({ length: 300 * 301 }, (_, i) =>
    i % 301 === 0 || i > 5_000 ? 0 : (i * i) % 7,
  )
  const header = Uint8Array.of(0, 0, 1, 44, 0, 0, 1, 44, 8, 0, 0, 0, 0)
  const file = Uint8Array.from([
    ...SIGNATURE,
    ...chunkBytes('IHDR', header),
    ...chunkBytes('IDAT', Uint8Array.from(deflateSync(rows))),
    ...chunkBytes('IEND'),
  ])
  const { body, length } = chunkOf(file, 'IDAT')
  for (let at = body + 60; at < body + length / 2; at += 5) {
    const damaged = Uint8Array.from(file)
    damaged[at] ^= 4
    damaged[at + 3] ^= 8
    const { report, bytes } = await repaired(damaged)
    expect(isFalselyRepaired(report, bytes, rows), `byte ${at}`).toBe(false)
  }
})

it('a flat picture whose header is gone is no ribbon', async () => {
  const [width, height] = [300, 200]
  const stride = 1 + 3 * width
  const rows = Uint8Array.from({ length: height * stride }, (_, i) =>
    i % stride > 0 && i % stride < 4 && i < 9 * stride ? 1 + (i % 3) : 0,
  )
  const header = Uint8Array.of(0, 0, width >> 8, width & 255, 0, 0, 0, height, 8, 2, 0, 0, 0)
  const file = Uint8Array.from([
    ...SIGNATURE,
    ...chunkBytes('IHDR', header),
    ...chunkBytes('IDAT', Uint8Array.from(deflateSync(rows))),
    ...chunkBytes('IEND'),
  ])
  const { report } = await repaired(headZeroed(file, 33))
  const [picture] = report.pictures
  const longer = Math.max(picture.width / picture.height, picture.height / picture.width)
  expect(longer).toBeLessThan(8)
})

it('a picture with more colours in its palette than its bits name is healthy: decoders leave out the others', async () => {
  const header = [0, 0, 0, 8, 0, 0, 0, 8, 1, 3, 0, 0, 0]
  const bytes = Buffer.concat([
    SIGNATURE,
    chunkBytes('IHDR', Uint8Array.from(header)),
    chunkBytes('PLTE', Uint8Array.of(0, 0, 0, 255, 255, 255, 219, 159, 55)),
    chunkBytes(
      'IDAT',
      Uint8Array.from(deflateSync(Uint8Array.from({ length: 16 }, (_, i) => (i & 1) * 0x5a))),
    ),
    chunkBytes('IEND', new Uint8Array(0)),
  ])
  expect((await repaired(Uint8Array.from(bytes))).report.verdict).toBe('healthy')
})

it('equal bytes by which a flat part is encoded are not taken for a hole in front of a later hit', async () => {
  const [width, height, top, flat] = [500, 400, 20, 300]
  const stride = width * 3 + 1
  const random = randomFrom(3)
  const rows = Uint8Array.from({ length: height * stride }, (_, i) => {
    const row = Math.floor(i / stride)
    return i % stride === 0 || (row >= top && row < flat) ? 0 : Math.floor(random() * 8)
  })
  const head = Uint8Array.from([
    0,
    0,
    width >> 8,
    width & 255,
    0,
    0,
    height >> 8,
    height & 255,
    8,
    2,
    0,
    0,
    0,
  ])
  // small blocks: the flat part has some of its own, of codes of two bits
  const data = deflateSync(rows, { memLevel: 3 })
  const chunks = [chunkBytes('IHDR', head), chunkBytes('IDAT', data), chunkBytes('IEND', new Uint8Array())]
  const picture = Buffer.concat([Uint8Array.from(SIGNATURE), ...chunks])
  const at = picture.length - Math.floor(data.length / 10)
  const other = new Uint8Array(16).fill(90)
  const damaged = Buffer.concat([picture.subarray(0, at), other, picture.subarray(at + 4)])
  const { report, bytes } = await repaired(damaged)
  expect(report.verdict).toBe('partial')
  const back = rowsOf(bytes)
  const many = (flat + 60) * stride
  expect(back.subarray(0, many)).toEqual(rows.subarray(0, many))
})

/** A picture of 64 by 64 pixels of a byte each in one chunk of data. */
function square(
  colour: number,
  rows: Uint8Array,
  data: Uint8Array = deflateSync(rows),
  beside: Uint8Array[] = [],
) {
  const header = Uint8Array.of(0, 0, 0, 64, 0, 0, 0, 64, 8, colour, 0, 0, 0)
  const parts = [chunkBytes('IHDR', header), ...beside, chunkBytes('IDAT', data), chunkBytes('IEND')]
  return Uint8Array.from([...SIGNATURE, ...parts.flatMap((part) => [...part])])
}

it('rows of a palette that are gone have the colour that most pixels have, whatever the first one is', async () => {
  const random = randomFrom(5)
  const rows = Uint8Array.from({ length: 64 * 65 }, (_, i) =>
    i % 65 === 0 ? 0 : random() < 0.45 ? 2 : Math.floor(random() * 4),
  )
  const whole = square(3, rows, deflateSync(rows), [chunkBytes('PLTE', new Uint8Array(12).fill(7))])
  const { report, bytes } = await repaired(whole.subarray(0, whole.length >> 1))
  expect(doubts(report)).toEqual(['areas-lost'])
  const back = unfilteredUp(rowsOf(bytes))
  expect(back.subarray(60 * 64)).toEqual(new Uint8Array(4 * 64).fill(2))
})

/** Pixels of rows whose filters are none or up. */
function unfilteredUp(rows: Uint8Array): Uint8Array {
  const pixels = new Uint8Array(64 * 64)
  for (let y = 0; y < 64; y++)
    for (let x = 0; x < 64; x++) {
      const filter = rows[y * 65]
      if (filter !== 0 && filter !== 2) throw new Error(`filter ${filter}`)
      pixels[y * 64 + x] = rows[y * 65 + 1 + x] + (filter === 2 && y > 0 ? pixels[(y - 1) * 64 + x] : 0)
    }
  return pixels
}

it('data that are read to their end, but are too short, keep their beginning in its place', async () => {
  const random = randomFrom(6)
  const rows = Uint8Array.from({ length: 64 * 65 }, (_, i) =>
    i % 65 === 0 ? 0 : 40 + Math.floor(i / 65) + 2 * (i % 65) + Math.floor(random() * 5),
  )
  const stream = deflateSync(rows, { strategy: constants.Z_HUFFMAN_ONLY })
  const at = stream.length >> 1
  const { report, bytes } = await repaired(
    square(0, rows, Uint8Array.from([...stream.subarray(0, at), ...stream.subarray(at + 300)])),
  )
  expect(report.verdict).toBe('partial')
  const back = unfilteredUp(rowsOf(bytes))
  const pixels = unfilteredUp(rows)
  expect(back.subarray(0, 28 * 64)).toEqual(pixels.subarray(0, 28 * 64))
  expect(back.subarray(44 * 64)).toEqual(pixels.subarray(44 * 64))
})

it.each([
  [38, true],
  [26, false],
])(
  'of 64 columns %d are clear: that a gap is clear ground in the others, too, is %s',
  async (clear, isClear) => {
    const side = 64
    const stride = 1 + 4 * side
    const random = randomFrom(7)
    const rows = Uint8Array.from({ length: side * stride }, (_, i) => {
      const [at, channel] = [Math.floor(((i % stride) - 1) / 4), ((i % stride) - 1) % 4]
      if (i % stride === 0 || at < clear) return 0
      return channel === 3 ? 255 : 100 + Math.floor(random() * 16)
    })
    // small blocks: behind the hole reading goes on with one of them
    const data = deflateSync(rows, { strategy: constants.Z_HUFFMAN_ONLY, memLevel: 4 })
    const damaged = square(6, rows, data)
    damaged.fill(0, Math.floor(damaged.length * 0.25), Math.floor(damaged.length * 0.7))
    const { report, bytes } = await repaired(damaged)
    expect(report.verdict).toBe('partial')
    const back = rowsOf(bytes)
    for (let row = 1; row < side; row++)
      for (let i = row * stride + 1; i < (row + 1) * stride; i++) {
        expect([0, 2]).toContain(back[row * stride])
        if (back[row * stride] === 2) back[i] += back[i - stride]
      }
    const alphas = Array.from({ length: side }, (_, row) => back[(row + 1) * stride - 1])
    expect(alphas[0]).toBe(255)
    expect(alphas[side - 1]).toBe(255)
    expect(alphas.includes(0)).toBe(isClear)
  },
)
