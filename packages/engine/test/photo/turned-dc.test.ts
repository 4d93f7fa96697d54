import { beforeAll, describe, expect, it } from 'vitest'
import { entropyData } from '../../src/codecs/jpeg/entropy-data.ts'
import { McuReader } from '../../src/codecs/jpeg/mcu-reader.ts'
import { readPicture } from '../../src/formats/jpeg/read/read-picture.ts'
import { changesOf } from '../../src/photo/dc-changes.ts'
import { edgeMeans } from '../../src/photo/edge-means.ts'
import { StreamReader } from '../../src/photo/read-stream.ts'
import { turnedDc } from '../../src/photo/turned-dc.ts'
import { drawPicture } from '../../testing/photos/draw.ts'
import { type PhotoCoefficients, readPhoto } from '../../testing/photos/read-photo.ts'
import { writePhoto } from '../../testing/photos/write-photo.ts'

const BLOCK = 8

let bytes: Uint8Array
let photo: PhotoCoefficients

beforeAll(() => {
  bytes = writePhoto(drawPicture(640, 400, 8), { sampling: [2, 1], quality: 92, interval: 0 })
  const read = readPhoto(bytes)
  if (!read) throw new Error('the drawn photo cannot be read')
  photo = read
})

/** The photo's scan, read with bits `turned` in its data. */
function scanWith(turned: readonly number[]) {
  const { layout, quantisation } = photo
  const picture = readPicture(bytes, 0)
  if (!picture) throw new Error('the drawn photo cannot be read')
  const [scan] = picture.scans
  const coding = scan.header.components.map(({ dc, ac }) => ({
    dc: scan.tables.decoding(0, dc),
    ac: scan.tables.decoding(1, ac),
  }))
  const tables = Array.from(layout.componentOf, (component) => {
    const { dc, ac } = coding[component]
    if (!dc || !ac) throw new Error('the drawn photo has no such table')
    return { dc, ac }
  })
  const data = entropyData(bytes, scan.start, scan.end, () => false)
  for (const bit of turned) data.bytes[bit >> 3] ^= 0x80 >> (bit & 7)
  const reader = new McuReader(data.bytes, data.length, tables)
  const stream = new StreamReader(data, reader, layout, 0, quantisation).read()
  expect(stream.count).toBe(layout.mcuCount)
  const means = layout.components.map((_, i) =>
    edgeMeans(stream.coefficients, stream.count, layout, i, quantisation[i]),
  )
  return { ...stream, reader, layout, quantisation, means }
}

/** What a preview shows of each MCU: the photo's own means, blurred along rows and a little brighter. */
function shown() {
  const { layout, quantisation, coefficients } = photo
  const planes = layout.components.map(({ h, v, firstBlock }, component) => {
    const own = Float32Array.from({ length: layout.mcuCount }, (_, mcu) => {
      let sum = 0
      for (let block = firstBlock; block < firstBlock + h * v; block++)
        sum += coefficients[mcu * layout.mcuLength + block * BLOCK * BLOCK]
      return (sum / (h * v)) * (quantisation[component][0] / BLOCK)
    })
    return own.map((value, mcu) => (value + (own[mcu - 1] ?? value)) / 2 + 3)
  })
  return { planes, rowsOfSample: 1 }
}

/** Bits that look turned in a scan of which those were. */
function found(turned: readonly number[], preview: boolean) {
  const scan = scanWith(turned)
  const source = Int32Array.from({ length: scan.count }, (_, i) => i)
  const sections = [{ first: 0, count: scan.count, known: true, place: 0, dc: new Int32Array(3) }]
  return turnedDc({ ...scan, source, sections }, preview ? shown() : undefined)
}

/** The first luminance bit from an MCU on that changes DC by so many levels or more, up to twice as many. */
function bitNear(mcu: number, levels: number) {
  const scan = scanWith([])
  const unit = photo.quantisation[0][0] / BLOCK
  for (let at = mcu; at < scan.count; at++) {
    const fit = changesOf(scan, at, 0).find(({ change }) => {
      const size = Math.abs(change * unit)
      return size >= levels && size < 2 * levels
    })
    if (fit) return { ...fit, mcu: at }
  }
  throw new Error('the drawn photo has no such bit')
}

describe('a bit within a difference of DC', () => {
  it('shows by the row behind it and the preview', () => {
    const bits = [430, 945, 1_500].map((mcu) => bitNear(mcu, 3))
    const all = found(
      bits.map(({ bit }) => bit),
      true,
    )
    all.sort((a, b) => a.mcu - b.mcu)
    expect(all.map(({ mcu }) => mcu).length).toBe(bits.length)
    bits.forEach(({ mcu, change }, i) => {
      expect(Math.abs(all[i].mcu - mcu)).toBeLessThan(6)
      const left = ((all[i].change + change) * photo.quantisation[0][0]) / BLOCK
      expect(Math.abs(left)).toBeLessThan(1)
    })
  })

  it('is seen without a preview where it changes much', () => {
    const { bit, mcu } = bitNear(945, 8)
    const [first] = found([bit], false)
    expect(Math.abs(first.mcu - mcu)).toBeLessThan(6)
  })

  it('is seen nowhere in a scan that is as it was', () => {
    expect(found([], true)).toEqual([])
    expect(found([], false)).toEqual([])
  })
})
