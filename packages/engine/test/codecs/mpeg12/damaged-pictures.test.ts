import { expect, it } from 'vitest'
import { mpeg2video } from '../../../src/codecs/mpeg12/index.ts'
import { Unit } from '../../../src/codecs/recogniser.ts'
import { readerOf, recogniserFor } from '../../../testing/video/replay.ts'
import { streamFixture } from '../../../testing/video/stream-fixture.ts'

const fixture = streamFixture('mpeg2-b')
const [first, second, third] = fixture.packets.map(({ offset, size }) =>
  fixture.bytes.subarray(offset, offset + size),
)

/** Where the slices of a picture begin, row by row. */
function slices(picture: Uint8Array): number[] {
  const starts: number[] = []
  for (let at = 0; at + 4 <= picture.length; at++)
    if (picture[at] === 0 && picture[at + 1] === 0 && picture[at + 2] === 1 && picture[at + 3] > 0)
      if (picture[at + 3] <= 0xaf) starts.push(at)
  return starts
}

function isDamaged(...parts: readonly Uint8Array[]): boolean {
  const bytes = Uint8Array.from(parts.flatMap((part) => [...part]))
  const unit = new Unit()
  expect(recogniserFor(mpeg2video, fixture, 'raw').recognise(readerOf(bytes), 0, bytes.length, unit)).toBe(
    true,
  )
  return unit.damaged
}

it('a picture is whole where its rows are', () => {
  expect(isDamaged(first, second)).toBe(false)
})

it('a picture that lacks its last rows is damaged', () => {
  const [, row] = slices(first)
  expect(isDamaged(first.subarray(0, row), second)).toBe(true)
  expect(isDamaged(first.subarray(0, row + 20), new Uint8Array(700), second)).toBe(true)
})

it('a picture that lacks rows in the middle, or goes on with those of another, is damaged', () => {
  const rows = slices(first)
  expect(rows.length).toBe(4)
  expect(isDamaged(first.subarray(0, rows[1]), first.subarray(rows[2]), second)).toBe(true)
  const others = slices(second)
  expect(isDamaged(first.subarray(0, rows[3]), second.subarray(others[1]), third)).toBe(true)
})
