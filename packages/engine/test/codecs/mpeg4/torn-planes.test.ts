import { expect, it } from 'vitest'
import { mpeg4 } from '../../../src/codecs/mpeg4/index.ts'
import { Unit } from '../../../src/codecs/recogniser.ts'
import { noise, readerOf, trackOf } from '../../../testing/video/replay.ts'
import { streamFixture } from '../../../testing/video/stream-fixture.ts'

const VOP = 0xb6
const TYPE_B = 2

/** The type of a plane by the first bits behind its start code. */
function typeOf(packet: Uint8Array): number {
  for (let at = 0; at + 4 < packet.length; at++)
    if (packet[at] === 0 && packet[at + 1] === 0 && packet[at + 2] === 1 && packet[at + 3] === VOP)
      return packet[at + 4] >> 6
  return -1
}

it('a B plane that zeros join with the next is damaged, and whole ones are not', () => {
  const fixture = streamFixture('mpeg4-b')
  const packets = fixture.packets.map(({ offset, size }) => fixture.bytes.subarray(offset, offset + size))
  const joined = packets.findIndex(
    (packet, i) =>
      typeOf(packet) === TYPE_B &&
      i + 1 < packets.length &&
      typeOf(packets[i + 1]) === TYPE_B &&
      packet.length > 80,
  )
  expect(joined).toBeGreaterThan(0)
  const bytes = new Uint8Array(Buffer.concat(packets))
  const starts = packets.map((_, i) => packets.slice(0, i).reduce((sum, { length }) => sum + length, 0))
  const recogniser = mpeg4.recogniser(trackOf(fixture, 'raw'))
  if (!recogniser) throw new Error('no recogniser')
  const unit = new Unit()
  const healthy = readerOf(bytes)
  for (let i = 0; i <= joined; i++) {
    expect(recogniser.recognise(healthy, starts[i], bytes.length, unit), `${i}`).toBe(true)
    expect(unit.damaged, `${i}`).toBe(false)
    if (i < joined) recogniser.accept(healthy, starts[i], unit)
  }
  const hit = bytes.slice()
  hit.fill(0, starts[joined + 1] - 60, starts[joined + 1] + 20)
  expect(recogniser.recognise(readerOf(hit), starts[joined], bytes.length, unit)).toBe(true)
  expect(unit.length).toBeGreaterThanOrEqual(packets[joined].length + 20)
  expect(unit.damaged).toBe(true)
})

it('a B plane that cannot be read is damaged when the plane that it refers to was read to its end', () => {
  const fixture = streamFixture('mpeg4-b')
  const { packets } = fixture
  const row = packets.findIndex(
    ({ offset, size }, i) =>
      i > 1 && size > 80 && typeOf(fixture.bytes.subarray(offset, offset + size)) === TYPE_B,
  )
  const reference = row - 1
  expect(typeOf(fixture.bytes.subarray(packets[reference].offset, packets[row].offset))).not.toBe(TYPE_B)
  /** What is said of the B plane when bytes in the middle of these rows are noise. */
  const isDamaged = (rows: readonly number[]): boolean => {
    const bytes = fixture.bytes.slice()
    for (const hit of rows) bytes.set(noise(30, hit), packets[hit].offset + (packets[hit].size >> 1))
    const reader = readerOf(bytes)
    const recogniser = mpeg4.recogniser(trackOf(fixture, 'raw'))
    if (!recogniser) throw new Error('no recogniser')
    const unit = new Unit()
    for (let i = 0; i < row; i++) {
      expect(recogniser.recognise(reader, packets[i].offset, bytes.length, unit)).toBe(true)
      recogniser.accept(reader, packets[i].offset, unit)
    }
    expect(recogniser.recognise(reader, packets[row].offset, bytes.length, unit)).toBe(true)
    return unit.damaged
  }
  expect(isDamaged([])).toBe(false)
  expect(isDamaged([row])).toBe(true)
  expect(isDamaged([reference, row])).toBe(false)
})
