import { describe, expect, it } from 'vitest'
import { packetsOf } from '../../../src/formats/mpegts/recipes.ts'
import { DOUBT } from '../../../src/model/doubt.ts'
import { repairRecording } from '../../../testing/recordings/repair-recording.ts'
import { associationPackets, fileOf, type MadeProgram, mapPackets, mediaPackets } from './transport.ts'

const UNITS = 60

/** A picture of H.264 as far as an access unit delimiter tells. */
function picture(number: number): Uint8Array {
  const bytes = new Uint8Array(500).fill(number + 2)
  bytes.set([0, 0, 0, 1, 9, 0x10, 0, 0, 0, 1, 0x41, 0x9a])
  return bytes
}

/** A frame of AAC in ADTS. */
function frame(number: number): Uint8Array {
  const size = 200
  const bytes = new Uint8Array(size).fill(number + 1)
  bytes.set([0xff, 0xf1, 0x4c, 0x80 | (size >> 11), (size >> 3) & 0xff, ((size & 7) << 5) | 0x1f, 0xfc])
  return bytes
}

/** A frame of AC-3 at 48 kHz and 32 kbit/s, ETSI TS 102 366 §4.3. */
function dolby(bytes: Uint8Array): Uint8Array {
  const frame = new Uint8Array(128).fill(bytes[20])
  frame.set([0x0b, 0x77, 0, 0, 0, 0x40, 0x43])
  return frame
}

function program(number: number): MadeProgram {
  const pid = 0x100 * number
  const units = (make: (n: number) => Uint8Array) => Array.from({ length: UNITS }, (_, i) => make(i + number))
  return {
    number,
    mapPid: 0x1000 + number,
    streams: [
      { pid, type: 0x1b, id: 0xe0, payloads: units(picture), ticks: 3600 },
      { pid: pid + 1, type: 0x0f, id: 0xc0, payloads: units(frame), ticks: 3600, from: 1920 },
    ],
  }
}

const programs = [program(1), program(2)]
const media = mediaPackets(programs)
const whole = fileOf([...associationPackets(programs), ...programs.flatMap(mapPackets), ...media])
const lost = fileOf(media)
const oneLost = fileOf([...associationPackets(programs), ...mapPackets(programs[0]), ...media])
const pids = ({ tracks }: { readonly tracks: readonly { readonly id: number }[] }) =>
  tracks.map(({ id }) => id).sort((a, b) => a - b)
const ALL = [0x100, 0x101, 0x200, 0x201]

describe('a transport stream of several programs', () => {
  it('is healthy as it is', async () => {
    expect((await repairRecording(whole, 'ts')).report.verdict).toBe('healthy')
  })

  it('gets the maps of all of them from a sample when they are lost', async () => {
    const { report, bytes } = await repairRecording(lost, 'ts', whole)
    expect(report.verdict).toBe('repaired')
    expect(pids(report)).toEqual(ALL)
    expect(Buffer.from(bytes).equals(whole)).toBe(false)
    const maps = packetsOf(bytes).slice(0, 3)
    expect(new Set(maps.map(({ pid }) => pid)).size).toBe(3)
    expect(bytes.subarray(bytes.length - lost.length)).toEqual(lost)
    expect((await repairRecording(bytes, 'ts')).report.verdict).toBe('healthy')
  })

  it('takes sound that a sample names by a descriptor for the coding that the streams show', async () => {
    const [made] = programs
    const descriptors = Uint8Array.of(0x6a, 1, 0)
    const sound = {
      ...made.streams[1],
      type: 0x06,
      descriptors,
      id: 0xbd,
      payloads: made.streams[1].payloads.map(dolby),
    }
    const broadcast = [{ ...made, streams: [made.streams[0], sound] }]
    const own = fileOf(mediaPackets(broadcast))
    const sample = fileOf([
      ...associationPackets(broadcast),
      ...mapPackets(broadcast[0]),
      ...mediaPackets(broadcast),
    ])
    const { report } = await repairRecording(own, 'ts', sample)
    expect(report.tracks.map(({ codec }) => codec)).toEqual(['h264', 'ac3'])
    expect(report.verdict).toBe('repaired')
  })

  it('keeps the map that it has and gets the other one from a sample, or from the streams', async () => {
    const lent = await repairRecording(oneLost, 'ts', whole)
    expect(lent.findings).toEqual(['mpegts.table-missing'])
    expect(lent.report.verdict).toBe('repaired')
    expect(pids(lent.report)).toEqual(ALL)
    expect(lent.bytes.subarray(lent.bytes.length - media.length * 188)).toEqual(fileOf(media))
    const { report, bytes } = await repairRecording(oneLost, 'ts')
    expect(report.doubts).toEqual([DOUBT.assumed])
    expect(pids(report)).toEqual(ALL)
    for (const result of [bytes, lent.bytes]) {
      const again = await repairRecording(result, 'ts')
      expect(again.report.verdict).toBe('healthy')
    }
  })

  it('is healthy where it carries nothing of a program that its association names', async () => {
    const own = mediaPackets([programs[0]])
    const file = fileOf([...associationPackets(programs), ...mapPackets(programs[0]), ...own])
    expect((await repairRecording(file, 'ts')).report.verdict).toBe('healthy')
  })
})
