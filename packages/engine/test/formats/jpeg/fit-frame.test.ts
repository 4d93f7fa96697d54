import { describe, expect, it } from 'vitest'
import { MemorySink } from '../../../src/bytes/sink.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { entropyData, offsetOf } from '../../../src/codecs/jpeg/entropy-data.ts'
import { STANDARD_HUFFMAN } from '../../../src/codecs/jpeg/standard-tables.ts'
import { HuffmanTables } from '../../../src/codecs/jpeg/tables.ts'
import { repair } from '../../../src/engine.ts'
import { fitFrame, type SizeHint } from '../../../src/photo/frame/fit-frame.ts'
import { walkSegments } from '../../../src/syntax/jpeg-markers/segments.ts'
import { drawPicture } from '../../../testing/photos/draw.ts'
import { writePhoto } from '../../../testing/photos/write-photo.ts'

const PLAIN = { sampling: [2, 2], quality: 90, interval: 0 } as const
const SOS = 0xda

/** Where the data of a photo's scan begin. */
function scanOf(photo: Uint8Array): number {
  const segment = walkSegments(photo, 0).find(({ marker }) => marker === SOS)
  if (!segment) throw new Error('no scan header')
  return segment.end
}

describe('a frame fitted to a scan', () => {
  it.each([
    [2, 1, '4:2:2'],
    [1, 2, '4:4:0'],
    [2, 2, '4:2:0'],
    [4, 1, '4:1:1'],
  ] as const)(
    'has its blocks of luminance %i across and %i down where they continue each other',
    async (h, v, name) => {
      const photo = writePhoto(drawPicture(640, 400, 3), { ...PLAIN, sampling: [h, v] })
      const source = new MemorySource(photo.subarray(scanOf(photo)))
      const report = await repair({ damaged: { source, name: 'photo.jpg' }, sink: new MemorySink() })
      if (report.kind !== 'photo') throw new Error('not taken for a photo')
      expect(report.pictures[0].layout).toBe(`${name}, baseline`)
    },
  )

  const tables = new HuffmanTables()
  tables.define(STANDARD_HUFFMAN)
  const tablesOf = (component: number) => {
    const dc = tables.decoding(0, Math.min(component, 1))
    const ac = tables.decoding(1, Math.min(component, 1))
    return dc && ac ? { dc, ac } : undefined
  }
  const fitted = (photo: Uint8Array, hints: readonly SizeHint[]) => {
    const data = entropyData(photo, scanOf(photo), photo.length - 2, () => false)
    return fitFrame(data, tablesOf, hints, undefined)
  }
  const photo = writePhoto(drawPicture(640, 400, 3), { ...PLAIN, sampling: [1, 1] })
  const size = { width: 640, height: 400 }

  it('takes the one of two sizes of as many MCUs whose rows continue each other', () => {
    expect(fitted(photo, [{ width: 400, height: 640 }, size])).toMatchObject({ ...size, confirmed: true })
  })

  it('is not confirmed where two sizes have the same MCUs', () => {
    expect(fitted(photo, [size, { width: 640, height: 396 }])?.confirmed).toBe(false)
  })

  it('is not confirmed where nothing tells whether blocks stand side by side or above each other', () => {
    const pixels = new Uint8Array(640 * 400 * 3).fill(90)
    const even = writePhoto({ width: 640, height: 400, pixels }, { ...PLAIN, sampling: [2, 1] })
    expect(fitted(even, [size])).toMatchObject({ ...size, hinted: true, confirmed: false })
  })

  it.each([
    ['and tells where those begin', true],
    ['and leaves the size open where none is told', false],
  ])('passes over what stands in front of the data %s', (_, told) => {
    const foreign = Uint8Array.from({ length: 300 }, (_, i) => (i * 89 + (i >> 3) * 57) & 0x7f)
    const scan = photo.subarray(scanOf(photo), photo.length - 2)
    const bytes = Uint8Array.from([...foreign, ...scan])
    const data = entropyData(bytes, 0, bytes.length, () => false)
    const found = fitFrame(data, tablesOf, told ? [size] : [], undefined)
    expect(found).toMatchObject({ hinted: told, confirmed: false, width: 640 })
    if (found) expect(offsetOf(bytes, 0, found.start)).toBe(foreign.length)
  })
})
