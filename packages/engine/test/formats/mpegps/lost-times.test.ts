import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Item, PACK, PACK_CLOCK_AT, packClock } from '../../../src/formats/mpegps/read/item.ts'
import { padding } from '../../../src/formats/mpegps/read/padding.ts'
import { itemsOf } from '../../../src/formats/mpegps/recipes.ts'
import { firstStamp } from '../../../src/recording/header-habits.ts'
import { withoutStamps } from '../../../src/recording/untimed-header.ts'
import { mpeg1PacketHeader, packetHeader, parsePacketHeader } from '../../../src/syntax/pes/packet-header.ts'
import { writeTimeStamp } from '../../../src/syntax/pes/time-stamp.ts'
import { FIXTURES } from '../../../testing/contract/fixtures.ts'
import { repairRecording } from '../../../testing/recordings/repair-recording.ts'

const STAMP = 5
const FILES = ['mpg-mpeg2-mp2.mpg', 'vob-mpeg2-ac3.mpg']

const fixture = (name: string): Uint8Array => new Uint8Array(readFileSync(`${FIXTURES}/mpegps/${name}`))
const repaired = (bytes: Uint8Array) => repairRecording(bytes, 'mpg')
const isStamped = ({ header }: Item): boolean => (header?.pts ?? -1) >= 0
const part = <T>(list: readonly T[], from: number, to: number): T[] =>
  list.slice(Math.floor(list.length * from), Math.ceil(list.length * to))

/** The file with the time stamps of some packets changed; `kinds` are the four bits in front of each. */
function restamped(
  whole: Uint8Array,
  items: readonly Item[],
  change: (bytes: Uint8Array, at: number, kind: number) => void,
): Uint8Array {
  const bytes = new Uint8Array(whole)
  for (const { offset } of items) {
    const at = offset + firstStamp(bytes.subarray(offset, offset + 264), 0)
    const count = bytes[at] >> 4 === 3 ? 2 : 1
    for (let i = 0; i < count; i++) change(bytes, at + i * STAMP, bytes[at + i * STAMP] >> 4)
  }
  return bytes
}

describe.each(FILES)('times of a stretch that are wrong, %s', (name) => {
  const whole = fixture(name)
  const stamped = itemsOf(whole).filter(isStamped)

  it.each([
    ['at zero', 0.4, 0.7],
    ['all at zero', 0, 1],
  ])('%s are taken out, with a doubt', async (_, from, to) => {
    const hit = part(stamped, from, to)
    const damaged = restamped(whole, hit, (bytes, at, kind) => writeTimeStamp(bytes, at, kind, 0))
    const { report, bytes, doubts } = await repaired(damaged)
    expect(report.verdict).toBe('partial')
    expect(doubts).toEqual(['times'])
    const left = itemsOf(bytes).filter(isStamped)
    expect(left.map(({ offset }) => offset)).toEqual(
      stamped.filter((item) => !hit.includes(item)).map(({ offset }) => offset),
    )
    expect(bytes.length).toBe(whole.length)
    expect((await repaired(bytes)).report.verdict).toBe('healthy')
  })

  it.each([
    ['from the beginning on', 0, 0.2],
    ['up to the end', 0.8, 1],
  ])('at zero %s are in doubt', async (_, from, to) => {
    const hit = part(stamped, from, to)
    const damaged = restamped(whole, hit, (bytes, at, kind) => writeTimeStamp(bytes, at, kind, 0))
    const { bytes, doubts } = await repaired(damaged)
    expect(doubts).toEqual(['times'])
    // a few at a time may have been turned back to what their stream leaves free
    expect(itemsOf(bytes).filter(({ header }) => header?.pts === 0).length).toBeLessThan(hit.length / 4)
    expect((await repaired(bytes)).report.verdict).toBe('healthy')
  })

  it('anywhere are taken out, or in doubt', async () => {
    let seed = 7
    const hit = part(stamped, 0.4, 0.7)
    const damaged = restamped(whole, hit, (bytes, at, kind) => {
      seed = (seed * 69_069 + 1) % 2 ** 32
      writeTimeStamp(bytes, at, kind, seed * 2)
    })
    const { bytes, doubts } = await repaired(damaged)
    expect(doubts).toEqual(['times'])
    const left = itemsOf(bytes).filter(isStamped)
    const kept = left.filter(({ offset }) => hit.some((item) => item.offset === offset))
    expect(kept.length).toBeLessThan(hit.length / 2)
    expect((await repaired(bytes)).report.verdict).toBe('healthy')
  })

  it('overwritten with zeros cost nothing but themselves', async () => {
    const hit = part(stamped, 0.4, 0.7)
    const damaged = restamped(whole, hit, (bytes, at) => bytes.fill(0, at, at + STAMP))
    const { report, bytes, doubts } = await repaired(damaged)
    expect(report.verdict).toBe('partial')
    expect(doubts).toEqual(['times'])
    expect(itemsOf(bytes).map(({ offset }) => offset)).toEqual(itemsOf(whole).map(({ offset }) => offset))
    expect((await repaired(bytes)).report.verdict).toBe('healthy')
  })

  it('of packs get such as lie between those around', async () => {
    const damaged = new Uint8Array(whole)
    const packs = itemsOf(whole).filter(({ code }) => code === PACK)
    for (const { offset } of part(packs, 0.4, 0.7))
      damaged.set(packClock(damaged.subarray(offset, offset + 14), 0), offset + PACK_CLOCK_AT)
    const { report, bytes } = await repaired(damaged)
    expect(report.verdict).toBe('repaired')
    const clocks = itemsOf(bytes).flatMap(({ clock }) => clock ?? [])
    expect(clocks.every((clock, i) => i === 0 || clock > clocks[i - 1])).toBe(true)
  })

  it('are right where a recording is joined to another', async () => {
    const moved = new Uint8Array(whole)
    for (const { offset, code, clock = 0 } of itemsOf(whole))
      if (code === PACK)
        moved.set(
          packClock(moved.subarray(offset, offset + 14), clock + 90_000 * 1_000),
          offset + PACK_CLOCK_AT,
        )
    const later = restamped(moved, stamped, (bytes, at, kind) => {
      const ticks = ((bytes[at] >> 1) & 7) * 2 ** 30 + ((bytes[at + 1] << 7) | (bytes[at + 2] >> 1)) * 2 ** 15
      writeTimeStamp(bytes, at, kind, ticks + ((bytes[at + 3] << 7) | (bytes[at + 4] >> 1)) + 90_000 * 1_000)
    })
    for (const joined of [
      [whole, later],
      [later, whole],
    ]) {
      const { report } = await repaired(new Uint8Array(Buffer.concat(joined)))
      expect(report.verdict).toBe('healthy')
    }
  })
})

it.each([
  ['MPEG-1', mpeg1PacketHeader(0xe0, 100, 5_000, 2_000)],
  ['MPEG-1, times of display alone', mpeg1PacketHeader(0xc0, 100, 5_000, 5_000)],
  ['MPEG-2', packetHeader(0xe0, 100, 5_000, 2_000)],
])('a header of %s is as long without time stamps', (_, head) => {
  const without = withoutStamps(head)
  const header = without && parsePacketHeader(without, 0)
  expect(header).toMatchObject({
    pts: -1,
    headerLength: head.length,
    length: parsePacketHeader(head, 0)?.length,
  })
})

describe('packs', () => {
  it.each(FILES)('that stand in a file twice stand there once, %s', async (name) => {
    const whole = fixture(name)
    const packs = itemsOf(whole).filter(({ code }) => code === PACK)
    const [from, , , to] = packs.slice(packs.length >> 1)
    const damaged = new Uint8Array(Buffer.concat([whole.subarray(0, to.offset), whole.subarray(from.offset)]))
    const { report, bytes, findings } = await repaired(damaged)
    expect(findings).toContain('mpegps.pack-doubled')
    expect(report.verdict).toBe('repaired')
    expect(Buffer.compare(bytes, whole)).toBe(0)
  })

  it('that a writer of one rate left no place for are missing', async () => {
    const film = atOneRate(fixture('mpg-mpeg2-mp2.mpg'))
    expect((await repaired(film)).report.verdict).toBe('healthy')
    const packs = itemsOf(film).filter(({ code }) => code === PACK)
    const [from, , , to] = packs.slice(50)
    const damaged = new Uint8Array(Buffer.concat([film.subarray(0, from.offset), film.subarray(to.offset)]))
    const { report } = await repaired(damaged)
    expect(report.findings).toMatchObject([{ code: 'mpegps.packs-missing', offset: from.offset }])
    expect(report.findings[0]?.message).toMatch(/^3 packs/)
    expect(report.tracks.reduce((sum, track) => sum + track.damaged + track.lost, 0)).toBeGreaterThan(0)
  })
})

/** The packets of a film in packs as long as each other, whose clock goes on evenly. */
function atOneRate(bytes: Uint8Array): Uint8Array {
  const items = itemsOf(bytes)
  const { offset: start = 0 } = items.find(({ code }) => code === PACK) ?? {}
  const packets = items.filter(({ header, length }) => header && length <= 2_048)
  const parts = packets.map(({ offset, length }, i) => {
    const head = bytes.slice(start, start + 12)
    head.set(packClock(head, i * 2_000), PACK_CLOCK_AT)
    return Buffer.concat([head, bytes.subarray(offset, offset + length), padding(2_068 - 12 - length, true)])
  })
  return new Uint8Array(Buffer.concat(parts))
}
