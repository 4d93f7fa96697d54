import { expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../../src/bytes/limits.ts'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { avi } from '../../../src/formats/avi/index.ts'
import { settle } from '../../../src/formats/avi/mend/settle.ts'
import { ChunkTable, KEY, NAMED, SEEN } from '../../../src/formats/avi/read/chunk-table.ts'
import { readFile } from '../../../src/formats/avi/read/file.ts'
import { lookAt } from '../../../src/formats/avi/read/look.ts'
import type { AviStream } from '../../../src/formats/avi/read/stream.ts'
import { walk } from '../../../src/formats/avi/read/walk.ts'
import { SILENT } from '../../../src/model/monitor.ts'
import { fixturesOf } from '../../../testing/contract/fixtures.ts'

/** A picture's first byte, whose upper bits tell MS-MPEG4's kind. */
const FIRST = { key: 0x00, predicted: 0x40 }
const PICTURE = 0x63643030

async function streamsIn(codec: string): Promise<AviStream[]> {
  const [{ bytes }] = fixturesOf(avi)
  const { header } = await readFile(new ByteReader(new MemorySource(bytes)), DEFAULT_LIMITS, SILENT)
  return (header?.streams ?? []).map((stream) => ({
    ...stream,
    description: {
      ...stream.description,
      codec: stream.number === 0 ? codec : stream.description.codec,
    },
  }))
}

/** 2,000 bytes, a picture's from 1,000 on. */
function dataOf(first: number, zeros = 0): ByteReader {
  const data = new Uint8Array(2000).fill(7).fill(first, 1000, 1001)
  return new ByteReader(new MemorySource(data.fill(0, 1100, 1100 + zeros)))
}

it.each([
  ['a key', 'msmpeg4v3', FIRST.key, 0, 0, SEEN | KEY],
  ['a predicted one', 'msmpeg4v3', FIRST.predicted, 0, 0, SEEN],
  ['one with a hole in it', 'msmpeg4v3', FIRST.key, 600, 0, 0],
  ['raw pixels', 'rawvideo', FIRST.key, 0, 0, 0],
  ['sound', 'msmpeg4v3', FIRST.key, 0, 1, 0],
])('what is seen of a picture: %s', async (_, codec, first, zeros, stream, flags) => {
  expect(lookAt(dataOf(first, zeros), await streamsIn(codec)).flags(stream, 1000, 900)).toBe(flags)
})

it('a walk looks at whole chunks, with their places', async () => {
  const payload = Array.from({ length: 600 }, (_, i) => (i * 37 + 11) & 255)
  const chunk = [...Buffer.from('00dc'), 600 & 255, 600 >> 8, 0, 0, ...payload]
  const seen: (readonly number[])[] = []
  const data = Uint8Array.from([...chunk, ...chunk, ...chunk.slice(0, 400)])
  const { chunks } = await walk(new ByteReader(new MemorySource(data)), 0, ['vids'], DEFAULT_LIMITS, SILENT, {
    reads: () => true,
    flags: (...asked) => (seen.push(asked) === 1 ? SEEN | KEY : 0),
  })
  expect(seen).toEqual([
    [0, 8, 600],
    [0, 616, 600],
  ])
  expect([...chunks.flags.subarray(0, 3)].map((flags) => flags & (SEEN | KEY))).toEqual([SEEN | KEY, 0, 0])
})

it.each([
  ['as it was seen to be', SEEN | KEY, 0, FIRST.predicted, true],
  ['as the index says that was not hit', NAMED | KEY, 0, FIRST.predicted, true],
  [
    'as its bytes say where the index was hit, whatever was seen',
    NAMED | SEEN | KEY,
    1,
    FIRST.predicted,
    false,
  ],
  ['as its bytes say where nobody has looked', 0, 0, FIRST.key, true],
])('a picture is a key %s', async (_, flags, differing, first, isKey) => {
  const chunks = new ChunkTable(10)
  chunks.push(1000, 900, PICTURE, 0, flags)
  const matched = {
    chunks,
    agreed: flags & NAMED ? 1 : 0,
    differing,
    unnamed: 0,
    missing: 0,
    behind: 0,
    isOpen: false,
  }
  const options = { losses: new Map(), drop: false, dataFrom: 0, dataUntil: 2000 }
  const streams = await streamsIn('msmpeg4v3')
  const settled = await settle(dataOf(first), matched, [], streams, options, DEFAULT_LIMITS, SILENT)
  expect((settled.chunks.flags[0] & KEY) > 0).toBe(isKey)
})
