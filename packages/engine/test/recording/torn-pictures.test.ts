import { describe, expect, it } from 'vitest'
import type { PictureReading } from '../../src/codecs/picture-reading.ts'
import { SILENT } from '../../src/model/monitor.ts'
import { SampleTable } from '../../src/model/sample-table.ts'
import { tornPictures } from '../../src/recording/torn-pictures.ts'
import { readerOf } from '../../testing/video/replay.ts'

const P = 0
const B = 1
const I = 2

/** A picture each second; of each what reading it shows and the type of its slices. */
async function read(
  pictures: readonly (readonly [PictureReading, number])[],
  size = 10,
  isSelfContained = false,
  {
    most = Number.POSITIVE_INFINITY,
    ...description
  }: { most?: number; width?: number; height?: number } = {},
) {
  const table = new SampleTable(pictures.length)
  for (const [row] of pictures.entries()) {
    table.push(row * size, size, 1, 1, 0, 0)
    table.dts[row] = row
  }
  const waiting = [...pictures]
  const reader = {
    sliceType: -1,
    isSelfContained,
    read() {
      const [reading, type] = waiting.shift() ?? ['unread', -1]
      this.sliceType = type
      return reading
    },
  }
  const bytes = readerOf(new Uint8Array(pictures.length * size))
  const track = { samples: table, timescale: 1, pictures: reader, description }
  const { torn } = await tornPictures(bytes, track, most, SILENT)
  return torn.map(({ start, inside = false, weak }) => [start, weak ? 'where a decoder complains' : inside])
}

const many = (count: number, type: number): [PictureReading, number][] =>
  Array.from({ length: count }, () => ['whole', type])

describe('pictures that cannot be read to their ends', () => {
  it('were hit inside where their units make a picture and twice as many like them are whole', async () => {
    expect(await read([...many(9, P), ['torn', P], ['torn', P]])).toEqual([
      [9, true],
      [10, true],
    ])
  })

  it('were hit inside where a few are whole and no settings could be wrong', async () => {
    const few = many(2, P)
    expect(await read([...few, ['torn', P]], 10, true)).toEqual([[2, true]])
    expect(await read([...few, ['torn', P]])).toEqual([])
    expect(await read([...few, ['torn', P], ['torn', P]], 10, true)).toEqual([])
  })

  it('are not looked for behind as many bytes and samples as are read of a file', async () => {
    const pictures: [PictureReading, number][] = [...many(9, P), ['torn', P]]
    const size = { width: 64, height: 64 }
    expect(await read(pictures, 10, false, { most: 140, ...size })).toEqual([[9, true]])
    expect(await read(pictures, 10, false, { most: 139, ...size })).toEqual([])
  })

  it('may rest on wrong settings where most like them cannot be read, others can', async () => {
    const torn: [PictureReading, number][] = [
      ['torn', B],
      ['torn', B],
    ]
    expect(await read([...many(9, P), ...many(3, B), ...torn])).toEqual([
      [12, false],
      [13, false],
    ])
  })

  it('were hit inside where some like them are whole that are too large to be nothing but skips', async () => {
    const torn: [PictureReading, number][] = Array.from({ length: 8 }, () => ['torn', B])
    const told = async (whole: number, size: number) =>
      (await read([...many(16, P), ...many(whole, B), ...torn], size)).map(([, inside]) => inside)
    expect(await told(2, 256)).toEqual(torn.map(() => true))
    for (const [whole, size] of [
      [2, 255],
      [1, 256],
    ])
      expect(await told(whole, size)).toEqual(torn.map(() => false))
    const more: [PictureReading, number][] = [['torn', B], ...torn]
    const tooMany = await read([...many(16, P), ...many(2, B), ...more], 256)
    expect(tooMany.map(([, inside]) => inside)).toEqual(more.map(() => false))
  })

  it('were hit inside where they are the only ones without references', async () => {
    expect(await read([['torn', I], ...many(9, P)])).toEqual([[0, true]])
  })

  it('were hit inside where bytes show it that none may hold, whether or not others can be read', async () => {
    expect(
      await read([
        ['spoiled', P],
        ['unread', P],
        ['torn', P],
      ]),
    ).toEqual([[0, true]])
  })

  it('were hit inside where a decoder complains, too, if they have no references and as many others are whole', async () => {
    const torn = Array.from({ length: 9 }, (): [PictureReading, number] => ['torn', I])
    expect((await read([...many(9, I), ...torn])).map(([, told]) => told)).toEqual(
      torn.map(() => 'where a decoder complains'),
    )
    expect(await read([...many(8, I), ...torn])).toEqual([])
    expect(
      await read([...many(9, P), ...torn.map(([reading]): [PictureReading, number] => [reading, P])]),
    ).toEqual([])
  })

  it('may be put together of wrong parts where their units make no picture', async () => {
    expect(await read([...many(9, P), ['broken', P]])).toEqual([[9, false]])
  })
})
