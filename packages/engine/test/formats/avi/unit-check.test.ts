import { expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../../src/bytes/limits.ts'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { avi } from '../../../src/formats/avi/index.ts'
import { UnitCheck } from '../../../src/formats/avi/mend/unit-check.ts'
import { readFile } from '../../../src/formats/avi/read/file.ts'
import type { AviStream } from '../../../src/formats/avi/read/stream.ts'
import { SILENT } from '../../../src/model/monitor.ts'
import { fixturesOf } from '../../../testing/contract/fixtures.ts'
import { adtsFrames } from './support/adts-frames.ts'

const reader = new ByteReader(new MemorySource(new Uint8Array(4096).fill(7)))

function check(codec: string, blockAlign: number): UnitCheck {
  const stream = { description: { codec, kind: 'audio' }, wave: { blockAlign } }
  return new UnitCheck(reader, stream as AviStream)
}

it.each([
  ['whole blocks of', 'adpcm_ms', 512, true, 'hit'],
  ['a part of a block of', 'adpcm_ms', 300, true, 'none'],
  ['a part of a block, with nothing missing, of', 'adpcm_ms', 300, false, 'whole'],
  ['a part of a sample of plain sound:', 'pcm', 301, true, 'hit'],
])('what is left of a torn chunk: %s %s in %d bytes', (_, codec, size, torn, state) => {
  expect(check(codec, 256).state(100, size, torn)).toBe(state)
})

it('frames of AAC without a configuration have headers of their own', () => {
  const stream = { description: { codec: 'aac', kind: 'audio', config: new Uint8Array(0) } }
  const source = new ByteReader(new MemorySource(adtsFrames([40, 60])))
  const own = new UnitCheck(source, stream as AviStream)
  expect([own.state(0, 40), own.state(40, 60), own.state(0, 100), own.state(0, 70)]).toEqual([
    ...['whole', 'whole', 'whole', 'hit'],
  ])
})

it.each([
  ['beginning', 0, 'none'],
  ['end', 450, 'hit'],
])(
  'a picture whose %s lies in zeros that go on behind it is kept where it can be decoded',
  async (_, from, state) => {
    const [, { bytes }] = fixturesOf(avi)
    const { header, walk } = await readFile(new ByteReader(new MemorySource(bytes)), DEFAULT_LIMITS, SILENT)
    const [stream] = header?.streams ?? []
    const start = walk.chunks.offset[walk.chunks.stream.indexOf(0)]
    const data = new Uint8Array(600)
    data.set(bytes.subarray(start, start + 500))
    data.fill(0, from, from + 50).fill(0, 450)
    const own = new UnitCheck(new ByteReader(new MemorySource(data)), stream)
    expect(own.state(0, 500)).toBe(state)
  },
)
