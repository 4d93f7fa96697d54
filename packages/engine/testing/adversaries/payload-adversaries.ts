import { noise } from '../hostile-sources.ts'
import { smallRecording } from '../recordings/catalogue.ts'
import { streamFixture } from '../video/stream-fixture.ts'
import type { Adversary } from './adversary.ts'
import { box, joined, repeated, words } from './bytes.ts'
import { FILE_TYPE } from './movie.ts'

const PICTURES = 60

/** Media data without an index. */
function payload(bytes: Uint8Array): Uint8Array {
  return joined([FILE_TYPE, box('mdat', bytes)])
}

/** A recording's media data without its index. */
function unitsOf(recording: string): Uint8Array {
  const whole = smallRecording(recording, PICTURES, 3)
  const view = new DataView(whole.buffer, whole.byteOffset)
  const start = view.getUint32(0)
  return whole.subarray(start + 8, start + view.getUint32(start))
}

/** Pieces of a recording with junk in between, so that each is a find behind a hole. */
function torn(units: Uint8Array, piece: number, junk: number, bytes: number): Uint8Array {
  const parts: Uint8Array[] = []
  const filler = noise(junk * 64, 7)
  let length = 0
  for (let i = 0; length < bytes; i++) {
    const at = (i * piece) % Math.max(1, units.length - piece)
    const from = (i % 64) * junk
    parts.push(units.subarray(at, at + piece), filler.subarray(from, from + junk))
    length += piece + junk
  }
  return joined(parts)
}

/** Parameter sets of the stored streams as NAL units behind their lengths. */
function parameterSets(): Uint8Array {
  const { bytes, packets } = streamFixture('h264-aud-repeated-headers')
  return bytes.subarray(packets[0].offset, packets[0].offset + Math.min(120, packets[0].size))
}

/** The payload that each of these makes for a recording of some kind. */
const FILLS: Readonly<Record<string, (units: Uint8Array, bytes: number) => Uint8Array>> = {
  'the same unit over and over': (units, bytes) => repeated(units.subarray(0, 1000), bytes),
  'beginnings of units everywhere': (units, bytes) => repeated(units.subarray(0, 12), bytes),
  'units and holes in turns': (units, bytes) => torn(units, 700, 60, bytes),
  'whole recordings one after another': (units, bytes) => repeated(units, bytes),
  noise: (_units, bytes) => noise(bytes, 9),
}

const RECORDINGS = [
  'h264-opus',
  'av1-opus',
  'vp9-opus',
  'vp9',
  'h264-fdsc-gpmd',
  'hevc-camm-mebx',
  'h264-pcm',
]

/** Single bytes that begin units, or nearly, in one codec or another. */
const VALUES = [0x00, 0x01, 0x0a, 0x12, 0x32, 0x47, 0x86, 0xfc, 0xff]

/** Short patterns that begin units everywhere. */
const PATTERNS: Readonly<Record<string, Uint8Array>> = {
  'start codes': Uint8Array.of(0, 0, 1),
  'planes of MPEG-4': Uint8Array.of(0, 0, 1, 0xb6),
  'key planes of MPEG-4': Uint8Array.of(0, 0, 1, 0xb6, 0x10, 0x40),
  'layers of MPEG-4': Uint8Array.of(0, 0, 1, 0x20, 0, 0, 1, 0xb6),
  'sequences of MPEG-2': Uint8Array.of(0, 0, 1, 0xb3, 0x14, 0, 0xf0, 0x23, 0xff, 0xff, 0xe0, 0x18),
  'pictures of MPEG-2': Uint8Array.of(0, 0, 1, 0x00, 0x00, 0x0f, 0xff, 0xf8),
  'pictures of H.263': Uint8Array.of(0, 0, 0x80, 0x02),
  'images of JPEG': Uint8Array.of(0xff, 0xd8, 0xff, 0xd8),
  'frames of MP3': Uint8Array.of(0xff, 0xfb, 0x90),
  'frames of ADTS': Uint8Array.of(0xff, 0xf1, 0x50, 0x80, 0x01, 0x1f, 0xfc),
  'frames of AC-3': Uint8Array.of(0x0b, 0x77, 0x1c, 0x4c),
  'NAL units of one byte': words([1, 0x65000000]),
  'NAL units of a parameter set': Uint8Array.of(0, 0, 0, 2, 0x67, 0x42),
  'messages of HEVC': Uint8Array.of(0, 0, 0x1f, 0, 0x4e, 1, 5, 4),
  'pieces of AMR': Uint8Array.of(0x3c),
  'telemetry of no length': Uint8Array.of(
    0x44,
    0x45,
    0x56,
    0x43,
    0,
    1,
    0,
    8,
    0x44,
    0x56,
    0x49,
    0x44,
    0x4c,
    4,
    0,
    1,
  ),
  'telemetry within telemetry': Uint8Array.of(
    0x44,
    0x45,
    0x56,
    0x43,
    0,
    1,
    0xff,
    0xf8,
    0x44,
    0x56,
    0x49,
    0x44,
  ),
  'packets of motion': Uint8Array.of(0, 0, 2, 0),
  'boxed metadata': words([9, 1]),
  'descriptors of a camera': Uint8Array.of(0x47, 0x50, 1, 1),
}

/** What media data without an index may do, with a sample and without one. */
export const PAYLOAD_ADVERSARIES: readonly Adversary[] = [
  ...RECORDINGS.flatMap((recording) =>
    Object.entries(FILLS).map(([name, fill]) => ({
      name: `${name} (${recording})`,
      make: (bytes: number) => ({
        damaged: payload(fill(unitsOf(recording), bytes)),
        sample: smallRecording(recording, PICTURES, 4),
      }),
    })),
  ),
  ...['h264-opus', 'hevc-camm-mebx', 'h264-fdsc-gpmd', 'vp9-opus'].flatMap((recording) =>
    Object.entries(FILLS).map(([name, fill]) => ({
      name: `${name} (${recording}, no sample)`,
      make: (bytes: number) => ({ damaged: payload(fill(unitsOf(recording), bytes)) }),
    })),
  ),
  ...['av1-opus', 'vp9-opus', 'h264-opus'].flatMap((recording) =>
    VALUES.map((value) => ({
      name: `nothing but ${value} (${recording})`,
      make: (bytes: number) => ({
        damaged: payload(new Uint8Array(bytes).fill(value)),
        sample: smallRecording(recording, PICTURES, 4),
      }),
    })),
  ),
  ...VALUES.map((value) => ({
    name: `nothing but ${value} (no sample)`,
    make: (bytes: number) => ({ damaged: payload(new Uint8Array(bytes).fill(value)) }),
  })),
  ...Object.entries(PATTERNS).map(([name, pattern]) => ({
    name: `${name} (no sample)`,
    make: (bytes: number) => ({ damaged: payload(repeated(pattern, bytes)) }),
  })),
  ...Object.entries(PATTERNS).map(([name, pattern]) => ({
    name: `${name} (hevc-camm-mebx)`,
    make: (bytes: number) => ({
      damaged: payload(repeated(pattern, bytes)),
      sample: smallRecording('hevc-camm-mebx', PICTURES, 4),
    }),
  })),
  {
    name: 'parameter sets all over (no sample)',
    make: (bytes) => ({ damaged: payload(repeated(parameterSets(), bytes)) }),
  },
  {
    name: 'parameter sets, all different (no sample)',
    make: (bytes) => {
      const whole = repeated(parameterSets(), bytes)
      const random = noise(bytes, 5)
      for (let at = 0; at < bytes; at += 37) whole[at] ^= random[at] & 15
      return { damaged: payload(whole) }
    },
  },
]
