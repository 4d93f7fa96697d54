import { expect, it } from 'vitest'
import { codecNamed } from '../../../src/codecs/index.ts'
import { Unit } from '../../../src/codecs/recogniser.ts'
import { readerOf, trackOf } from '../../../testing/video/replay.ts'
import { streamFixture } from '../../../testing/video/stream-fixture.ts'

const fixture = streamFixture('av1')
const { offset, size } = fixture.packets[0]
/** A temporal unit that begins with its sequence header. */
const unit = fixture.bytes.subarray(offset, offset + size)
const header = unit.subarray(0, 2 + unit[1])
const DELIMITER = Uint8Array.of(0x12, 0)

function isUnit(...parts: readonly Uint8Array[]): boolean {
  const bytes = Uint8Array.from(parts.flatMap((part) => [...part]))
  const recogniser = codecNamed('av1')?.recogniser(trackOf(fixture, 'raw'))
  return recogniser?.recognise(readerOf(bytes), 0, bytes.length, new Unit()) ?? false
}

it('a temporal unit may begin with a delimiter and a sequence header', () => {
  expect(header[0] >> 3).toBe(1)
  expect(isUnit(unit)).toBe(true)
  expect(isUnit(DELIMITER, unit)).toBe(true)
})

it('a second delimiter, or a second sequence header, makes it none: headers in a row are not followed', () => {
  expect(isUnit(DELIMITER, DELIMITER, unit)).toBe(false)
  expect(isUnit(header, DELIMITER, unit)).toBe(false)
  expect(isUnit(header, unit)).toBe(false)
})
