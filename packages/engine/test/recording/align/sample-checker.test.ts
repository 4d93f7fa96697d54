import { describe, expect, it } from 'vitest'
import { filledBytes } from '../../../src/bytes/zeros.ts'
import { SampleTable } from '../../../src/model/sample-table.ts'
import { sampleChecker } from '../../../src/recording/align/sample-checker.ts'
import { hasZeroHole } from '../../../src/recording/zero-holes.ts'
import { noise, readerOf, trackOf } from '../../../testing/video/replay.ts'
import { streamFixture } from '../../../testing/video/stream-fixture.ts'

describe('samples held against their bytes', () => {
  const fixture = streamFixture('mjpeg')
  const { bytes, packets } = fixture

  it.each([
    ['zeros', [0, 0, 0, 0, 0]],
    ['ones', [0xff, 0xff, 0xff, 0xff]],
    ['both', [0xff, 0xff, 0, 0, 0]],
  ])('may be filled up with %s', (_what, tail) => {
    const [{ offset, size }] = packets
    const sample = Uint8Array.from([...bytes.subarray(offset, offset + size), ...tail])
    const checker = sampleChecker(readerOf(sample), trackOf(fixture, 'raw'), new SampleTable(1), [])
    expect(checker.fits(0, sample.length)).toBe(true)
  })

  /** A table of all pictures that is so many bytes off, its samples written one behind the other. */
  function tableOff(by: number) {
    const samples = packets.map(({ offset, size }) => bytes.subarray(offset, offset + size))
    const table = new SampleTable(samples.length)
    let end = 64
    for (const { length } of samples) {
      table.push(end + by, length, 1, 1, 0, 0)
      end += length
    }
    const file = new Uint8Array(end + 64)
    samples.forEach((sample, row) => {
      file.set(sample, table.offset[row] - by)
    })
    return { file, table }
  }

  it.each([[[-18]], [[40, -18]]])(
    'do not fit where all are off alike and share what lies inside them, with shifts %s',
    (shifts) => {
      const { file, table } = tableOff(18)
      const checker = sampleChecker(readerOf(file), trackOf(fixture, 'raw'), table, shifts)
      expect(checker.fits(table.offset[0], table.size[0])).toBe(false)
      expect(checker.fits(table.offset[0] - 18, table.size[0])).toBe(true)
    },
  )

  it('fit where the index has what nobody reads, and no shift has more', () => {
    const { file, table } = tableOff(18)
    const checker = sampleChecker(readerOf(file), trackOf(fixture, 'raw'), table, [40])
    expect(checker.fits(table.offset[0], table.size[0])).toBe(true)
  })

  it('that do not parse fit by what most begin with where the index has most of them, though a copy lies at a shift', () => {
    const { file, table } = tableOff(0)
    const twice = Uint8Array.from([...file, ...file])
    const checker = sampleChecker(readerOf(twice), trackOf(fixture, 'raw'), table, [file.length])
    expect(checker.fits(table.offset[0], table.size[0] - 8)).toBe(true)
  })

  it('do not fit where other bytes lie behind them', () => {
    const [{ offset, size }] = packets
    const sample = Uint8Array.from([...bytes.subarray(offset, offset + size), 0xff, 0xff, 7, 0xff])
    const checker = sampleChecker(readerOf(sample), trackOf(fixture, 'raw'), new SampleTable(1), [])
    expect(checker.fits(0, sample.length)).toBe(false)
  })
})

it.each([28, 30])('pictures with a NAL unit of type %i, which H.264 leaves to applications, fit', (type) => {
  const fixture = streamFixture('h264-baseline')
  const [{ offset, size }] = fixture.packets
  const sample = Uint8Array.from([
    ...fixture.bytes.subarray(offset, offset + size),
    ...[0, 0, 0, 5, 0x60 | type, 1, 2, 3, 4],
  ])
  const checker = sampleChecker(readerOf(sample), trackOf(fixture, 'length'), new SampleTable(1), [])
  expect(checker.fits(0, sample.length)).toBe(true)
})

describe('zeros inside a picture', () => {
  it.each([
    ['none of a flat one’s faults: JPEG may code flat blocks with them', [0, 1, 17], true],
    ['damage where they code something else', [1, 0, 17], false],
  ])('are %s', (_what, symbols, whole) => {
    const fixture = streamFixture('mjpeg')
    const picture = jpeg(symbols, 600)
    const checker = sampleChecker(readerOf(picture), trackOf(fixture, 'raw'), new SampleTable(1), [])
    expect(checker.fits(0, picture.length)).toBe(true)
    expect(checker.intact(0, picture.length)).toBe(whole)
  })

  it('are stuffing in front of the end of a VC-3 frame', () => {
    const frame = new Uint8Array(8192)
    frame.fill(7, 0, 3000)
    frame.set([0x60, 0x0d, 0xc0, 0xde], 8188)
    expect(hasZeroHole(readerOf(frame), 0, frame.length)).toBe(false)
    frame[8191] = 0
    expect(hasZeroHole(readerOf(frame), 0, frame.length)).toBe(true)
  })
})

/** A picture of 640x480, ITU-T T.81 Annex B, whose scan is so many zeros; its tables give two bits to each of the symbols. */
function jpeg(symbols: readonly number[], zeros: number): Uint8Array {
  const table = (kind: number): number[] => [kind, 0, symbols.length, ...new Array(14).fill(0), ...symbols]
  const segment = (marker: number, body: readonly number[]): number[] => [
    ...[0xff, marker, (body.length + 2) >> 8, (body.length + 2) & 255],
    ...body,
  ]
  return Uint8Array.from([
    ...[0xff, 0xd8],
    ...segment(0xc0, [8, 1, 224, 2, 128, 3, 1, 0x22, 0, 2, 0x11, 0, 3, 0x11, 0]),
    ...segment(0xc4, [...table(0x00), ...table(0x10)]),
    ...segment(0xda, [3, 1, 0, 2, 0, 3, 0, 0, 63, 0]),
    ...new Array(zeros).fill(0),
    ...[0x7f, 0xff, 0xd9],
  ])
}

describe('filled bytes', () => {
  it('of a long stretch are not taken for zeros because its middle is zero', () => {
    const stretch = new Uint8Array(2 << 20)
    stretch.set(noise(600_000))
    const filled = filledBytes(readerOf(stretch), 0, stretch.length)
    expect(filled).toBeGreaterThan(500_000)
    expect(filled).toBeLessThan(700_000)
    expect(filledBytes(readerOf(stretch), 700_000, stretch.length)).toBe(0)
  })
})

describe('AV1 samples that are hit', () => {
  const fixture = streamFixture('av1')
  const [{ offset, size }] = fixture.packets
  const whole = fixture.bytes.subarray(offset, offset + size)
  const usableOf = (sample: Uint8Array) =>
    sampleChecker(readerOf(sample), trackOf(fixture, 'raw'), new SampleTable(1), []).usable(0, sample.length)

  it.each([
    ['the forbidden bit of their first OBU set', [0x92]],
    ['its reserved bit set', [0x13]],
    ['a first OBU of a reserved type', [(9 << 3) | 2]],
    ['a first OBU that reaches past their end', [0x32, 0xff, 0xff, 0x7f]],
  ])('with %s are of no use to a decoder', (_what, first) => {
    const sample = whole.slice()
    sample.set(first)
    expect(usableOf(sample)).toBe(0)
  })

  it('are of use up to the first OBU that is none', () => {
    const foreign = [0xb6, 0xf0, 0x9a, 0x34, 0x7d, 0xe2]
    expect(usableOf(Uint8Array.from([...whole, ...foreign]))).toBe(size)
  })

  it('are left to it where only their inside is hit', () => {
    const sample = whole.slice()
    sample.fill(0xa5, 40)
    expect(usableOf(sample)).toBe(size)
  })
})
