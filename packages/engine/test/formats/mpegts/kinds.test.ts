import { expect, it } from 'vitest'
import { joined } from '../../../src/bytes/joined.ts'
import { LAYOUTS, type Layout } from '../../../src/formats/mpegts/read/packet.ts'
import { repairRecording } from '../../../testing/recordings/repair-recording.ts'
import { associationPackets, fileOf, type MadeProgram, mapPackets, mediaPackets } from './transport.ts'

const UNITS = 40
const PRIVATE = 0xbd
const EXTENDED = 0xfd
const MPEG_SOUND = 0xc0
const [PLAIN, TIMED] = LAYOUTS

/** A PES packet of Blu-ray PCM: 5 ms of six channels at 48 kHz in 24 bits, behind a header that counts its bytes. */
function discPcm(number: number): Uint8Array {
  const bytes = new Uint8Array(4 + 240 * 6 * 3).fill(number + 1)
  bytes.set([(bytes.length - 4) >> 8, (bytes.length - 4) & 0xff, 0x91, 0xc0])
  return bytes
}

/** A segment of presentation graphics: a composition first, ends of display sets between. */
function graphics(number: number): Uint8Array {
  const isEnd = number % 2 === 1
  const body = isEnd ? 0 : 11
  const bytes = new Uint8Array(3 + body)
  bytes.set([isEnd ? 0x80 : 0x16, 0, body])
  return bytes
}

/** A picture of VC-1 with its sequence header, SMPTE ST 421 Annex E. */
function advancedPicture(number: number): Uint8Array {
  const bytes = new Uint8Array(400).fill(number + 2)
  bytes.set([0, 0, 1, 0x0f, 0xca, 0x84, 0x10, 0, 0, 1, 0x0e, 0x10, 0, 0, 1, 0x0d])
  return bytes
}

/** A picture of MPEG-2 video whose sequence header is not in the file, ISO/IEC 13818-2:2013 §6.2.3. */
function lonePicture(number: number): Uint8Array {
  const bytes = new Uint8Array(400).fill(number + 2)
  bytes.set([0, 0, 1, 0, number >> 2, 0x1f, 0xff, 0xfb, 0xb8, 0, 0, 1, 0xb5, 0x85, 0x45, 0x43, 0x5d, 0x80])
  return bytes
}

/** An extension substream of DTS without a core, 1024 samples at 48 kHz, ETSI TS 102 114 §7.4.1. */
function expressFrame(number: number): Uint8Array {
  const bytes = new Uint8Array(400).fill(number + 3)
  const size = bytes.length - 1
  bytes.set([0x64, 0x58, 0x20, 0x25, 0, 0x00 | (11 >> 3), ((11 & 7) << 5) | (size >> 11), (size >> 3) & 0xff])
  bytes[8] = ((size & 7) << 5) | 0x10 | (2 << 2) | (1 >> 1)
  bytes[9] = 0x80
  return bytes
}

/** A frame of AAC in LOAS, ISO/IEC 14496-3:2019 §1.7.2. */
function latmFrame(number: number): Uint8Array {
  const bytes = new Uint8Array(300).fill(number + 4)
  const size = bytes.length - 3
  bytes.set([0x56, 0xe0 | (size >> 8), size & 0xff, 0x20])
  return bytes
}

/** Frames in PES packets that begin and end inside them. */
function straddling(frame: (number: number) => Uint8Array): Uint8Array[] {
  const bytes = joined(Array.from({ length: UNITS * 2 }, (_, i) => frame(i))).subarray(77)
  const each = 700
  return Array.from({ length: Math.floor(bytes.length / each) }, (_, i) =>
    bytes.subarray(i * each, (i + 1) * each),
  )
}

/** A frame of AAC in ADTS, ISO/IEC 14496-3:2019 §1.A.2.2. */
function adtsFrame(number: number): Uint8Array {
  const size = 300
  const bytes = new Uint8Array(size).fill(number + 5)
  bytes.set([0xff, 0xf1, 0x4c, 0x80 | (size >> 11), (size >> 3) & 0xff, ((size & 7) << 5) | 0x1f, 0xfc])
  return bytes
}

/** An access unit of TrueHD that begins with a major sync. */
function losslessUnit(number: number): Uint8Array {
  const bytes = new Uint8Array(360).fill(number + 6)
  bytes.set([0x40, 0xb4, 0, number, 0xf8, 0x72, 0x6f, 0xba])
  return bytes
}

/** Subtitles of a broadcast, page 7, EN 300 743. */
function subtitle(number: number): Uint8Array {
  return Uint8Array.of(
    0x20,
    0,
    0x0f,
    0x10,
    0,
    7,
    0,
    2,
    30,
    (number << 4) & 0xf0,
    0x0f,
    0x80,
    0,
    7,
    0,
    0,
    0xff,
  )
}

/** Teletext, EN 300 472: three lines. */
function teletext(number: number): Uint8Array {
  const bytes = new Uint8Array(1 + 3 * 46).fill(number)
  bytes[0] = 0x10
  for (let line = 0; line < 3; line++) bytes.set([0x02, 0x2c], 1 + line * 46)
  return bytes
}

const units = (make: (number: number) => Uint8Array): Uint8Array[] =>
  Array.from({ length: UNITS }, (_, i) => make(i))

it.each<[string, string, Layout, number, readonly Uint8Array[]]>([
  ['PCM of Blu-ray discs', 'pcm-bluray', TIMED, PRIVATE, units(discPcm)],
  ['PCM of Blu-ray discs without arrival times', 'pcm-bluray', PLAIN, PRIVATE, units(discPcm)],
  ['graphics of Blu-ray discs', 'pgs', TIMED, PRIVATE, units(graphics)],
  ['graphics of Blu-ray discs without arrival times', 'pgs', PLAIN, PRIVATE, units(graphics)],
  ['MPEG-2 video without a sequence header', 'mpeg2video', PLAIN, 0xe0, units(lonePicture)],
  ['VC-1', 'vc1', TIMED, EXTENDED, units(advancedPicture)],
  ['TrueHD', 'truehd', TIMED, EXTENDED, units(losslessUnit)],
  ['DTS without a core', 'dts', TIMED, EXTENDED, units(expressFrame)],
  ['subtitles of a broadcast', 'dvb-subtitle', PLAIN, PRIVATE, units(subtitle)],
  ['teletext', 'teletext', PLAIN, PRIVATE, units(teletext)],
  ['AAC in LOAS', 'aac-latm', PLAIN, MPEG_SOUND, units(latmFrame)],
  ['AAC in LOAS that begins inside a frame', 'aac-latm', PLAIN, MPEG_SOUND, straddling(latmFrame)],
  ['AAC in ADTS that begins inside a frame', 'aac-adts', PLAIN, MPEG_SOUND, straddling(adtsFrame)],
])('%s says itself what it is where the tables are lost', async (_, codec, layout, id, payloads) => {
  const stream = { pid: 0x1100, type: 0, id, payloads, ticks: 1920 }
  const program: MadeProgram = { number: 1, mapPid: 0x100, streams: [stream] }
  const { report, bytes } = await repairRecording(fileOf(mediaPackets([program]), layout), 'm2ts')
  expect(report.tracks.map((track) => track.codec)).toEqual([codec])
  expect(report.verdict).toBe('partial')
  expect((await repairRecording(bytes, 'm2ts')).report.verdict).toBe('healthy')
})

it('a stream that does not tell what it is, whose map is lost, is a doubt', async () => {
  const strange = {
    pid: 0x1200,
    type: 6,
    id: PRIVATE,
    payloads: units(() => new Uint8Array(90).fill(7)),
    ticks: 1920,
  }
  const sound = { pid: 0x1100, type: 0x0f, id: MPEG_SOUND, payloads: units(adtsFrame), ticks: 1920 }
  const program: MadeProgram = { number: 1, mapPid: 0x100, streams: [sound, strange] }
  const lost = await repairRecording(fileOf(mediaPackets([program])), 'ts')
  expect(lost.doubts).toEqual(['assumed', 'missing'])
  const whole = fileOf([...associationPackets([program]), ...mapPackets(program), ...mediaPackets([program])])
  const lent = await repairRecording(fileOf(mediaPackets([program])), 'ts', whole)
  expect(lent.report.verdict).toBe('repaired')
})

it('where times were hit, those of text, which comes at any time, are a doubt', async () => {
  const sound = { pid: 0x1100, type: 0x0f, id: MPEG_SOUND, payloads: units(adtsFrame), ticks: 1920 }
  const descriptors = Uint8Array.of(0x59, 8, 0x75, 0x6e, 0x64, 0x10, 0, 7, 0, 7)
  const payloads = units(subtitle).slice(0, 4)
  const text = { pid: 0x1200, type: 6, id: PRIVATE, payloads, ticks: 17_000, descriptors }
  for (const [streams, doubts] of [
    [[sound], []],
    [[sound, text], ['times']],
  ] as const) {
    const program: MadeProgram = { number: 1, mapPid: 0x100, streams }
    const media = mediaPackets([program])
    const starts = media.filter(
      (packet) => packet[2] === 0 && (packet[1] & 0x5f) === 0x51 && packet[3] & 0x10,
    )
    const hit = starts[20]
    // a bit of the time stamp worth 90 seconds
    hit[hit.indexOf(MPEG_SOUND) + 7] ^= 2
    const file = fileOf([...associationPackets([program]), ...mapPackets(program), ...media])
    const told = await repairRecording(file, 'ts')
    expect(told.findings).toEqual(['mpegts.time-stamp'])
    expect(told.doubts).toEqual(doubts)
  }
})
