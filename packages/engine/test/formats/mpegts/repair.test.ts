import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { isStuffed } from '../../../src/formats/mpegts/read/adaptation.ts'
import { hasClock } from '../../../src/formats/mpegts/read/clock.ts'
import { payloadStart } from '../../../src/formats/mpegts/read/packet.ts'
import {
  headerFlipped,
  layoutOf,
  packetsOf,
  packetsOverwritten,
  pictureAt,
  RECIPES,
  tablesLost,
  timesMoved,
} from '../../../src/formats/mpegts/recipes.ts'
import { DOUBT } from '../../../src/model/doubt.ts'
import type { RecordingReport } from '../../../src/model/report.ts'
import { isPacketStart, PREFIX_BYTES } from '../../../src/syntax/pes/packet-header.ts'
import { isVideoId } from '../../../src/syntax/pes/stream-ids.ts'
import { readTimeStamp, writeTimeStamp } from '../../../src/syntax/pes/time-stamp.ts'
import { FIXTURES } from '../../../testing/contract/fixtures.ts'
import { repairRecording } from '../../../testing/recordings/repair-recording.ts'

const FILES = ['mts-h264-ac3.mts', 'ts-hevc-two-aac.ts'] as const

function fixture(name: string): Uint8Array {
  return new Uint8Array(readFileSync(`${FIXTURES}/mpegts/${name}`))
}

const repaired = (damaged: Uint8Array, sample?: Uint8Array) => repairRecording(damaged, 'mts', sample)

function sum({ tracks }: RecordingReport, what: 'lost' | 'damaged'): number {
  return tracks.reduce((total, track) => total + track[what], 0)
}

function pidOf(bytes: Uint8Array, at: number): number {
  return ((bytes[at + 1] & 0x1f) << 8) | bytes[at + 2]
}

describe.each(FILES)('a damaged transport stream, %s', (name) => {
  const whole = fixture(name)

  it.each(RECIPES.filter(({ name }) => name !== 'bits flipped'))(
    '$name: what comes out is healthy',
    async (recipe) => {
      const { report, bytes } = await repaired(recipe.apply(whole, 5))
      expect(['repaired', 'partial']).toContain(report.verdict)
      const again = await repaired(bytes)
      expect(again.report.findings.filter(({ severity }) => severity !== 'info')).toEqual([])
      expect(again.report.verdict).toBe('healthy')
    },
  )

  it.each([
    ['sync byte', 0, 3],
    ['PID', 2, 3],
    ['continuity counter', 3, 1],
    ['error indicator', 1, 7],
  ])('a flipped bit in the %s is turned back', async (_, byte, bit) => {
    const at = pictureAt(whole, 0.5)
    const { report, bytes } = await repaired(headerFlipped(whole, at, byte, bit))
    expect(report.findings.map(({ code }) => code)).toContain('mpegts.packet-header')
    expect(Buffer.compare(bytes, whole)).toBe(0)
  })

  it('a packet that a turned bit brought to a table is given back, also where a counter behind it was hit', async () => {
    const [from, to, byte, bit] = name.startsWith('mts') ? [0x1100, 0x100, 1, 4] : [0x100, 0, 1, 0]
    const packets = packetsOf(whole).map(({ pid, at }, index) => ({ pid, at, index }))
    const tables = packets.filter(({ pid }) => pid === to)
    const own = packets.filter(({ pid, index }) => pid === from && index > tables[8].index)
    const turned = headerFlipped(whole, own[0].at, byte, bit)
    const { bytes } = await repaired(headerFlipped(turned, own[2].at, 3, 0))
    expect(Buffer.compare(bytes, whole)).toBe(0)
  })

  it.each([false, true])(
    'a packet that a turned bit brought to a PID that has few is given back (its counter is the last one there: %s)',
    async (isLast) => {
      const rare = 0x0011
      const counterOf = ({ at }: { readonly at: number }): number => whole[at + 3] & 15
      const [, last, next] = packetsOf(whole).filter(({ pid }) => pid === rare)
      const taken = packetsOf(whole).find(
        (packet) =>
          packet.at > last.at &&
          packet.pid === pidOf(whole, pictureAt(whole, 0.5)) &&
          counterOf(packet) === counterOf(last),
      )
      if (!taken || !next || taken.at > next.at) throw new Error('the recording is too short')
      const at = isLast ? taken.at : pictureAt(whole, 0.5)
      const pictures = packetsOf(whole).find((packet) => packet.at === at)?.pid ?? 0
      const file = new Uint8Array(whole)
      const packets = packetsOf(file)
      // packets of the pictures' PID take one that a bit leads from to the rare one
      const near = rare ^ 0x1000
      for (const packet of packets.filter(({ pid }) => pid === pictures)) {
        file[packet.at + 1] = (file[packet.at + 1] & 0xe0) | (near >> 8)
        file[packet.at + 2] = near & 0xff
      }
      const map = packets.filter(({ pid }) => pid === 0)
      expect(map.length).toBeGreaterThan(2)
      const { bytes } = await repaired(headerFlipped(file, at, 1, 4))
      expect(Buffer.compare(bytes, file)).toBe(0)
    },
  )

  it('a packet that a turned bit brought to another PID is given back, also where its counter is the one that is due there', async () => {
    const counters = new Map<number, number>()
    let tried = 0
    for (const { at, pid } of packetsOf(whole)) {
      const counter = whole[at + 3] & 15
      for (const bit of [0, 1, 2, 3]) {
        const isDue = counters.get(pid ^ (1 << bit)) === (counter + 15) % 16
        if (!isDue || at < whole.length / 4 || at > (whole.length * 3) / 4 || whole[at + 1] & 0x40) continue
        if (tried++ > 5) continue
        const { bytes } = await repaired(headerFlipped(whole, at, 2, bit))
        expect(Buffer.compare(bytes, whole)).toBe(0)
      }
      counters.set(pid, counter)
    }
    expect(tried > 0).toBe(name.startsWith('ts-hevc'))
  })

  it('a flipped bit in the header of a frame of sound is turned back', async () => {
    const sounds = packetsOf(whole).filter(({ at }) => {
      const packet = whole.subarray(at, at + 188)
      const start = packet[3] & 0x20 ? 5 + packet[4] : 4
      return (packet[1] & 0x40) !== 0 && [0xc0, 0xbd, 0xfd].includes(packet[start + 3])
    })
    const { at } = sounds[sounds.length >> 1]
    const packet = whole.subarray(at, at + 188)
    const start = packet[3] & 0x20 ? 5 + packet[4] : 4
    const payload = start + 9 + packet[start + 8]
    for (const byte of [0, 4]) {
      const { report, bytes } = await repaired(headerFlipped(whole, at, payload + byte, 5))
      expect(report.findings.map(({ code }) => code)).toEqual(['mpegts.sound-header'])
      expect(report.doubts).toEqual([DOUBT.hits])
      expect(Buffer.compare(bytes, whole)).toBe(0)
    }
  })

  it('a PES packet of sound of which nothing but its beginning is left goes', async () => {
    const sounds = packetsOf(whole).filter(({ at }) => {
      const start = whole[at + 3] & 0x20 ? 5 + whole[at + 4] : 4
      return (whole[at + 1] & 0x40) !== 0 && [0xc0, 0xbd, 0xfd].includes(whole[at + start + 3])
    })
    const { at, pid } = sounds[sounds.length >> 1]
    const start = whole[at + 3] & 0x20 ? 5 + whole[at + 4] : 4
    // the start code's first bytes, and then what belongs to others
    const damaged = new Uint8Array([
      ...whole.subarray(0, at + start + 3),
      ...whole.subarray(at + start + 3 + 512),
    ])
    const { bytes } = await repaired(damaged)
    const ids = packetsOf(bytes).flatMap((packet) => {
      const first = bytes[packet.at + 3] & 0x20 ? 5 + bytes[packet.at + 4] : 4
      return packet.pid === pid && (bytes[packet.at + 1] & 0x40) !== 0 ? [bytes[packet.at + first + 3]] : []
    })
    expect(new Set(ids).size).toBe(1)
  })

  it('zeros from the stuffing of a packet on are no hit in headers', async () => {
    const packets = packetsOf(whole)
    const stuffed = packets.filter(({ at }) => whole[at + 4] > 60 && isStuffed(whole, at))
    const { at } = stuffed[stuffed.length >> 1]
    const damaged = new Uint8Array(whole).fill(0, at + 40, at + 40 + 4096)
    const { report } = await repaired(damaged)
    expect(report.doubts ?? []).toEqual([])
  })

  it('a hole that begins in the header of a packet is no hit in that header', async () => {
    const at = pictureAt(whole, 0.5)
    for (const byte of [1, 2, 3]) {
      const damaged = new Uint8Array(whole).fill(0, at + byte, at + byte + 2000)
      const { report, bytes, findings } = await repaired(damaged)
      expect(findings).not.toContain('mpegts.packet-header')
      expect(report.doubts ?? []).toEqual([])
      expect((await repaired(bytes)).report.verdict).toBe('healthy')
    }
  })

  it('the first time of each stream is turned back by the others', async () => {
    const packets = packetsOf(whole)
    let streams = 0
    for (const pid of new Set(packets.map((packet) => packet.pid))) {
      const begins = packets
        .filter((packet) => packet.pid === pid)
        .map(({ at }) => at + payloadStart(whole, at))
        .filter((at) => isPacketStart(whole, at))
      if (begins.length < 8) continue
      const damaged = new Uint8Array(whole)
      // the highest bit, whose half turn leads other times either way round
      damaged[begins[0] + PREFIX_BYTES + 3] ^= 8
      const { bytes, report } = await repaired(damaged)
      expect(Buffer.compare(bytes, whole)).toBe(0)
      expect(Math.max(...report.tracks.flatMap(({ ranges }) => ranges.map(({ end }) => end)))).toBeLessThan(
        60,
      )
      streams++
    }
    expect(streams).toBeGreaterThanOrEqual(2)
  })

  it('a wrong time in a header of MPEG-1, which transport streams do not have, is told and not written over', async () => {
    const starts = packetsOf(whole)
      .map(({ at }) => at + payloadStart(whole, at))
      .filter((at) => isPacketStart(whole, at) && whole[at + PREFIX_BYTES + 1] >> 6 === 2)
    const damaged = new Uint8Array(whole)
    const at = starts[starts.length >> 1]
    // as far behind the start code as MPEG-1 has it, and hit in the highest bit
    const stamp = readTimeStamp(whole, at + PREFIX_BYTES + 3)
    writeTimeStamp(damaged, at + PREFIX_BYTES, 2, stamp + 2 ** 32)
    const { bytes, report } = await repaired(damaged)
    expect(report.doubts).toContainEqual(DOUBT.times)
    expect(readTimeStamp(bytes, at + PREFIX_BYTES)).toBe(stamp + 2 ** 32)
  })

  it.each([
    ['go, and those around them stay as they are, where no picture begins behind', 188, 1],
    ['stay where one begins behind', 14, 0],
  ])('pictures whose beginning is foreign bytes behind the start code %s', async (_what, until, gone) => {
    const startsOf = (bytes: Uint8Array): number[] =>
      packetsOf(bytes)
        .map(({ at }) => at)
        .filter((at) => {
          const begin = at + payloadStart(bytes, at)
          return isPacketStart(bytes, begin) && isVideoId(bytes[begin + 3])
        })
    const starts = startsOf(whole)
    const at = starts[starts.length >> 1]
    const begin = at + payloadStart(whole, at)
    const damaged = new Uint8Array(whole)
    // 0x40: no header of MPEG-2, nor of MPEG-1
    damaged.fill(0x40, begin + 4, Math.min(begin + until, at + 188))
    const { report, bytes } = await repaired(damaged)
    expect(report.findings.map(({ code }) => code)).toContain('mpegts.pes-header')
    expect(startsOf(bytes).length).toBe(starts.length - gone)
    if (gone === 0) return
    expect(sum(report, 'lost')).toBe(1)
    expect(sum(report, 'damaged')).toBe(0)
    expect((await repaired(bytes)).report.verdict).toBe('healthy')
  })

  it.each([3600, -40])('a clock that jumps by %i s without a word goes on', async (seconds) => {
    const { report, bytes } = await repaired(timesMoved(whole, 0.5, seconds * 90_000))
    expect(report.verdict).toBe('repaired')
    expect(report.findings.map(({ code }) => code)).toEqual(['mpegts.clock-jump'])
    expect(Buffer.compare(bytes, whole)).toBe(0)
  })

  it('a clock that jumps beside other damage is left as it is, and when what follows was recorded is a doubt', async () => {
    const hit = headerFlipped(whole, pictureAt(whole, 0.25), 0, 3)
    const { report, bytes } = await repaired(timesMoved(hit, 0.5, 3600 * 90_000))
    expect(report.findings.map(({ code }) => code)).toContain('mpegts.clock-jump')
    expect(report.doubts).toContainEqual(DOUBT.times)
    expect(Buffer.compare(bytes, timesMoved(whole, 0.5, 3600 * 90_000))).toBe(0)
  })

  it('tables that are lost come from a sample with the same streams, else what they say is assumed', async () => {
    const lost = tablesLost(whole)
    const alone = await repaired(lost)
    expect(alone.report.doubts).toEqual([DOUBT.assumed])
    const { report, bytes } = await repaired(lost, fixture(name.replace('.', '.sample.')))
    expect(report.verdict).toBe('repaired')
    expect(report.sample?.used).toEqual(['program tables'])
    expect((await repaired(bytes)).report.verdict).toBe('healthy')
    const other = await repaired(lost, fixture(FILES.find((file) => file !== name) ?? ''))
    expect(other.report.doubts).toEqual([DOUBT.assumed])
  })

  it('a jump of one stream, or one that is announced, is left alone', async () => {
    const middle = pictureAt(whole, 0.5)
    const [{ pid }] = packetsOf(whole).filter(({ at }) => at === middle)
    const lone = await repaired(timesMoved(whole, 0.5, 3600 * 90_000, pid))
    const announced = timesMoved(whole, 0.5, 3600 * 90_000)
    for (const { at } of packetsOf(whole)) if (hasClock(announced, at)) announced[at + 5] |= 0x80
    for (const { report } of [lone, await repaired(announced)])
      expect(report.findings.map(({ code }) => code)).not.toContain('mpegts.clock-jump')
  })

  it('packets overwritten in their places cost what they held, and no more', async () => {
    const at = pictureAt(whole, 0.5)
    const { report, bytes } = await repaired(packetsOverwritten(whole, at, 2))
    expect(report.verdict).toBe('repaired')
    expect(sum(report, 'damaged') + sum(report, 'lost')).toBeGreaterThan(0)
    expect(sum(report, 'damaged') + sum(report, 'lost')).toBeLessThanOrEqual(4)
    const { size } = layoutOf(whole)
    expect(packetsOf(whole).length - Math.floor(bytes.length / size)).toBeLessThanOrEqual(8)
  })
})

it('a packet that a turned bit brought to a table is given back though few of its PID were before', async () => {
  const bytes = fixture(FILES[0])
  const { size, lead } = layoutOf(bytes)
  const SERVICES = 0x11
  const at = 30 * size + lead
  expect(pidOf(bytes, at)).toBe(SERVICES | 0x1000)
  bytes[at + 1] ^= 0x10
  const { report, bytes: result } = await repaired(bytes)
  expect(sum(report, 'lost') + sum(report, 'damaged')).toBe(0)
  expect(result).toEqual(fixture(FILES[0]))
})
