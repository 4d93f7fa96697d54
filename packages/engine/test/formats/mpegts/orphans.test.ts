import { expect, it } from 'vitest'
import { PACKET_BYTES, PAYLOAD_BYTES } from '../../../src/formats/mpegts/read/packet.ts'
import { packetsOf } from '../../../src/formats/mpegts/recipes.ts'
import { packetOf } from '../../../src/formats/mpegts/write/packets.ts'
import { packetHeader } from '../../../src/syntax/pes/packet-header.ts'
import { repairRecording } from '../../../testing/recordings/repair-recording.ts'
import { associationPackets, fileOf, type MadeProgram, mapPackets } from './transport.ts'

const PID = 0x100
const UNITS = 40
const HIT = 20
/** Packets of a picture behind that of its header. */
const OWN = 3

/** A picture with an access unit delimiter, which fills its packets. */
function picture(number: number): Uint8Array {
  const bytes = new Uint8Array(OWN * PAYLOAD_BYTES).fill(number + 2)
  bytes.set([0, 0, 0, 1, 9, 0x10, 0, 0, 0, 1, 0x41, 0x9a])
  return bytes
}

/** Packets of pictures whose PES headers stand in packets of their own, as some segmenters write them. */
function packetsOfPictures(): Uint8Array[] {
  return Array.from({ length: UNITS }, (_, number) => {
    const bytes = picture(number)
    const header = packetHeader(0xe0, 0x10000, number * 3600, number * 3600)
    const parts = Array.from({ length: OWN }, (_, i) =>
      packetOf(
        PID,
        false,
        number * (OWN + 1) + 1 + i,
        bytes.subarray(i * PAYLOAD_BYTES, (i + 1) * PAYLOAD_BYTES),
      ),
    )
    return [packetOf(PID, true, number * (OWN + 1), header), ...parts]
  }).flat()
}

it('a picture that begins behind a hole which took its PES header stays, and nothing of the one before joins it', async () => {
  const program: MadeProgram = {
    number: 1,
    mapPid: 0x1000,
    streams: [{ pid: PID, type: 0x1b, id: 0xe0, payloads: [], ticks: 3600 }],
  }
  const media = packetsOfPictures()
  const first = HIT * (OWN + 1)
  for (const gone of [first - 1, first]) media[gone] = new Uint8Array(PACKET_BYTES)
  const file = fileOf([...associationPackets([program]), ...mapPackets(program), ...media])
  const { report, bytes } = await repairRecording(file, 'ts')
  const [track] = report.tracks
  expect([track.lost, track.damaged]).toEqual([0, 1])
  const kept = packetsOf(bytes).filter(({ pid }) => pid === PID)
  const begins = kept.filter(({ at }) => bytes[at + 1] & 0x40)
  expect(begins.length).toBe(UNITS - 1)
  // those of the picture in front that are left, one that says that something is missing, and its own
  const between = kept.slice(kept.indexOf(begins[HIT - 1]) + 1, kept.indexOf(begins[HIT]))
  const own = between.filter(({ at }) => bytes[at + 3] & 0x10).slice(OWN - 1)
  const payload = own.flatMap(({ at }) => [...bytes.subarray(at + 4, at + PACKET_BYTES)])
  expect(payload).toEqual([...picture(HIT)])
  const again = await repairRecording(bytes, 'ts')
  expect(again.report.verdict).toBe('healthy')
})
