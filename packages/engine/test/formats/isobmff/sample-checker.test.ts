import { describe, expect, it } from 'vitest'
import { sampleChecker } from '../../../src/formats/isobmff/sample-checker.ts'
import { filledBytes } from '../../../src/formats/isobmff/zero-runs.ts'
import { SampleTable } from '../../../src/model/sample-table.ts'
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

  it('do not fit where other bytes lie behind them', () => {
    const [{ offset, size }] = packets
    const sample = Uint8Array.from([...bytes.subarray(offset, offset + size), 0xff, 0xff, 7, 0xff])
    const checker = sampleChecker(readerOf(sample), trackOf(fixture, 'raw'), new SampleTable(1), [])
    expect(checker.fits(0, sample.length)).toBe(false)
  })
})

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
