import { expect, it } from 'vitest'
import { joined } from '../../../src/bytes/joined.ts'
import { payloadStart } from '../../../src/formats/mpegts/read/packet.ts'
import { packetsOf } from '../../../src/formats/mpegts/recipes.ts'
import { parsePacketHeader } from '../../../src/syntax/pes/packet-header.ts'
import { repairRecording } from '../../../testing/recordings/repair-recording.ts'
import { associationPackets, fileOf, type MadeProgram, mapPackets, mediaPackets } from './transport.ts'

const PID = 0x101
const FRAME = 300
/** Of a frame, 1024 of 48 000 Hz, in ticks of 90 kHz. */
const TICKS = 1920
const FRAMES_A_UNIT = 8
const UNITS = 24
/** Transport packets of a PES packet, with the one in front that has nothing but a clock reference. */
const PACKETS = 15

/** A frame of AAC in ADTS, ISO/IEC 14496-3:2019 §1.A.2.2: the header is right, the sound is its number. */
function frame(number: number, length = FRAME): Uint8Array {
  const bytes = new Uint8Array(length).fill(number)
  bytes.set([0xff, 0xf1, 0x4c, 0x80 | (length >> 11), (length >> 3) & 0xff, ((length & 7) << 5) | 0x1f, 0xfc])
  return bytes
}

function recording(lengthOf: (number: number) => number): Uint8Array[] {
  const payloads = Array.from({ length: UNITS }, (_, unit) =>
    joined(
      Array.from({ length: FRAMES_A_UNIT }, (_, i) => {
        const number = unit * FRAMES_A_UNIT + i
        return frame(number, lengthOf(number))
      }),
    ),
  )
  const stream = { pid: PID, type: 0x0f, id: 0xc0, payloads, ticks: FRAMES_A_UNIT * TICKS, from: 90_000 }
  const program: MadeProgram = { number: 1, mapPid: 0x1000, streams: [stream] }
  return [...associationPackets([program]), ...mapPackets(program), ...mediaPackets([program])]
}

/** Place in the file of a packet of a PES packet, its header's being 0. */
const place = (unit: number, packet: number): number => 2 + unit * PACKETS + 1 + packet

/** By the number of the first frame of each PES packet, when it sounds, in frames. */
function timesOf(bytes: Uint8Array): Map<number, number> {
  const times = new Map<number, number>()
  for (const { at, pid } of packetsOf(bytes)) {
    if (pid !== PID || (bytes[at + 1] & 0x40) === 0) continue
    const start = at + payloadStart(bytes, at)
    const header = parsePacketHeader(bytes.subarray(start), 0)
    if (!header) throw new Error('a PES packet without a header')
    // a header that was put in fills a packet of its own
    const isAlone = start + header.headerLength >= at + 188
    const next = isAlone ? at + 188 + payloadStart(bytes, at + 188) : start + header.headerLength
    times.set(bytes[next + 20], (header.pts - 90_000) / TICKS)
  }
  return times
}

/** What the PES packets hold. */
function soundOf(bytes: Uint8Array): Buffer {
  const pieces: Uint8Array[] = []
  for (const { at, pid } of packetsOf(bytes)) {
    if (pid !== PID) continue
    const payload = bytes.subarray(at + payloadStart(bytes, at), at + 188)
    const begins = (bytes[at + 1] & 0x40) !== 0
    pieces.push(payload.subarray(begins ? (parsePacketHeader(payload, 0)?.headerLength ?? 0) : 0))
  }
  return Buffer.concat(pieces)
}

/** Overwrites packets with zeros. */
function zeroed(packets: readonly Uint8Array[], from: number, to: number): Uint8Array[] {
  return packets.map((packet, i) => (i >= from && i < to ? new Uint8Array(packet.length) : packet))
}

const ISLAND = 11
/** The first and the last packet of what lies between two holes. */
const FIRST = 3
const BEHIND = 8
/** Whole frames there. */
const WHOLE = [2, 3].map((i) => ISLAND * FRAMES_A_UNIT + i)

function twoHoles(packets: readonly Uint8Array[]): Uint8Array[] {
  const once = zeroed(packets, place(ISLAND - 1, 9), place(ISLAND, FIRST))
  return zeroed(once, place(ISLAND, BEHIND), place(ISLAND + 1, -1))
}

it('frames of sound between two holes, the first of which took their header, get the time at which they were', async () => {
  const { report, bytes } = await repairRecording(fileOf(twoHoles(recording(() => FRAME))), 'ts')
  for (const number of WHOLE) expect(soundOf(bytes).includes(frame(number))).toBe(true)
  expect(timesOf(bytes).get(WHOLE[0])).toBe(WHOLE[0])
  expect(report.verdict).toBe('repaired')
  expect((await repairRecording(bytes, 'ts')).report.verdict).toBe('healthy')
})

it('a hole that begins within a packet counts as that packet does', async () => {
  const packets = twoHoles(recording(() => FRAME))
  const torn = place(ISLAND, BEHIND - 1)
  packets[torn] = packets[torn].slice()
  packets[torn].fill(0, 100)
  const { bytes } = await repairRecording(fileOf(packets), 'ts')
  for (const number of WHOLE) expect(soundOf(bytes).includes(frame(number))).toBe(true)
  expect(timesOf(bytes).get(WHOLE[0])).toBe(WHOLE[0])
})

it('where frames are not of one length, nothing tells when those between two holes sound', async () => {
  const { report, bytes } = await repairRecording(
    fileOf(twoHoles(recording((number) => FRAME + ((number % 3) - 1) * 2))),
    'ts',
  )
  expect(soundOf(bytes).includes(frame(WHOLE[0], FRAME + ((WHOLE[0] % 3) - 1) * 2))).toBe(true)
  expect(report.doubts?.map(({ code }) => code)).toEqual(['times'])
})

it('a counter that was hit between two holes divides nothing', async () => {
  const packets = twoHoles(recording(() => FRAME))
  const hit = place(ISLAND, FIRST + 2)
  packets[hit] = packets[hit].slice()
  packets[hit][3] ^= 4
  const { bytes } = await repairRecording(fileOf(packets), 'ts')
  for (const number of WHOLE) expect(soundOf(bytes).includes(frame(number))).toBe(true)
  expect(timesOf(bytes).get(WHOLE[0])).toBe(WHOLE[0])
})

it('packets that are lost without a trace but their counters leave holes of the same kind', async () => {
  const packets = recording(() => FRAME)
  packets.splice(place(ISLAND, BEHIND), 2)
  packets.splice(place(ISLAND - 1, 9), place(ISLAND, FIRST) - place(ISLAND - 1, 9))
  const { report, bytes } = await repairRecording(fileOf(packets), 'ts')
  for (const number of WHOLE) expect(soundOf(bytes).includes(frame(number))).toBe(true)
  expect(timesOf(bytes).get(WHOLE[0])).toBe(WHOLE[0])
  expect(report.verdict).toBe('repaired')
})
