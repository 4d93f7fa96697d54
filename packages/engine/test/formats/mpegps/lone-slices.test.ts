import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { MemorySink } from '../../../src/bytes/sink.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { isOfAnother } from '../../../src/codecs/mpeg12/picture-progress.ts'
import { nextCode } from '../../../src/codecs/mpeg12/start-codes.ts'
import { repair } from '../../../src/engine.ts'
import type { Item } from '../../../src/formats/mpegps/read/item.ts'
import { itemsOf } from '../../../src/formats/mpegps/recipes.ts'
import { FIXTURES } from '../../../testing/contract/fixtures.ts'

const VIDEO = 0xe0
const PICTURE = 0x00
const LAST_SLICE = 0xaf
const FINDING = 'mpegps.lone-slices'
const FILES = ['mpg-mpeg2-mp2.mpg', 'vob-mpeg2-ac3.mpg'] as const

const payload = (bytes: Uint8Array, { offset, length, header }: Item): Uint8Array =>
  bytes.subarray(offset + (header?.headerLength ?? 0), offset + length)

/** The start code values of pictures and slices in a stream, in their order. */
function codesOf(stream: Uint8Array): number[] {
  const codes: number[] = []
  for (let at = nextCode(stream, 0); at + 3 < stream.length; at = nextCode(stream, at + 3))
    if (stream[at + 3] <= LAST_SLICE) codes.push(stream[at + 3])
  return codes
}

const videoOf = (bytes: Uint8Array): Uint8Array =>
  new Uint8Array(
    Buffer.concat(
      itemsOf(bytes)
        .filter(({ code }) => code === VIDEO)
        .map((item) => payload(bytes, item)),
    ),
  )

/** Where the rows of slices go back though no picture begins. */
const backward = (codes: readonly number[]): number[] =>
  codes.filter((code, i) => code !== PICTURE && i > 0 && code < codes[i - 1])

async function repaired(bytes: Uint8Array): Promise<{ codes: string[]; bytes: Uint8Array }> {
  const sink = new MemorySink()
  const report = await repair({ damaged: { source: new MemorySource(bytes), name: 'damaged.mpg' }, sink })
  return { codes: report.findings.map(({ code }) => code), bytes: sink.bytes().slice() }
}

function zeroed(bytes: Uint8Array, { offset, length }: Item): Uint8Array {
  const damaged = new Uint8Array(bytes)
  return damaged.fill(0, offset, offset + length)
}

describe.each(FILES)('behind a hole in the pictures of %s', (name) => {
  const whole = new Uint8Array(readFileSync(`${FIXTURES}/mpegps/${name}`))
  const packets = itemsOf(whole).filter(({ code }) => code === VIDEO)
  const inside = packets.map((item) => codesOf(payload(whole, item)))
  /** A packet with the end of a picture and the beginning of one that goes on in the next packet. */
  const border = inside.findIndex((codes, i) => {
    const begins = codes.indexOf(PICTURE)
    const next = inside[i + 1]?.[0] ?? PICTURE
    const inFront = inside[i - 1]?.at(-1) ?? 0
    return begins > 0 && begins === codes.lastIndexOf(PICTURE) && next !== PICTURE && next < inFront
  })
  /** One with slices of a single picture alone, as those around it. */
  const middle = inside.findIndex(
    (_, i) => i > 0 && [i - 1, i, i + 1].every((k) => inside[k]?.length > 0 && !inside[k].includes(PICTURE)),
  )

  it('slices of a picture whose header is gone are no more of the picture in front', async () => {
    expect(border).toBeGreaterThan(0)
    const damaged = zeroed(whole, packets[border])
    expect(backward(codesOf(videoOf(damaged)))).not.toEqual([])
    const { codes, bytes } = await repaired(damaged)
    expect(codes).toContain(FINDING)
    expect(backward(codesOf(videoOf(bytes)))).toEqual([])
    expect(codesOf(videoOf(bytes)).filter((code) => code === PICTURE)).toHaveLength(
      codesOf(videoOf(damaged)).filter((code) => code === PICTURE).length,
    )
  })

  it('slices that the picture in front can have stay', async () => {
    expect(middle).toBeGreaterThan(0)
    const damaged = zeroed(whole, packets[middle])
    const { codes, bytes } = await repaired(damaged)
    expect(codes).not.toContain(FINDING)
    expect(Buffer.from(videoOf(bytes)).equals(Buffer.from(videoOf(damaged)))).toBe(true)
  })
})

describe('slices behind a hole', () => {
  const front = { isKnown: true, row: 9, columns: 20, rows: 12 }
  it.each([
    { row: 8, reached: -1, another: true },
    { row: 9, reached: -1, another: false },
    { row: 10, reached: -1, another: false },
    { row: 9, reached: 175, another: false },
    { row: 9, reached: 179, another: true },
    { row: 10, reached: 179, another: false },
    { row: 12, reached: 239, another: true },
    { row: 0, reached: 238, another: false },
    { row: 0, reached: 239, another: true },
  ])('in row $row behind one that reaches $reached are of another picture: $another', (slices) => {
    expect(isOfAnother(slices.row, { ...front, reached: slices.reached })).toBe(slices.another)
  })
})
