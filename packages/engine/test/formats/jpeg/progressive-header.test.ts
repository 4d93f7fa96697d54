import { expect, it } from 'vitest'
import { MemorySink } from '../../../src/bytes/sink.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { BitSink } from '../../../src/codecs/jpeg/bit-sink.ts'
import { encodingTable } from '../../../src/codecs/jpeg/huffman-table.ts'
import { STANDARD_HUFFMAN } from '../../../src/codecs/jpeg/standard-tables.ts'
import { repair } from '../../../src/engine.ts'
import { scaledTable } from '../../../src/photo/frame/estimate-quantisation.ts'
import { writeFrame } from '../../../src/syntax/jpeg-markers/frame.ts'
import { writeHuffman } from '../../../src/syntax/jpeg-markers/huffman.ts'
import { COM, DHT, DQT, EOI, SOF2, SOI, SOS } from '../../../src/syntax/jpeg-markers/markers.ts'
import { writeQuantisation } from '../../../src/syntax/jpeg-markers/quantisation.ts'
import { type ScanHeader, writeScanHeader } from '../../../src/syntax/jpeg-markers/scan-header.ts'
import { writeSegment } from '../../../src/syntax/jpeg-markers/segments.ts'
import { randomFrom } from '../../../testing/hostile-sources.ts'
import { readPhoto } from '../../../testing/photos/read-photo.ts'

const [WIDTH, HEIGHT] = [800, 800]
const BLOCKS = (WIDTH / 8) * (HEIGHT / 8)
const [DC, AC] = STANDARD_HUFFMAN.map(encodingTable)

/** A grey picture: its DC without the lowest bit, that bit, and a coefficient of detail in each block. */
function scans(): readonly Uint8Array[] {
  const random = randomFrom(4)
  const [coarse, fine, detail] = [0, 0, 0].map(() => new BitSink(1 << 16))
  let [value, before] = [0, 0]
  for (let block = 0; block < BLOCKS; block++) {
    value = Math.max(-60, Math.min(60, value + Math.floor(31 * random()) - 15))
    const difference = (value >> 1) - before
    before = value >> 1
    const size = 32 - Math.clz32(Math.abs(difference))
    coarse.put(DC.codes[size], DC.lengths[size])
    if (size > 0) coarse.put(difference < 0 ? difference - 1 : difference, size)
    fine.put(value & 1, 1)
    detail.put(AC.codes[1], AC.lengths[1])
    detail.put(block & 1, 1)
    detail.put(AC.codes[0], AC.lengths[0])
  }
  return [coarse, fine, detail].map((sink) => sink.bytes())
}

const scan = (header: Omit<ScanHeader, 'components'>): Uint8Array =>
  writeSegment(SOS, writeScanHeader({ ...header, components: [{ id: 1, dc: 0, ac: 0 }] }))

function progressive(): { readonly bytes: Uint8Array; readonly first: number; readonly data: number } {
  const components = [{ id: 1, h: 1, v: 1, table: 0 }]
  const front = Buffer.concat([
    Uint8Array.of(0xff, SOI),
    writeSegment(DQT, writeQuantisation([{ id: 0, width: 1, values: scaledTable(0, 85) }])),
    writeSegment(SOF2, writeFrame({ marker: SOF2, precision: 8, width: WIDTH, height: HEIGHT, components })),
    writeSegment(DHT, writeHuffman(STANDARD_HUFFMAN.slice(0, 2))),
  ])
  const [coarse, fine, detail] = scans()
  const header = scan({ first: 0, last: 0, high: 0, low: 1 })
  const bytes = Buffer.concat([
    ...[front, header, coarse, scan({ first: 0, last: 0, high: 1, low: 0 }), fine],
    ...[scan({ first: 1, last: 63, high: 0, low: 0 }), detail, Uint8Array.of(0xff, EOI)],
  ])
  return { bytes: Uint8Array.from(bytes), first: front.length, data: front.length + header.length }
}

it.each([
  ['an empty table', [0xff, DHT, 0, 2]],
  ['a comment', [0xff, COM, 0, 3, 0]],
  ['a table it has already', [...writeSegment(DHT, writeHuffman(STANDARD_HUFFMAN.slice(0, 1)))]],
])('a progressive picture that has %s behind a scan is healthy', async (_, segment) => {
  const { bytes } = progressive()
  const second = bytes.lastIndexOf(SOS) - 1
  const behind = [second, bytes.length - 2]
  for (const at of behind) {
    const whole = Uint8Array.from([...bytes.subarray(0, at), ...segment, ...bytes.subarray(at)])
    const report = await repair({
      damaged: { source: new MemorySource(whole), name: 'photo.jpg' },
      sink: new MemorySink(),
    })
    expect(report.verdict).toBe('healthy')
  }
})

it('a progressive picture whose first scan lost its header has that scan’s data, and the bits that a further one tells of', async () => {
  const { bytes, first, data } = progressive()
  const sink = new MemorySink()
  const damaged = Uint8Array.from([...bytes.subarray(0, first), ...bytes.subarray(data)])
  await repair({ damaged: { source: new MemorySource(damaged), name: 'photo.jpg' }, sink })
  const [own, other] = [bytes, sink.bytes()].map((file) => readPhoto(file)?.coefficients)
  expect(own?.some((value) => value !== 0)).toBe(true)
  expect(other).toEqual(own)
})
