import { describe, expect, it } from 'vitest'
import { groupPicture, writeGroupHead } from '../../../src/codecs/mpeg12/group-times.ts'
import { mpeg2video } from '../../../src/codecs/mpeg12/index.ts'
import { type Recogniser, Unit } from '../../../src/codecs/recogniser.ts'
import { readerOf, recogniserFor } from '../../../testing/video/replay.ts'
import { streamFixture } from '../../../testing/video/stream-fixture.ts'

const fixture = streamFixture('mpeg2-b')
/** Pictures of the first group; behind them comes the second and last. */
const GROUP = 10
/** Where the second group's picture holds seconds and pictures of the time code. */
const SECONDS_AT = 28

function learned(): Recogniser {
  const recogniser = recogniserFor(mpeg2video, fixture, 'raw')
  const reader = readerOf(fixture.bytes)
  for (const { offset, size } of fixture.packets) recogniser.learn?.(reader, offset, size)
  return recogniser
}

/** The picture's order, and whether order starts anew with it. */
function accepted(
  recogniser: Recogniser,
  bytes: Uint8Array,
  row: number,
): { order: number; restart: boolean } {
  const { offset, size } = fixture.packets[row]
  const unit = new Unit()
  const reader = readerOf(bytes)
  expect(recogniser.recognise(reader, offset, offset + size, unit)).toBe(true)
  recogniser.accept(reader, offset, unit)
  return { order: unit.order, restart: unit.restart }
}

describe('time codes of groups', () => {
  const code = (text: string): Uint8Array => {
    const bits = text.replace(/\D/g, '').padEnd(32, '0')
    return Uint8Array.from({ length: 4 }, (_, i) => Number.parseInt(bits.slice(8 * i, 8 * i + 8), 2))
  }

  it('number pictures', () => {
    expect(groupPicture(code('0 00001 000010 1 000011 000100'), 3)).toBe((62 * 60 + 3) * 25 + 4)
    expect(groupPicture(code('0 00001 000010 0 000011 000100'), 3)).toBe(-1)
    expect(groupPicture(code('0 00000 000000 1 000000 011001'), 3)).toBe(-1)
  })

  it('leave out two a minute where they say so, but for every tenth', () => {
    expect(groupPicture(code('1 00000 000001 1 000000 000010'), 4)).toBe(1800)
    expect(groupPicture(code('1 00000 001010 1 000000 000000'), 4)).toBe(17_982)
  })

  it('tell what a hole took of the groups before', () => {
    const recogniser = learned()
    for (let row = 0; row < 4; row++) accepted(recogniser, fixture.bytes, row)
    recogniser.discontinuity()
    const { order, restart } = accepted(recogniser, fixture.bytes, GROUP)
    expect(restart).toBe(false)
    expect(order).toBeGreaterThanOrEqual(GROUP)
    expect(order).toBeLessThan(GROUP + 3)
  })

  it('tell nothing where a healthy recording’s did not count its pictures', () => {
    const recogniser = recogniserFor(mpeg2video, fixture, 'raw')
    for (let row = 0; row < 4; row++) accepted(recogniser, fixture.bytes, row)
    recogniser.discontinuity()
    expect(accepted(recogniser, fixture.bytes, GROUP).restart).toBe(true)
  })

  it('that leap where nothing is missing leave the pictures one after another', () => {
    const whole = learned()
    const leaping = learned()
    const bytes = fixture.bytes.slice()
    // eight seconds later
    bytes[fixture.packets[GROUP].offset + SECONDS_AT - 1] |= 1
    for (let row = 0; row < fixture.packets.length; row++)
      expect(accepted(leaping, bytes, row)).toEqual(accepted(whole, fixture.bytes, row))
  })
})

describe('a group header that is written', () => {
  const [NTSC, PAL] = [4, 3]

  it.each([0, 24, 1_799, 1_800, 17_981, 17_982, 107_892, 123_456])('counts %i pictures', (picture) => {
    expect(groupPicture(writeGroupHead(picture, PAL, false).subarray(4), PAL)).toBe(picture)
    expect(groupPicture(writeGroupHead(picture, NTSC, true).subarray(4), NTSC)).toBe(picture)
  })
})
