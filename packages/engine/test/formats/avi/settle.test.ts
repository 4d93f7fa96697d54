import { expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../../src/bytes/limits.ts'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { avi } from '../../../src/formats/avi/index.ts'
import { settle } from '../../../src/formats/avi/mend/settle.ts'
import { ChunkTable, DAMAGED, LOST, REWRITTEN } from '../../../src/formats/avi/read/chunk-table.ts'
import { readFile } from '../../../src/formats/avi/read/file.ts'
import type { AviStream } from '../../../src/formats/avi/read/stream.ts'
import { walk } from '../../../src/formats/avi/read/walk.ts'
import { SILENT } from '../../../src/model/monitor.ts'
import { fixturesOf } from '../../../testing/contract/fixtures.ts'

it.each([
  ['pcm', 1, [996]],
  ['adpcm', 4, [996]],
  ['adpcm', 1, []],
  ['mp3', 0, []],
])(
  'of sound in %s in units of %i that the end of the file cuts off so many bytes stay: %j',
  async (codec, unit, sizes) => {
    const [{ bytes }] = fixturesOf(avi)
    const { header } = await readFile(new ByteReader(new MemorySource(bytes)), DEFAULT_LIMITS, SILENT)
    const streams = (header?.streams ?? []).map(
      (stream): AviStream => ({
        ...stream,
        description: { ...stream.description, codec },
        header: { ...stream.header, sampleSize: unit },
        ...(stream.wave ? { wave: { ...stream.wave, blockAlign: 4 } } : {}),
      }),
    )
    const reader = new ByteReader(new MemorySource(new Uint8Array(2000).fill(7)))
    const chunks = new ChunkTable(10)
    chunks.push(1001, 999, 0x62773130, 1, DAMAGED | REWRITTEN)
    const matched = { chunks, agreed: 0, differing: 0, unnamed: 0, missing: 0, behind: 0, isOpen: false }
    const options = { losses: new Map(), drop: false, dataFrom: 0, dataUntil: 2000 }
    const settled = await settle(reader, matched, [], streams, options, DEFAULT_LIMITS, SILENT)
    expect([...settled.chunks.size.subarray(0, settled.chunks.length)]).toEqual(sizes)
  },
)

it('plain sound that a torn chunk lacks beside others of one size is silent, so that it keeps its time', async () => {
  const [{ bytes }] = fixturesOf(avi)
  const { header } = await readFile(new ByteReader(new MemorySource(bytes)), DEFAULT_LIMITS, SILENT)
  const streams = (header?.streams ?? []).map(
    (stream): AviStream => ({
      ...stream,
      description: { ...stream.description, codec: 'pcm' },
      ...(stream.wave ? { wave: { ...stream.wave, blockAlign: 2 } } : {}),
    }),
  )
  const data = new Uint8Array(3000).fill(7)
  new DataView(data.buffer).setUint32(1496, 400, true)
  const chunks = new ChunkTable(10)
  chunks.push(1008, 400, 0x62773130, 1, 0)
  chunks.push(1500, 300, 0x62773130, 1, DAMAGED | REWRITTEN)
  chunks.push(1808, 400, 0x62773130, 1, 0)
  const matched = { chunks, agreed: 0, differing: 0, unnamed: 0, missing: 0, behind: 0, isOpen: false }
  const options = { losses: new Map(), drop: false, dataFrom: 0, dataUntil: 3000 }
  const reader = new ByteReader(new MemorySource(data))
  const settled = await settle(reader, matched, [], streams, options, DEFAULT_LIMITS, SILENT)
  expect([...settled.chunks.size.subarray(0, settled.chunks.length)]).toEqual([400, 300, 100, 400])
})

it.each([
  ['torn predicted', 0x40, DAMAGED | REWRITTEN, 0, true],
  ['torn key', 0x00, DAMAGED | REWRITTEN, 0, false],
  ['predicted one with a hole in a', 0x40, 0, 600, true],
  ['key one with a hole in a', 0x00, 0, 600, false],
  ['whole predicted', 0x40, 0, 0, false],
])(
  'a %s picture of a codec whose bits are not read is left out: %#',
  async (_, first, flags, zeros, left) => {
    const [{ bytes }] = fixturesOf(avi)
    const { header } = await readFile(new ByteReader(new MemorySource(bytes)), DEFAULT_LIMITS, SILENT)
    const streams = (header?.streams ?? []).map((stream): AviStream => {
      const codec = stream.description.kind === 'video' ? 'msmpeg4v3' : stream.description.codec
      return { ...stream, description: { ...stream.description, codec } }
    })
    const data = new Uint8Array(3000).fill(7).fill(first, 1000, 1001)
    const reader = new ByteReader(new MemorySource(data.fill(0, 1100, 1100 + zeros)))
    const chunks = new ChunkTable(10)
    chunks.push(1000, 900, 0x63643030, 0, flags)
    const matched = { chunks, agreed: 0, differing: 0, unnamed: 0, missing: 0, behind: 0, isOpen: false }
    const options = { losses: new Map(), drop: false, dataFrom: 0, dataUntil: 3000 }
    const settled = await settle(reader, matched, [], streams, options, DEFAULT_LIMITS, SILENT)
    expect(settled.chunks.length).toBe(1)
    expect((settled.chunks.flags[0] & LOST) !== 0).toBe(left)
  },
)

it('a chunk of the usual size that lacks bytes has none that a turned bit made', async () => {
  const sound = (size: number, there = size): number[] => [
    ...Buffer.from('01wb'),
    ...[size & 255, size >> 8, 0, 0],
    ...Array.from({ length: there }, (_, i) => (i * 37 + 11) & 255),
  ]
  const chunks = [
    sound(1024),
    sound(1024),
    sound(1024),
    sound(1024),
    sound(1024),
    sound(1024, 512),
    sound(1024),
  ]
  const data = Uint8Array.from([...chunks.flat(), ...sound(1024), ...sound(1024)])
  const { chunks: found } = await walk(
    new ByteReader(new MemorySource(data)),
    0,
    ['vids', 'auds'],
    DEFAULT_LIMITS,
    SILENT,
  )
  expect(found.length).toBe(9)
  expect(found.flags[5] & DAMAGED).toBe(DAMAGED)
})
