import { describe, expect, it } from 'vitest'
import { truncated } from '../../../src/bytes/damage.ts'
import { readGifLzw } from '../../../src/codecs/lzw/gif-lzw.ts'
import { gif } from '../../../src/formats/gif/index.ts'
import { readChain, streamOf } from '../../../src/formats/gif/read/blocks.ts'
import { RECIPES } from '../../../src/formats/gif/recipes.ts'
import type { PhotoReport } from '../../../src/model/report.ts'
import { fixtureOf, fixturesOf } from '../../../testing/contract/fixtures.ts'
import { randomFrom } from '../../../testing/hostile-sources.ts'
import { contradictions } from '../../../testing/photos/own-word.ts'
import { repairPhoto } from '../../../testing/photos/repair-photo.ts'

const FIXTURES = fixturesOf(gif)
/** Signature, screen and colours of the fixtures. */
const FRONT = 13 + 64 * 3

const fixture = (name: string) => fixtureOf(gif, name)

const repaired = (damaged: Uint8Array, sample?: Uint8Array) => repairPhoto(damaged, 'gif', sample)

interface Place {
  readonly offset: number
  readonly data: number
  readonly end: number
}

/** Where the image descriptors of a healthy file stand, and their data. */
function descriptors(bytes: Uint8Array): Place[] {
  const places: Place[] = []
  let at = FRONT
  while (bytes[at] !== 0x3b) {
    const isImage = bytes[at] === 0x2c
    const table = isImage && bytes[at + 9] & 0x80 ? 6 << (bytes[at + 9] & 7) : 0
    const data = isImage ? at + 11 + table : at + 2
    let end = data
    while (bytes[end] !== 0) end += 1 + bytes[end]
    if (isImage) places.push({ offset: at, data, end: end + 1 })
    at = end + 1
  }
  return places
}

function doubts(report: PhotoReport): string[] {
  return (report.doubts ?? []).map(({ code }) => code)
}

describe.each(FIXTURES)('the picture $name', ({ bytes }) => {
  it.each(RECIPES)('with $name: what is called repaired is the original', async ({ apply }) => {
    for (const seed of [1, 2, 3]) {
      const { report, bytes: back } = await repaired(apply(bytes, seed))
      expect(contradictions(report, back), `seed ${seed}`).toEqual([])
      if (report.verdict === 'repaired') expect(back, `seed ${seed}`).toEqual(bytes)
    }
  })
})

describe.each(FIXTURES)('bytes in front of the picture $name', ({ bytes }) => {
  it.each([1, 13, 777, 60_000])('%i of them are left out', async (count) => {
    const random = randomFrom(count)
    const junk = Uint8Array.from({ length: count }, () => Math.floor(random() * 256))
    const { report, bytes: back } = await repaired(Uint8Array.from([...junk, ...bytes]))
    expect(report.findings).toMatchObject([{ code: 'gif.leading-data', offset: 0 }])
    expect(report.verdict).toBe('repaired')
    expect(back).toEqual(bytes)
  })
})

it('a picture whose signature is gone is not taken for bytes in front of another', async () => {
  const bytes = fixture('still')
  const first = Uint8Array.from(bytes).fill(0, 0, 6)
  const { report, bytes: back } = await repaired(Uint8Array.from([...first, ...bytes]))
  expect(report.findings.map(({ code }) => code)).not.toContain('gif.leading-data')
  expect(back.subarray(0, bytes.length)).toEqual(bytes)
})

describe('a still', () => {
  const bytes = fixture('still')

  it('with the length of any sub-block hit comes back byte for byte', async () => {
    for (let at = FRONT + 11; bytes[at] !== 0; at += 1 + bytes[at]) {
      const damaged = Uint8Array.from(bytes)
      damaged[at] ^= 0x15
      const { report, bytes: back } = await repaired(damaged)
      expect(report.verdict, `length at ${at}`).toBe('repaired')
      expect(back, `length at ${at}`).toEqual(bytes)
    }
  })

  it('whose screen is higher than its frame and that was hit elsewhere may have been hit there, too', async () => {
    const damaged = fixture('still').slice(0, -1)
    expect((await repaired(damaged)).report.verdict).toBe('repaired')
    damaged[9] ^= 1
    expect(doubts((await repaired(damaged)).report)).toEqual(['size'])
  })

  it('cut within its data keeps them, and tells which rectangle is gone', async () => {
    const damaged = truncated(bytes, 0.7)
    const { report, bytes: back } = await repaired(damaged)
    expect(doubts(report)).toEqual(['areas-lost'])
    expect(back.subarray(0, FRONT + 11)).toEqual(bytes.subarray(0, FRONT + 11))
    const [{ recovered, lost, areas }] = report.pictures
    expect(recovered).toBeGreaterThan(30)
    expect(recovered + lost).toBe(54)
    expect(areas.length).toBeGreaterThan(0)
  })

  it('without its colours gets those of a sample, else shades of grey, and that is a doubt', async () => {
    const damaged = Uint8Array.from(bytes).fill(0, 13, FRONT)
    const lent = await repaired(damaged, bytes)
    expect(lent.bytes).toEqual(bytes)
    expect(doubts(lent.report)).toEqual(['colour'])
    const grey = await repaired(damaged)
    expect(doubts(grey.report)).toEqual(['colour'])
    expect(grey.bytes.subarray(FRONT)).toEqual(bytes.subarray(FRONT))
    expect([...grey.bytes.subarray(FRONT - 3, FRONT)]).toEqual([255, 255, 255])
  })

  it('of a size that its few bytes cannot hold costs no memory', async () => {
    const damaged = Uint8Array.from(bytes).fill(0xff, FRONT + 5, FRONT + 9)
    expect((await repaired(damaged)).report.verdict).toBe('unrepairable')
  })
})

describe('a picture without colours', () => {
  it('that says so is healthy: viewers have some of their own', async () => {
    const bytes = fixture('still')
    const bare = new Uint8Array(bytes.length - 64 * 3)
    bare.set(bytes.subarray(0, 13))
    bare.set(bytes.subarray(FRONT), 13)
    bare[10] &= 0x7f
    expect((await repaired(bare)).report.verdict).toBe('healthy')
  })
})

describe('an animation', () => {
  const bytes = fixture('animation')

  it('keeps the frames in front of where it breaks off bit for bit, and doubts how many there were', async () => {
    const { report, bytes: back } = await repaired(truncated(bytes, 0.85))
    expect(doubts(report)).toContain('frames')
    expect(back.subarray(0, 1200)).toEqual(bytes.subarray(0, 1200))
  })
})

describe('a frame that breaks off', () => {
  it('leaves what it would have covered to be seen', async () => {
    const bytes = fixture('animation')
    const second = descriptors(bytes)[1]
    const { report, bytes: back } = await repaired(
      bytes.subarray(0, Math.floor((second.data + second.end) / 2)),
    )
    const height = back[second.offset + 7]
    expect(height).toBeLessThan(bytes[second.offset + 7])
    expect(report.pictures[1]).toMatchObject({ total: bytes[second.offset + 7] })
    expect(report.pictures[1].recovered + report.pictures[1].estimated).toBeLessThanOrEqual(height)
    expect(doubts(report)).toContain('areas-lost')
  })

  it('is blank in the colour that its control names as transparent, with a comment between them', async () => {
    const still = fixture('still')
    const control = [0x21, 0xf9, 4, 1, 0, 0, 5, 0]
    const comment = [0x21, 0xfe, 1, 0x61, 0]
    const bytes = Uint8Array.from([
      ...still.subarray(0, FRONT),
      ...control,
      ...comment,
      ...still.subarray(FRONT),
    ])
    const { bytes: back } = await repaired(truncated(bytes, 0.5))
    const [{ offset, data }] = descriptors(back)
    const pixels = new Uint8Array(back[offset + 5] * back[offset + 7])
    readGifLzw(streamOf(back, readChain(back, data).segments), back[data - 1], pixels.length, pixels)
    expect(pixels.at(-1)).toBe(5)
  })

  it('is read up to where it was hit, though its encoder gave each sub-block another length', async () => {
    const still = fixture('still')
    const [{ data }] = descriptors(still)
    const chain = readChain(still, data)
    const stream = streamOf(still, chain.segments)
    const lengths: number[] = []
    for (let at = 0; at < stream.length; at += lengths.at(-1) ?? 0)
      lengths.push(Math.min(stream.length - at, 30 + ((lengths.length * 37) % 60)))
    let from = 0
    const blocks = lengths.flatMap((length) => {
      from += length
      return [length, ...stream.subarray(from - length, from)]
    })
    const bytes = Uint8Array.from([...still.subarray(0, data), ...blocks, 0, 0x3b])
    expect((await repaired(bytes)).report.verdict).toBe('healthy')
    const at = data + Math.floor(0.6 * blocks.length)
    bytes.fill(0, at, at + 40)
    const [{ recovered, total }] = (await repaired(bytes)).report.pictures
    expect(recovered / total).toBeGreaterThan(0.4)
  })

  it('is blank in the colour that most of it has where none is transparent', async () => {
    const { bytes: back } = await repaired(truncated(fixture('still'), 0.3))
    const [{ offset, data }] = descriptors(back)
    const pixels = new Uint8Array(back[offset + 5] * back[offset + 7])
    readGifLzw(streamOf(back, readChain(back, data).segments), back[data - 1], pixels.length, pixels)
    const blank = pixels.at(-1) ?? 0
    const counts = Array.from(
      { length: 256 },
      (_, colour) => pixels.subarray(0, pixels.length / 8).filter((pixel) => pixel === colour).length,
    )
    expect(counts[blank]).toBeGreaterThan(Math.max(...counts) / 2)
  })
})
