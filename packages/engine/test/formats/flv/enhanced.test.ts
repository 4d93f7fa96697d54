import { describe, expect, it } from 'vitest'
import { tagsOf } from '../../../src/formats/flv/recipes.ts'
import { repairRecording } from '../../../testing/recordings/repair-recording.ts'
import { streamFixture } from '../../../testing/video/stream-fixture.ts'

const AUDIO = 8
const VIDEO = 9
/** Milliseconds of a picture, and of a packet of Opus. */
const PICTURE = 40
const PACKET = 20

interface Tag {
  readonly kind: number
  readonly time: number
  readonly data: readonly number[]
}

const code = (text: string): number[] => [...Buffer.from(text)]

function tag({ kind, time, data }: Tag): number[] {
  const size = [data.length >> 16, (data.length >> 8) & 255, data.length & 255]
  const times = [(time >> 16) & 255, (time >> 8) & 255, time & 255, time >>> 24]
  const whole = data.length + 11
  const trailer = [whole >>> 24, (whole >> 16) & 255, (whole >> 8) & 255, whole & 255]
  return [kind, ...size, ...times, 0, 0, 0, ...data, ...trailer]
}

/**
 * Pictures of a stored stream as Enhanced RTMP has them: four characters behind frame and packet type, and `more` behind these.
 */
function pictures(stream: string, fourcc: string, type: number, more: readonly number[] = []): Tag[] {
  const { bytes, packets, config } = streamFixture(stream)
  return [
    { kind: VIDEO, time: 0, data: [0x90, ...code(fourcc), ...config] },
    ...packets.map(({ offset, size, key }, i) => ({
      ...{ kind: VIDEO, time: i * PICTURE },
      data: [(key ? 0x90 : 0xa0) | type, ...code(fourcc), ...more, ...bytes.subarray(offset, offset + size)],
    })),
  ]
}

/** OpusHead of two channels, RFC 7845 §5.1, with a pre-skip of its own. */
const HEAD = [...code('OpusHead'), 1, 2, 0x38, 1, 0x80, 0xbb, 0, 0, 0, 0, 0]

/** Packets of 20 ms in two channels: a configuration of the hybrid mode and the stereo bit in front, RFC 6716 §3.1. */
function opus(until: number): Tag[] {
  const packets = Array.from({ length: Math.ceil(until / PACKET) }, (_, i) => ({
    ...{ kind: AUDIO, time: i * PACKET },
    data: [
      0x91,
      ...code('Opus'),
      0x7c,
      ...Array.from({ length: 60 + (i % 7) }, (_, at) => (at * 31 + i * 17) & 255),
    ],
  }))
  return [{ kind: AUDIO, time: 0, data: [0x90, ...code('Opus'), ...HEAD] }, ...packets]
}

function film(...streams: readonly (readonly Tag[])[]): Uint8Array {
  const tags = streams.flat().sort((a, b) => a.time - b.time)
  return Uint8Array.from([0x46, 0x4c, 0x56, 1, 5, 0, 0, 0, 9, 0, 0, 0, 0, ...tags.flatMap(tag)])
}

const dataOf = (bytes: Uint8Array): string[] =>
  tagsOf(bytes)
    .filter((at) => bytes[at] !== 18)
    .map((at) =>
      Buffer.from(bytes.subarray(at + 11, at + 11 + bytes[at + 2] * 256 + bytes[at + 3])).toString('hex'),
    )

const lasts = streamFixture('av1').packets.length * PICTURE

describe.each([
  ['AV1', 'av1', film(pictures('av1', 'av01', 1), opus(lasts))],
  ['VP9', 'vp9', film(pictures('vp9', 'vp09', 1), opus(lasts))],
  ['HEVC', 'hevc', film(pictures('hevc-p', 'hvc1', 1, [0, 0, 0]), opus(lasts))],
  ['H.264', 'h264', film(pictures('h264-baseline', 'avc1', 1, [0, 0, 0]), opus(lasts))],
  ['H.264 shown when it is decoded', 'h264', film(pictures('h264-baseline', 'avc1', 3), opus(lasts))],
])('%s and Opus of Enhanced RTMP', (_name, codec, whole) => {
  it('are found again behind a hole, and nothing else is lost', async () => {
    const tags = tagsOf(whole)
    const [from, to] = [tags[30], tags[33]]
    const { report, bytes } = await repairRecording(whole.slice().fill(0, from + 4, to - 8), 'flv')
    expect(report.verdict).toBe('repaired')
    expect(report.tracks.map((track) => track.codec)).toEqual([codec, 'opus'])
    expect(dataOf(bytes)).toEqual(dataOf(whole).filter((_unused, i) => i < 30 || i >= 33))
  })

  it('have their configuration from the sample where the head is gone', async () => {
    const { report, bytes } = await repairRecording(whole.slice(tagsOf(whole)[2] + 4), 'flv', whole)
    expect(report.verdict).toBe('repaired')
    expect(report.tracks.map((track) => track.codec)).toEqual([codec, 'opus'])
    expect(dataOf(bytes)).toContain(Buffer.from([0x90, ...code('Opus'), ...HEAD]).toString('hex'))
  })
})

it('Opus needs no sample where its head is gone: its packets tell channels, and last as long as they come', async () => {
  const whole = film(pictures('av1', 'av01', 1), opus(lasts))
  const { report, bytes } = await repairRecording(whole.slice(tagsOf(whole)[2] + 4), 'flv')
  expect(report.tracks.map((track) => track.codec)).toEqual(['av1', 'opus'])
  const head = dataOf(bytes).find((data) =>
    data.startsWith(Buffer.from([0x90, ...code('OpusOpusHead')]).toString('hex')),
  )
  expect(head?.slice(2 * 13, 2 * 15)).toBe('0102')
})

it('sound of Speex, which tells nothing of itself, stays in its tags behind a hole and a lost head', async () => {
  const speech = Array.from({ length: 80 }, (_, i) => ({
    ...{ kind: AUDIO, time: i * PACKET },
    data: [0xb2, ...Array.from({ length: 62 }, (_unused, at) => (at * 29 + i * 13) & 255)],
  }))
  const whole = film(speech)
  const tags = tagsOf(whole)
  const damaged = whole
    .slice()
    .fill(0, 0, tags[2] + 20)
    .fill(0, tags[30] + 20, tags[32] + 20)
  const { report, bytes } = await repairRecording(damaged, 'flv')
  expect(report.verdict).toBe('repaired')
  expect(report.tracks.map((track) => track.codec)).toEqual(['speex'])
  const gone = new Set([0, 1, 2, 30, 31, 32])
  expect(dataOf(bytes)).toEqual(dataOf(whole).filter((_unused, i) => !gone.has(i)))
})
