import { describe, expect, it } from 'vitest'
import { Edits } from '../../../src/bytes/edits.ts'
import { DEFAULT_LIMITS } from '../../../src/bytes/limits.ts'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { HitHeaders } from '../../../src/formats/mpegps/read/hit-headers.ts'
import { ItemSearch } from '../../../src/formats/mpegps/read/item-search.ts'
import { lengthField, padding } from '../../../src/formats/mpegps/read/padding.ts'
import { Streams } from '../../../src/formats/mpegps/read/streams.ts'
import { Findings } from '../../../src/model/finding.ts'
import { mpeg1PacketHeader, packetHeader, parsePacketHeader } from '../../../src/syntax/pes/packet-header.ts'
import { FRAME_BYTES, frames, packet, streamOf } from './packets.ts'

const SOUND = 0xc0

/** Six packets, the fifth of which some bits are turned in, as may be in the sixth, and headers that know those before. */
function hit(turned: (fifth: Uint8Array) => void, mpeg2 = false, sixth?: (last: Uint8Array) => void) {
  const usual = packet(SOUND, frames(1), -1, mpeg2)
  const before = streamOf([usual, usual, usual, usual])
  const fifth = usual.slice()
  turned(fifth)
  const at = before.bytes.length
  const last = usual.slice()
  sixth?.(last)
  const bytes = Uint8Array.from([...before.bytes, ...fifth, ...last])
  const reader = new ByteReader(new MemorySource(bytes))
  const streams = new Streams(reader, DEFAULT_LIMITS)
  const findings = new Findings()
  const edits = new Edits()
  const headers = new HitHeaders(reader, streams, new ItemSearch(reader, streams, undefined), findings, edits)
  for (const item of before.items) {
    streams.take(item)
    headers.isHit(item, 0)
  }
  const mended = headers.mend(at, 0)
  const changes: [number, number][] = []
  edits.each((offset, _length, [byte = -1]) => changes.push([offset - at, byte]))
  return { mended, changes, codes: findings.list.map(({ code }) => code), whole: usual, at, headers }
}

describe('the header of a packet in which bits were turned', () => {
  it.each([false, true])('is put right, at whatever place (MPEG-2: %s)', (mpeg2) => {
    // not in its length, which has to lead on
    const header = mpeg2 ? 9 : 7
    for (const place of [0, 1, 2, 3, ...Array.from({ length: header - 6 }, (_, i) => 6 + i)])
      for (let bit = 0; bit < 8; bit++) {
        const { mended, changes, codes, whole, at } = hit((fifth) => {
          fifth[place] ^= 1 << bit
        }, mpeg2)
        expect(changes, `byte ${place}, bit ${bit}`).toEqual([[place, whole[place]]])
        expect(mended).toMatchObject({ end: at + whole.length, id: SOUND })
        expect(mended?.item).toMatchObject({ code: SOUND, offset: at, length: whole.length })
        expect(codes).toHaveLength(1)
      }
  })

  it('is put right though the start code behind it was hit as well', () => {
    const flip = (packet: Uint8Array): void => {
      packet[2] ^= 0x40
    }
    expect(hit(flip, false, flip).changes).toEqual([[2, 1]])
  })

  it('is none where three bits of a start code are others, or the length leads nowhere', () => {
    const none = [
      hit((fifth) => fifth.set([1, 1, 0])),
      hit((fifth) => fifth.set([1, 0], 4)),
      hit((fifth) => {
        fifth[3] ^= 3
      }),
    ]
    for (const { mended, changes } of none) expect([mended, changes]).toEqual([undefined, []])
  })
})

it.each([false, true])(
  'with two time stamps it is put right though no other was like it (MPEG-2: %s)',
  (mpeg2) => {
    const [pts, dts] = [5 * 90_000, 4.96 * 90_000]
    const timed = (mpeg2 ? packetHeader : mpeg1PacketHeader)(SOUND, 2 * FRAME_BYTES, pts, dts)
    const first = mpeg2 ? 9 : 6
    // what shows the header's length, the kinds of the stamps, and their markers; without its fourth bit MPEG-1's first byte asks
    // for one stamp
    const told: (readonly [place: number, bit: number])[] = [
      ...(mpeg2 ? [[6, 7] as const, [7, 7] as const, [first, 4] as const] : []),
      ...[5, 6, 7].map((bit) => [first, bit] as const),
      ...[4, 5, 6, 7].map((bit) => [first + 5, bit] as const),
      ...[0, 2, 4, 5, 7, 9].map((place) => [first + place, 0] as const),
    ]
    for (const [place, bit] of told) {
      const { mended, changes } = hit((fifth) => {
        fifth.set(timed)
        fifth.set(lengthField(fifth.length), 4)
        fifth[place] ^= 1 << bit
      }, mpeg2)
      expect(mended?.item?.header, `byte ${place}, bit ${bit}`).toMatchObject({ pts, dts })
      expect(changes).toEqual([[place, timed[place]]])
    }
  },
)

it('a start code is told with up to two bits turned', () => {
  const flipped = (...bits: number[]) => bits.reduce((code, bit) => code ^ (1 << bit), 1)
  const wasStart = (code: number): boolean =>
    hit((fifth) => fifth.set([code >> 16, (code >> 8) & 255, code & 255])).headers.wasStart(4 * 391)
  expect(wasStart(1)).toBe(true)
  for (let bit = 0; bit < 24; bit++) {
    expect(wasStart(flipped(bit))).toBe(true)
    expect(wasStart(flipped(bit, (bit + 5) % 24))).toBe(true)
    expect(wasStart(flipped(bit, (bit + 5) % 24, (bit + 11) % 24))).toBe(false)
  }
})

it('padding fills a place with one packet, where it has room for one', () => {
  expect([...padding(6, true)]).toEqual([0, 0, 0, 0, 0, 0])
  for (const mpeg1 of [true, false])
    for (const bytes of [7, 300, 65_541]) {
      const packet = padding(bytes, mpeg1)
      expect(packet.length).toBe(bytes)
      expect(parsePacketHeader(packet, 0)).toMatchObject({ streamId: 0xbe, length: bytes - 6 })
      expect(packet[6]).toBe(mpeg1 ? 0x0f : 0xff)
      expect(packet.subarray(7).every((byte) => byte === 0xff)).toBe(true)
    }
  expect([...lengthField(0x1234 + 6)]).toEqual([0x12, 0x34])
})

describe('a header of MPEG-1', () => {
  const stamp = [0x21, 0, 1, 0, 3]
  const parse = (header: readonly number[], length = 60) =>
    parsePacketHeader(Uint8Array.from([0, 0, 1, SOUND, 0, length, ...header, ...new Array(80).fill(1)]), 0)

  it('has its time behind up to sixteen bytes of stuffing and the size of a buffer', () => {
    for (let stuffing = 0; stuffing <= 16; stuffing++)
      for (const buffer of [[], [0x60, 4]]) {
        const filled = [...new Array(stuffing).fill(0xff), ...buffer]
        const headerLength = 6 + filled.length
        expect(parse([...filled, ...stamp])).toMatchObject({ pts: 1, dts: 1, headerLength: headerLength + 5 })
        expect(parse([...filled, 0x0f])).toMatchObject({ pts: -1, dts: -1, headerLength: headerLength + 1 })
        const both = [...filled, 0x31, ...stamp.slice(1), 0x11, ...stamp.slice(1)]
        expect(parse(both)).toMatchObject({ pts: 1, dts: 1, headerLength: headerLength + 10, mpeg1: true })
      }
    expect(parse([...new Array(17).fill(0xff), ...stamp])).toBeUndefined()
  })

  it('is none with another beginning, nor where it is longer than its packet', () => {
    for (const first of [0x00, 0x1f, 0x0e, 0x2e, 0x4f, 0x71])
      expect(parse([first, 0, 0, 0, 0])).toBeUndefined()
    expect([parse(stamp, 5)?.pts, parse(stamp, 4)]).toEqual([1, undefined])
    expect(parse(stamp, 0)?.pts).toBe(1)
  })
})
