import { expect, it } from 'vitest'
import { mjpeg } from '../../../src/codecs/mjpeg/index.ts'
import { ZeroRuns } from '../../../src/codecs/mjpeg/zero-runs.ts'
import { Unit } from '../../../src/codecs/recogniser.ts'
import { readerOf, recogniserFor } from '../../../testing/video/replay.ts'
import { streamFixture } from '../../../testing/video/stream-fixture.ts'

const fixture = streamFixture('mjpeg')
const pictures = fixture.packets.map(({ offset, size }) => fixture.bytes.subarray(offset, offset + size))

function seen(bytes: Uint8Array): Unit {
  const unit = new Unit()
  recogniserFor(mjpeg, fixture, 'raw').recognise(readerOf(bytes), 0, bytes.length, unit)
  return unit
}

it('a picture that zeros join with the next one is damaged', () => {
  const [first, second, third] = pictures
  const bytes = Uint8Array.from([...first, ...second, ...third])
  // to where the scan of the second is well under way
  bytes.fill(0, first.length - 90, first.length + second.length - 90)
  const { length, damaged } = seen(bytes)
  expect(length).toBe(first.length + second.length)
  expect(damaged).toBe(true)
})

it('healthy pictures are not', () => {
  for (const picture of pictures) expect(seen(picture).damaged).toBe(false)
})

/** A Huffman table of one code of each length, T.81 §B.2.4.2. */
function table(kind: number, symbols: readonly number[]): number[] {
  const counts = Array.from({ length: 16 }, (_, i) => (i < symbols.length ? 1 : 0))
  return [kind, ...counts, ...symbols]
}

/** Start of frame, T.81 §B.2.2: 640x480, 4:2:0. */
const FRAME = Uint8Array.of(8, 1, 224, 2, 128, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1)

it('zeros that code flat blocks are as many as the picture has blocks', () => {
  const runs = new ZeroRuns()
  runs.frame(FRAME, 0)
  runs.tables(Uint8Array.from([...table(0x00, [0, 1, 2]), ...table(0x10, [0, 1, 17])]))
  // 40 by 30 macroblocks of six blocks, two bits each
  expect(runs.longest).toBe(64 + (1200 * 6 * 2) / 8)
})

it('zeros that code something else make no row', () => {
  const runs = new ZeroRuns()
  runs.frame(FRAME, 0)
  runs.tables(Uint8Array.from([...table(0x00, [0, 1, 2]), ...table(0x10, [1, 0, 17])]))
  expect(runs.longest).toBe(64)
  runs.reset()
  runs.frame(FRAME, 2)
  expect(runs.longest).toBe(Number.POSITIVE_INFINITY)
})
