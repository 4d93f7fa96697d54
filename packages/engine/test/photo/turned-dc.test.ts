import { beforeAll, describe, expect, it } from 'vitest'
import { decodePreview } from '../../src/formats/jpeg/read/previews.ts'
import { readPicture } from '../../src/formats/jpeg/read/read-picture.ts'
import { Preview } from '../../src/photo/preview/preview.ts'
import type { MeanPlanes } from '../../src/photo/preview/reference.ts'
import { mendScan } from '../../src/photo/scan/mend-scan.ts'
import { changesOf } from '../../src/photo/turned/dc-changes.ts'
import { turnedDc } from '../../src/photo/turned/turned-dc.ts'
import { drawPicture } from '../../testing/photos/draw.ts'
import { type PhotoCoefficients, readPhoto } from '../../testing/photos/read-photo.ts'
import { readScan, scanData } from '../../testing/photos/read-scan.ts'
import { writePhoto } from '../../testing/photos/write-photo.ts'

const BLOCK = 8
/** Rows of MCUs of something bright, and its levels. */
const BRIGHT_ROWS = 4
const BRIGHTER = 6

/** MCUs of which a code is turned. */
const SWALLOWED = [781, 945, 1_300, 1_501]

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
  return readScan(bytes, photo, turned)
}

/** Mean levels of each MCU of the photo, a little brighter, by component. */
function brighterMeans(): Float32Array[] {
  const { layout, quantisation, coefficients } = photo
  return layout.components.map(({ h, v, firstBlock }, component) =>
    Float32Array.from({ length: layout.mcuCount }, (_, mcu) => {
      let sum = 0
      for (let block = firstBlock; block < firstBlock + h * v; block++)
        sum += coefficients[mcu * layout.mcuLength + block * BLOCK * BLOCK]
      return (sum / (h * v)) * (quantisation[component][0] / BLOCK) + 3
    }),
  )
}

/** What a preview shows of each MCU: the photo's own means, blurred along rows and a little brighter. */
function shown(): MeanPlanes {
  const planes = brighterMeans().map((own) => own.map((value, mcu) => (value + (own[mcu - 1] ?? value)) / 2))
  return { planes, rowsOfSample: 1 }
}

/** Bits that look turned in a scan of which those were. */
function found(turned: readonly number[], preview: boolean) {
  return foundIn(scanWith(turned), preview ? shown() : undefined)
}

function foundIn(scan: ReturnType<typeof readScan>, preview: MeanPlanes | undefined) {
  const source = Int32Array.from({ length: scan.count }, (_, i) => i)
  const sections = [{ first: 0, count: scan.count, known: true, place: 0, dc: new Int32Array(3) }]
  return turnedDc({ ...scan, source, sections, coded: scan }, preview)
}

/** The drawn photo with some rows of MCUs brighter from one on: something of the picture that its preview does not show. */
function withSomethingBright(from: number) {
  const picture = drawPicture(640, 400, 8)
  const { mcuWide, mcuPixelsWide, mcuPixelsHigh } = photo.layout
  const pixels = picture.pixels.map((level, at) => {
    const pixel = Math.floor(at / 3)
    const row = Math.floor(pixel / 640 / mcuPixelsHigh)
    const mcu = row * mcuWide + Math.floor((pixel % 640) / mcuPixelsWide)
    return mcu >= from && mcu < from + BRIGHT_ROWS * mcuWide ? Math.min(255, level + BRIGHTER) : level
  })
  return writePhoto({ ...picture, pixels }, { sampling: [2, 1], quality: 92, interval: 0 })
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

/** A bit of codes of an MCU after which reading is in step again behind it, though DC of luminance is other by some levels. */
function swallowingIn(mcu: number) {
  const scan = scanWith([])
  const { starts, reader, layout } = scan
  const unit = photo.quantisation[0][0] / BLOCK
  const values = new Set(changesOf(scan, mcu, 0).map(({ bit }) => bit))
  const sumOf = (): number | undefined => {
    const differences = new Int16Array(layout.blocksPerMcu)
    if (reader.pass(starts[mcu], differences) !== starts[mcu + 1]) return undefined
    return differences.reduce((sum, each, i) => (layout.componentOf[i] === 0 ? sum + each : sum), 0)
  }
  const own = sumOf() ?? 0
  for (let bit = starts[mcu]; bit < starts[mcu + 1]; bit++) {
    scan.bytes[bit >> 3] ^= 0x80 >> (bit & 7)
    const change = (sumOf() ?? own) - own
    scan.bytes[bit >> 3] ^= 0x80 >> (bit & 7)
    const levels = Math.abs(change * unit)
    if (levels >= 3 && levels < 8 && !values.has(bit)) return { bit, mcu, change }
  }
  throw new Error('the MCU has no such bit')
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

  it('is as likely as the row, the preview and the value make it', () => {
    const said = [300, 430, 600, 945, 1_100, 1_500].map((from) => {
      const { bit } = bitNear(from, 3)
      return [true, false]
        .map((preview) =>
          found([bit], preview)
            .map((one) => `${one.mcu} ${one.change} ${one.gain.toFixed(1)}`)
            .join(),
        )
        .join(' | ')
    })
    expect(said).toMatchInlineSnapshot(`
      [
        "300 8 11.4 | ",
        "429 11 13.8 | ",
        "600 8 11.4 | ",
        "945 11 13.9 | ",
        "1100 8 10.8 | ",
        "1500 11 13.2 | ",
      ]
    `)
  })

  it('is not where something of the picture begins that the preview does not show, and ends some rows below', () => {
    const preview = { planes: brighterMeans(), rowsOfSample: 1 }
    for (const from of [405, 738, 1_293]) {
      const drawn = withSomethingBright(from)
      const read = readPhoto(drawn)
      if (!read) throw new Error('the drawn photo cannot be read')
      expect(foundIn(readScan(drawn, read), preview)).toEqual([])
    }
  })

  it('is seen nowhere in a scan that is as it was', () => {
    expect(found([], true)).toEqual([])
    expect(found([], false)).toEqual([])
  })
})

describe('a bit of a code that swallows a difference of DC', () => {
  it('shows by the row behind it and by coefficients that are larger than usual', () => {
    for (const mcu of SWALLOWED) {
      const { bit, change } = swallowingIn(mcu)
      const [first] = found([bit], true)
      expect(Math.abs(first.mcu - mcu)).toBeLessThan(2)
      expect(first.change).toBe(-change)
    }
  })
})

describe('a scan that has a preview and a bit turned that changes DC by three levels', () => {
  /** What is read behind the bit, from the scan's first `share`, `others` turned as well and bytes taken out. */
  function valueBehind(share: number, others: readonly number[], gone = { from: 0, to: 0 }) {
    const { layout, quantisation } = photo
    const { bit, mcu } = bitNear(600, 3)
    const { data, tables } = scanData(bytes, photo, [bit, ...others])
    const left = Uint8Array.from([
      ...data.bytes.slice(0, gone.from),
      ...data.bytes.slice(gone.to, data.length),
    ])
    const length = Math.floor(left.length * share)
    const picture = readPicture(bytes, 0)
    const small = picture && decodePreview(bytes, picture)
    const preview = small && Preview.of(small, 640, 400)
    if (!preview) throw new Error('the drawn photo makes no preview')
    const mended = mendScan({
      ...{ layout, tables, quantisation, interval: 0, precision: 8, previews: () => [preview] },
      data: { ...data, bytes: left.slice(0, length), length },
      complete: share === 1,
    })
    if (!mended) throw new Error('the scan was given up')
    const { coefficients } = mended.stream
    const at = (mcu + 1) * layout.mcuLength
    return {
      at,
      read: coefficients[at],
      hit: scanWith([bit]).coefficients[at],
      own: photo.coefficients[at],
    }
  }

  it('has it turned back, but for a level, with a larger one that shows that it was hit', () => {
    const { bit } = bitNear(300, 8)
    const { read, hit, own } = valueBehind(1, [bit])
    expect(Math.abs(hit - own)).toBeGreaterThan(4)
    expect(Math.abs(read - own)).toBeLessThan(2)
  })

  it('keeps it where bytes are gone and no other bit shows that single ones were hit', () => {
    const { layout } = photo
    const { bit } = bitNear(600, 3)
    const { starts } = scanWith([bit])
    const gone = { from: starts[1_400] >> 3, to: starts[1_500] >> 3 }
    const { read, hit } = valueBehind(1, [], gone)
    expect(layout.mcuCount).toBeGreaterThan(1_500)
    expect(read).toBe(hit)
  })

  it('keeps it where it breaks off and nothing else is wrong', () => {
    const { read, hit } = valueBehind(0.9, [])
    expect(read).toBe(hit)
  })
})
