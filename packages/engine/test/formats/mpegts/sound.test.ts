import { expect, it } from 'vitest'
import { joined } from '../../../src/bytes/joined.ts'
import {
  COUNTERS,
  PACKET_BYTES,
  PAYLOAD_BYTES,
  payloadStart,
} from '../../../src/formats/mpegts/read/packet.ts'
import { packetsOf } from '../../../src/formats/mpegts/recipes.ts'
import { packetOf } from '../../../src/formats/mpegts/write/packets.ts'
import { sectionPackets } from '../../../src/formats/mpegts/write/section-packets.ts'
import { packetHeader, parsePacketHeader } from '../../../src/syntax/pes/packet-header.ts'
import { associationBody, programMapBody } from '../../../src/syntax/psi/program-map.ts'
import { PROGRAM_ASSOCIATION, PROGRAM_MAP, writeSection } from '../../../src/syntax/psi/section.ts'
import { repairRecording } from '../../../testing/recordings/repair-recording.ts'

const PID = 0x101
const MAP_PID = 0x1000
const ADTS = 0x0f
const DTS = 0x8a
const FRAMES = 140
const FRAME = 300
/** Of a frame, 1024 of 48 000 Hz, in ticks of 90 kHz. */
const TICKS = 1920
/** Transport packets of a PES packet, which no whole number of frames fills. */
const PACKETS = 6
const ROOM = PACKETS * PAYLOAD_BYTES - 14
/** Packets in front of the first: the tables. */
const TABLES = 2

/** A frame of AAC in ADTS, ISO/IEC 14496-3:2019 §1.A.2.2: the header is right, the sound is its number. */
function frame(number: number): Uint8Array {
  const bytes = new Uint8Array(FRAME).fill(number)
  bytes.set([0xff, 0xf1, 0x4c, 0x80 | (FRAME >> 11), (FRAME >> 3) & 0xff, ((FRAME & 7) << 5) | 0x1f, 0xfc])
  return bytes
}

/** A frame of DTS of 1024 samples at 48 kHz, ETSI TS 102 114 §5.3.1, as long as the one of AAC. */
function dtsFrame(number: number): Uint8Array {
  const bytes = new Uint8Array(FRAME).fill(number)
  const size = FRAME - 1
  bytes.set([
    0x7f,
    0xfe,
    0x80,
    0x01,
    0xfc,
    (31 << 2) | (size >> 12),
    (size >> 4) & 0xff,
    ((size & 15) << 4) | 0,
  ])
  bytes.set([(2 << 6) | (13 << 2), 0, 0, 0], 8)
  return bytes
}

/** Packets of a stream of sound whose frames reach from one PES packet into the next, as segmenters write them. */
function packetsOfSound(streamType = ADTS): Uint8Array[] {
  const descriptors = new Uint8Array(0)
  const streams = [{ streamType, pid: PID, descriptors }]
  const association = associationBody(new Map([[1, MAP_PID]]))
  const map = programMapBody({ program: 1, pcrPid: PID, descriptors, streams })
  const packets = [
    ...sectionPackets(
      0,
      writeSection({ tableId: PROGRAM_ASSOCIATION, extension: 1, version: 0, body: association }),
      0,
    ),
    ...sectionPackets(
      MAP_PID,
      writeSection({ tableId: PROGRAM_MAP, extension: 1, version: 0, body: map }),
      0,
    ),
  ]
  const sound = joined(
    Array.from({ length: FRAMES }, (_, number) => (streamType === DTS ? dtsFrame : frame)(number)),
  )
  for (let at = 0; at + ROOM <= sound.length; at += ROOM) {
    const time = Math.ceil(at / FRAME) * TICKS
    const bytes = joined([
      packetHeader(streamType === DTS ? 0xbd : 0xc0, ROOM, time, time),
      sound.subarray(at, at + ROOM),
    ])
    for (let i = 0; i < PACKETS; i++)
      packets.push(
        packetOf(
          PID,
          i === 0,
          packets.length - TABLES,
          bytes.subarray(i * PAYLOAD_BYTES, (i + 1) * PAYLOAD_BYTES),
        ),
      )
  }
  return packets
}

/**
 * Numbers of the frames that a player finds, which takes of a PES packet what it claims, and their PES packets' times in frames.
 */
function framesIn(bytes: Uint8Array, make = frame): { readonly numbers: number[]; readonly times: number[] } {
  const pieces: Uint8Array[] = []
  const times: number[] = []
  let left = 0
  for (const { at, pid } of packetsOf(bytes)) {
    if (pid !== PID) continue
    let payload = bytes.subarray(at + payloadStart(bytes, at), at + 188)
    if (bytes[at + 1] & 0x40) {
      const header = parsePacketHeader(payload, 0)
      if (!header) throw new Error('a PES packet without a header')
      left = ((payload[4] << 8) | payload[5]) + 6 - header.headerLength
      payload = payload.subarray(header.headerLength)
      times.push(header.pts / TICKS)
    }
    pieces.push(payload.subarray(0, left))
    left -= Math.min(left, payload.length)
  }
  const sound = joined(pieces)
  const numbers = Array.from({ length: FRAMES }, (_, number) => number)
  return { numbers: numbers.filter((number) => Buffer.from(sound).includes(make(number))), times }
}

/** First frame that begins in a PES packet. */
const firstIn = (packet: number): number => Math.ceil((packet * ROOM) / FRAME)

it.each([
  ['AAC', ADTS, frame],
  ['DTS', DTS, dtsFrame],
])(
  'behind a hole, frames of %s have the time of the next PES packet, also where the last one ends in that',
  async (_, type, make) => {
    const packets = packetsOfSound(type)
    const all = framesIn(joined(packets), make)
    const hit = 10
    packets.splice(TABLES + hit * PACKETS + 1, 1)
    const { report, bytes } = await repairRecording(joined(packets), 'ts')
    const lost = [170, 170 + PAYLOAD_BYTES].map((byte) => Math.floor((hit * ROOM + byte) / FRAME))
    expect(framesIn(bytes, make).numbers).toEqual(all.numbers.filter((number) => !lost.includes(number)))
    expect(framesIn(bytes, make).times).toEqual([
      ...all.times.slice(0, hit),
      Math.max(...lost) + 1,
      ...all.times.slice(hit + 1),
    ])
    expect(report.verdict).toBe('repaired')
    expect((await repairRecording(bytes, 'ts')).report.verdict).toBe('healthy')
  },
)

it('a file that breaks off behind the end of a frame from the PES packet before keeps that frame', async () => {
  const packets = packetsOfSound()
  // the frame that reaches into this one ends in its first packet, and none begins and ends there
  const cut = 14
  expect(firstIn(cut) * FRAME - cut * ROOM).toBeLessThan(160)
  const damaged = joined(packets.slice(0, TABLES + cut * PACKETS + 1))
  const { bytes } = await repairRecording(joined([damaged, packets[2].subarray(0, 90)]), 'ts')
  expect(framesIn(bytes).numbers).toEqual(Array.from({ length: firstIn(cut) }, (_, number) => number))
  expect((await repairRecording(bytes, 'ts')).report.verdict).toBe('healthy')
})

it('zeros that end a PES packet which has all the bytes it claims stay: cut, its last frame would take of the next', async () => {
  const packets = packetsOfSound()
  const end = TABLES + 11 * PACKETS
  packets[end - 1] = packets[end - 1].slice()
  packets[end - 1].fill(0, 188 - 20)
  const { report, bytes } = await repairRecording(
    joined([...packets.slice(0, end), new Uint8Array(188), ...packets.slice(end)]),
    'ts',
  )
  expect(Buffer.from(bytes).equals(joined(packets))).toBe(true)
  expect(report.tracks[0].damaged).toBeGreaterThan(0)
})

it('a hole that takes a whole turn of the counter is one, and the frames on both sides of it stay', async () => {
  const packets = packetsOfSound()
  const first = TABLES + 10 * PACKETS + 3
  const gone = Array.from({ length: COUNTERS }, (_, i) => first + i)
  // bytes of the sound that a packet of the stream holds
  const held = (index: number): readonly [number, number] => {
    const at = Math.floor(index / PACKETS) * ROOM + (index % PACKETS) * PAYLOAD_BYTES - 14
    return [index % PACKETS === 0 ? at + 14 : at, at + PAYLOAD_BYTES]
  }
  const [from] = held(first - TABLES)
  const [, to] = held(first + COUNTERS - 1 - TABLES)
  const damaged = packets.map((packet, i) => (gone.includes(i) ? new Uint8Array(PACKET_BYTES) : packet))
  const { report, bytes, findings } = await repairRecording(joined(damaged), 'ts')
  expect(findings).toContain('mpegts.continuity')
  const kept = framesIn(joined(packets)).numbers.filter((n) => n * FRAME >= to || (n + 1) * FRAME <= from)
  expect(framesIn(bytes).numbers).toEqual(kept)
  expect(report.tracks[0].lost).toBeGreaterThan(0)
  expect((await repairRecording(bytes, 'ts')).report.verdict).toBe('healthy')
})

it('zeros that end a packet in front of others that were overwritten stay where nothing of its stream is missing', async () => {
  const packets = packetsOfSound()
  const place = TABLES + 10 * PACKETS + 2
  packets[place] = packets[place].slice()
  packets[place].fill(0, PACKET_BYTES - 20)
  const damaged = [
    ...packets.slice(0, place + 1),
    new Uint8Array(PACKET_BYTES * 2),
    ...packets.slice(place + 1),
  ]
  const { bytes } = await repairRecording(joined(damaged), 'ts')
  expect(Buffer.from(bytes).equals(joined(packets))).toBe(true)
})

it.each([
  ['AAC', ADTS, frame],
  ['DTS', DTS, dtsFrame],
])(
  'a file that begins inside a PES packet keeps the frame of %s that is whole in front of the next one, with its time',
  async (_, type, make) => {
    const packets = packetsOfSound(type)
    const all = framesIn(joined(packets), make)
    // of the first PES packet its second half is left, in which one frame is whole; a packet is missing far behind
    packets.splice(TABLES + 10 * PACKETS + 1, 1)
    packets.splice(TABLES, PACKETS / 2)
    const { report, bytes } = await repairRecording(joined(packets), 'ts')
    expect(framesIn(bytes, make).numbers.slice(0, 4)).toEqual(all.numbers.slice(2, 6))
    expect(framesIn(bytes, make).times.slice(0, 2)).toEqual([2, all.times[1]])
    expect(report.verdict).toBe('repaired')
  },
)
