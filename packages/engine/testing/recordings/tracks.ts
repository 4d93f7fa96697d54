import { pictureEntry, plainEntry, soundEntry } from '../../src/formats/isobmff/boxes/sample-entries.ts'
import { BoxWriter } from '../../src/syntax/iso-boxes/box-writer.ts'
import { randomFrom } from '../hostile-sources.ts'
import { streamFixture } from '../video/stream-fixture.ts'
import type { RecordedUnit, RecordingTrack } from './write-recording.ts'

/** Sample entry and configuration box of the stored streams, by codec. */
const PICTURE_ENTRIES: Readonly<Record<string, { format: string; box: string; full: boolean }>> = {
  h264: { format: 'avc1', box: 'avcC', full: false },
  hevc: { format: 'hvc1', box: 'hvcC', full: false },
  av1: { format: 'av01', box: 'av1C', full: false },
  vp9: { format: 'vp09', box: 'vpcC', full: true },
}

/** Pictures of a stored stream, over and over, at 30 a second. */
export function pictureTrack(stream: string, pictures: number): RecordingTrack {
  const { codec, width, height, config, bytes, packets } = streamFixture(stream)
  const kind = PICTURE_ENTRIES[codec]
  if (!kind) throw new Error(`no sample entry for ${codec}`)
  const record = kind.full ? Uint8Array.of(1, 0, 0, 0, ...config) : config
  return {
    handler: 'vide',
    timescale: 30_000,
    entry: pictureEntry({ format: kind.format, width, height, boxes: [[kind.box, record]] }),
    width,
    height,
    units: Array.from({ length: pictures }, (_, i) => {
      const { offset, size, key } = packets[i % packets.length]
      return { bytes: bytes.subarray(offset, offset + size), duration: 1000, key }
    }),
  }
}

/** CELT, full band, 20 ms, stereo, one frame: RFC 6716 §3.1. */
const OPUS_TOC = 0xfc
const OPUS_RATE = 48_000
const OPUS_TICKS = 960

/** Packets of Opus of about `bytes` bytes that hold noise. */
export function opusTrack(packets: number, bytes: number, seed: number): RecordingTrack {
  const random = randomFrom(seed)
  // version, channels, pre-skip, rate, gain, mapping family: Encapsulation of Opus in ISOBMFF §4.3.2
  const specific = Uint8Array.of(0, 2, 1, 56, 0, 0, 187, 128, 0, 0, 0)
  return {
    handler: 'soun',
    timescale: OPUS_RATE,
    entry: soundEntry({ format: 'Opus', channels: 2, rate: OPUS_RATE, boxes: [['dOps', specific]] }),
    units: Array.from({ length: packets }, () => ({
      bytes: Uint8Array.from({ length: bytes + Math.floor(random() * 9) }, (_, i) =>
        i === 0 ? OPUS_TOC : Math.floor(random() * 256),
      ),
      duration: OPUS_TICKS,
    })),
  }
}

/** Speech of 12.2 kbit/s whose bits are random, 3GPP TS 26.101 §4: any decode to some sound. */
export function amrTrack(frames: number, seed: number): RecordingTrack {
  const random = randomFrom(seed)
  // vendor, decoder version, modes, mode change period, frames a sample: 3GPP TS 26.244 §6.7
  const specific = Uint8Array.of(0, 0, 0, 0, 0, 0x81, 0xff, 0, 1)
  return {
    handler: 'soun',
    timescale: 8000,
    entry: soundEntry({ format: 'samr', channels: 1, rate: 8000, boxes: [['damr', specific]] }),
    units: Array.from({ length: frames }, () => ({
      bytes: Uint8Array.from({ length: 32 }, (_, i) => (i === 0 ? 0x3c : Math.floor(random() * 256))),
      duration: 160,
    })),
  }
}

/** Sound in 16 bits, mono, a tone. */
export function pcmTrack(chunks: number, framesPerChunk: number): RecordingTrack {
  const rate = 8000
  const chunk = (number: number): RecordedUnit => {
    const bytes = new Uint8Array(framesPerChunk * 2)
    const view = new DataView(bytes.buffer)
    for (let i = 0; i < framesPerChunk; i++)
      view.setInt16(i * 2, Math.round(9000 * Math.sin((number * framesPerChunk + i) / 9)))
    return { bytes, duration: framesPerChunk }
  }
  return {
    handler: 'soun',
    timescale: rate,
    entry: soundEntry({ format: 'twos', channels: 1, rate }),
    units: Array.from({ length: chunks }, (_, i) => chunk(i)),
  }
}

/** Packets of motion of one kind, Camera Motion Metadata specification, type 2: three floats. */
export function cammTrack(packets: number, seed: number): RecordingTrack {
  const random = randomFrom(seed)
  return dataTrack('camm', 'camm', 1000, 5, packets, () => {
    const bytes = new Uint8Array(16)
    const view = new DataView(bytes.buffer)
    view.setUint16(2, 2, true)
    for (let at = 4; at < 16; at += 4) view.setFloat32(at, random() * 4 - 2, true)
    return bytes
  })
}

/** Telemetry of one device, a second a sample (GoPro Metadata Format). */
export function gpmdTrack(packets: number, seed: number): RecordingTrack {
  const random = randomFrom(seed)
  return dataTrack('meta', 'gpmd', 1000, 200, packets, () => {
    const writer = new BoxWriter()
    const values = 8 + Math.floor(random() * 8)
    const nested = 12 + 8 + values * 4
    writer.fourcc('DEVC')
    writer.u32(nested)
    writer.fourcc('DVID')
    writer.u32(0x4c04_0001)
    writer.u32(1)
    writer.fourcc('ACCL')
    writer.u32(0x6604_0000 + values)
    for (let i = 0; i < values; i++) writer.u32(Math.floor(random() * 0x1_0000_0000))
    // sizes: type, bytes of one value, number of values
    writer.patch32(4, 0x0001_0000 + nested)
    return writer.bytes().slice()
  })
}

/** Boxed metadata of one to three keys, QuickTime File Format, 'Timed Metadata Media'. */
export function mebxTrack(packets: number, seed: number): RecordingTrack {
  const random = randomFrom(seed)
  return dataTrack('meta', 'mebx', 600, 20, packets, () => {
    const writer = new BoxWriter()
    for (let key = 1; key <= 1 + Math.floor(random() * 3); key++) {
      writer.u32(12)
      writer.u32(key)
      writer.u32(Math.floor(random() * 1000))
    }
    return writer.bytes().slice()
  })
}

/** A descriptor before every sample of `other`, as HERO cameras write them: its size and duration. */
export function fdscTrack(other: RecordingTrack): RecordingTrack {
  let next = 0
  return dataTrack('fdsc', 'fdsc', other.timescale, other.units[0].duration, other.units.length, () => {
    const { bytes, duration } = other.units[next++]
    const writer = new BoxWriter()
    writer.u32(0x4750_0101)
    writer.u32(bytes.length)
    writer.u32(duration)
    writer.u32(0)
    return writer.bytes().slice()
  })
}

/** How a recording's packets are to be sent, ISO/IEC 14496-12:2022 §9.1.3: each in one packet whose bytes its own track holds. */
export function hintTrack(media: RecordingTrack, payloadType: number): RecordingTrack {
  const units = media.units.map(({ bytes, duration }, i) => ({
    bytes: hintSample({ packet: i, payloadType, track: 0, sample: i + 1, length: bytes.length, from: 0 }),
    duration,
  }))
  return { handler: 'hint', timescale: media.timescale, entry: hintEntry(media.timescale), units }
}

/** As `hintTrack`, the bytes being held in the hint samples themselves, each of which one without packets follows. */
export function carryingHintTrack(media: RecordingTrack, payloadType: number): RecordingTrack {
  const units = media.units.flatMap(({ bytes, duration }, i) => {
    const head = { packet: i, payloadType, track: ITSELF, sample: 2 * i + 1, length: bytes.length }
    const sample = hintSample({ ...head, from: HINT_BYTES })
    return [
      { bytes: Uint8Array.of(...sample, ...bytes), duration: 1 },
      { bytes: new Uint8Array(4), duration: duration - 1 },
    ]
  })
  return { handler: 'hint', timescale: media.timescale, entry: hintEntry(media.timescale), units }
}

/** Track reference of an entry that means the hint track itself. */
const ITSELF = 0xff
/** Bytes of a hint sample of one packet with one entry. */
const HINT_BYTES = 32

function hintSample(facts: {
  packet: number
  payloadType: number
  track: number
  sample: number
  length: number
  from: number
}): Uint8Array {
  const writer = new BoxWriter()
  writer.u32(0x0001_0000)
  writer.u32(0)
  writer.u8(0)
  writer.u8(facts.payloadType)
  writer.u16(facts.packet & 0xffff)
  writer.u32(1)
  // an entry that takes bytes from a sample
  writer.u8(2)
  writer.u8(facts.track)
  writer.u16(facts.length)
  writer.u32(facts.sample)
  writer.u32(facts.from)
  writer.u32(0x0001_0001)
  return writer.bytes().slice()
}

function hintEntry(timescale: number): Uint8Array {
  const writer = new BoxWriter()
  writer.u32(0x0001_0001)
  writer.u32(1450)
  writer.box('tims', () => writer.u32(timescale))
  return plainEntry('rtp ', writer.bytes())
}

function dataTrack(
  handler: string,
  format: string,
  timescale: number,
  duration: number,
  count: number,
  unit: () => Uint8Array,
): RecordingTrack {
  const units = Array.from({ length: count }, () => ({ bytes: unit(), duration }))
  return { handler, timescale, entry: plainEntry(format), units }
}
