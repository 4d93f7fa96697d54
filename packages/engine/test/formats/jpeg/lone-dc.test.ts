import { expect, it } from 'vitest'
import { BitSink } from '../../../src/codecs/jpeg/bit-sink.ts'
import { UNQUANTISED } from '../../../src/codecs/jpeg/dct.ts'
import { encodingTable } from '../../../src/codecs/jpeg/huffman-table.ts'
import { BLOCK_COEFFICIENTS, McuLayout } from '../../../src/codecs/jpeg/mcu-layout.ts'
import { fillDc, mcusOf } from '../../../src/photo/progressive/component-plane.ts'
import { writeFrame } from '../../../src/syntax/jpeg-markers/frame.ts'
import { writeHuffman } from '../../../src/syntax/jpeg-markers/huffman.ts'
import { DHT, DQT, EOI, SOF2, SOI, SOS } from '../../../src/syntax/jpeg-markers/markers.ts'
import { writeQuantisation } from '../../../src/syntax/jpeg-markers/quantisation.ts'
import { writeScanHeader } from '../../../src/syntax/jpeg-markers/scan-header.ts'
import { writeSegment } from '../../../src/syntax/jpeg-markers/segments.ts'
import { readPhoto } from '../../../testing/photos/read-photo.ts'
import { repairPhoto } from '../../../testing/photos/repair-photo.ts'
import { waves } from '../../../testing/photos/waves.ts'
import { AC, DC } from './progressive-scans.ts'

const [WIDTH, HEIGHT] = [640, 480]
const COMPONENTS = [
  { id: 1, h: 2, v: 2, table: 0 },
  { id: 2, h: 1, v: 1, table: 0 },
  { id: 3, h: 1, v: 1, table: 0 },
]
const LAST = 63
/** Multiples of DC that make a level. */
const NEAR = 8
/** Blocks of each component, one behind the other. */
const PLANES = COMPONENTS.map(({ h, v }, index) => {
  const layout = new McuLayout((WIDTH * h) / 2, (HEIGHT * v) / 2, [{ id: 1, h: 1, v: 1, table: 0 }])
  return waves(layout, 8 + index, { count: 6, shortest: 40, longest: 160, height: 8 })
})

/** A scan of a component alone: of DC or of all AC coefficients, each block with an end of its own. */
function scanOf(plane: Int16Array, isDc: boolean): Uint8Array {
  const { codes, lengths } = encodingTable(isDc ? DC : AC)
  const sink = new BitSink(1 << 18)
  const put = (run: number, value: number): void => {
    const size = value === 0 ? 0 : 32 - Math.clz32(Math.abs(value))
    sink.put(codes[(run << 4) | size], lengths[(run << 4) | size])
    sink.put(value < 0 ? value - 1 : value, size)
  }
  let level = 0
  for (let at = 0; at < plane.length; at += BLOCK_COEFFICIENTS) {
    if (isDc) {
      put(0, plane[at] - level)
      level = plane[at]
      continue
    }
    let run = 0
    for (let i = 1; i <= LAST; i++) {
      if (plane[at + i] === 0) run++
      else {
        for (; run > 15; run -= 16) put(15, 0)
        put(run, plane[at + i])
        run = 0
      }
    }
    if (run > 0) put(0, 0)
  }
  return sink.bytes()
}

/** A photo whose scans are of one component each, those of DC first; and where those begin and end. */
function photo(): { readonly bytes: Uint8Array; readonly scans: readonly (readonly [number, number])[] } {
  const parts: Uint8Array[] = [
    Uint8Array.of(0xff, SOI),
    writeSegment(DQT, writeQuantisation([{ id: 0, width: 1, values: Uint16Array.from(UNQUANTISED) }])),
    writeSegment(
      SOF2,
      writeFrame({ marker: SOF2, precision: 8, width: WIDTH, height: HEIGHT, components: COMPONENTS }),
    ),
    writeSegment(DHT, writeHuffman([DC, AC])),
  ]
  const scans: [number, number][] = []
  for (const isDc of [true, false]) {
    COMPONENTS.forEach(({ id }, index) => {
      const band = isDc ? { first: 0, last: 0 } : { first: 1, last: LAST }
      parts.push(
        writeSegment(SOS, writeScanHeader({ components: [{ id, dc: 0, ac: 0 }], ...band, high: 0, low: 0 })),
      )
      const from = parts.reduce((sum, { length }) => sum + length, 0)
      const scan = scanOf(PLANES[index], isDc)
      parts.push(scan)
      if (isDc) scans.push([from, from + scan.length])
    })
  }
  return { bytes: Uint8Array.from(Buffer.concat([...parts, Uint8Array.of(0xff, EOI)])), scans }
}

/** Shares of each component's blocks whose level differs from that of the block before as it did. */
function rightSteps(bytes: Uint8Array): number[] {
  const read = readPhoto(bytes)
  if (!read) throw new Error('no photo')
  const { layout, coefficients } = read
  return layout.components.map((component, index) => {
    const { blocksWide, blocksHigh } = component
    const level = (block: number): number =>
      coefficients[layout.blockOffset(component, block % blocksWide, Math.floor(block / blocksWide))]
    const wanted = (block: number): number => PLANES[index][block * BLOCK_COEFFICIENTS]
    let right = 0
    for (let block = 1; block < blocksWide * blocksHigh; block++)
      if (Math.abs(level(block) - level(block - 1) - wanted(block) + wanted(block - 1)) <= NEAR) right++
    return right / (blocksWide * blocksHigh - 1)
  })
}

it('a photo of scans of single components is healthy', async () => {
  const { bytes } = photo()
  expect((await repairPhoto(bytes, 'jpg')).report.verdict).toBe('healthy')
  expect(rightSteps(bytes)).toEqual([1, 1, 1])
})

it.each([0, 1, 2])(
  'DC that was overwritten in a scan of component %i alone goes on behind it',
  async (index) => {
    const { bytes, scans } = photo()
    const [from, to] = scans[index]
    const middle = Math.floor((from + to) / 2)
    const damaged = bytes.slice().fill(0, middle, middle + 20)
    const repaired = await repairPhoto(damaged, 'jpg')
    expect(repaired.report.verdict).toBe('partial')
    const right = rightSteps(repaired.bytes)
    expect(Math.min(...right)).toBeGreaterThan(0.9)
  },
)

it('DC of chrominance that is missing is filled in from above and below, or from beside where a column has none', () => {
  const layout = new McuLayout(24, 24, [{ id: 1, h: 1, v: 1, table: 0 }])
  const plane = new Int16Array(layout.mcuCount * BLOCK_COEFFICIENTS)
  const levels = [10, 0, 30, 0, 0, 0, 30, 0, 70]
  const missing = Uint8Array.from(levels, (level) => (level === 0 ? 1 : 0))
  levels.forEach((level, block) => {
    plane[block * BLOCK_COEFFICIENTS] = level
  })
  fillDc(plane, missing, layout)
  expect(levels.map((_, block) => plane[block * BLOCK_COEFFICIENTS])).toEqual([
    10, 20, 30, 20, 35, 50, 30, 50, 70,
  ])
  expect(missing[4]).toBe(1)
})

it('blocks of a component are those of the MCUs that hold them', () => {
  const layout = new McuLayout(40, 24, COMPONENTS)
  const [luminance, chrominance] = layout.components
  expect([layout.mcuWide, luminance.blocksWide, chrominance.blocksWide]).toEqual([3, 5, 3])
  const marked = (blocks: number, ...which: readonly number[]) =>
    Uint8Array.from({ length: blocks }, (_, block) => (which.includes(block) ? 1 : 0))
  expect([...mcusOf(marked(15, 1, 4, 12), layout, 0)]).toEqual([1, 0, 1, 0, 1, 0])
  expect([...mcusOf(marked(6, 1, 3), layout, 1)]).toEqual([0, 1, 0, 1, 0, 0])
})
