import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { indexZeroed } from '../../../src/formats/isobmff/recipes.ts'
import { DOUBT } from '../../../src/model/doubt.ts'
import { SAMPLE_KEY } from '../../../src/model/sample-table.ts'
import { noise } from '../../../testing/video/replay.ts'
import { movieOf, repaired, wholePlan, write } from './support/engine.ts'
import { type FixtureName, fixture } from './support/fixtures.ts'
import { recovered, seen } from './support/packets.ts'

const ORIGINAL = 'h264-aac.mp4'

async function lostOf(
  bytes: Uint8Array,
  original: FixtureName = ORIGINAL,
): Promise<{ missing: number; mistimed: number }> {
  const found = await seen(bytes)
  let missing = 0
  let mistimed = 0
  for (const stream of await seen(fixture(original))) {
    const twin = found.find(({ kind, codec }) => kind === stream.kind && codec === stream.codec)
    const { packets, timed } = recovered(stream, twin)
    missing += stream.packets.length - packets
    mistimed += packets - timed
  }
  return { missing, mistimed }
}

/** The recording with its pictures counted in ticks of another length. */
function atTimescale(bytes: Uint8Array, timescale: number): Uint8Array {
  const text = Buffer.from(bytes).toString('latin1')
  const header = text.indexOf('mdhd', text.indexOf('trak'))
  new DataView(bytes.buffer).setUint32(header + 16, timescale)
  return bytes
}

/** The recording with its AAC said to be sampled at 44,100 a second instead of 48,000. */
function atOtherSampling(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes).toString('latin1')
  const view = new DataView(bytes.buffer)
  view.setUint32(text.indexOf('mdhd', text.indexOf('trak', text.indexOf('trak') + 4)) + 16, 44_100)
  const entry = text.indexOf('mp4a')
  view.setUint16(entry + 28, 44_100)
  const coding = text.indexOf('\x05\x80\x80\x80\x05', entry) + 5
  // samplingFrequencyIndex 4 instead of 3 in the second half of the first byte and the top of the next
  view.setUint16(coding, 0x1210)
  return bytes
}

function timescaleOf(bytes: Uint8Array): number {
  const text = Buffer.from(bytes).toString('latin1')
  return new DataView(bytes.buffer).getUint32(text.indexOf('mdhd', text.indexOf('trak')) + 16)
}

/** The recording with every third picture late, and without its first three. */
async function trimmedAndUneven(bytes: Uint8Array): Promise<Uint8Array> {
  const movie = await movieOf(bytes)
  const tracks = wholePlan(movie).tracks.map((track) => {
    const { template, table } = track
    if (template.description.kind !== 'video') return track
    const unit = table.duration[0]
    let late = 0
    for (let row = 0; row < table.length; row++) {
      table.dts[row] += late
      if (row % 3 === 1) late += unit
    }
    const edits = (template.edits ?? []).map((edit) => ({ ...edit, mediaTime: edit.mediaTime + 3 * unit }))
    return { ...track, template: { ...template, edits } }
  })
  return write({ movie, tracks }, bytes)
}

/** The recording with every other picture a millisecond late. */
async function jittered(bytes: Uint8Array): Promise<Uint8Array> {
  const movie = await movieOf(bytes)
  const plan = wholePlan(movie)
  const { table, template } = plan.tracks[0]
  const late = Math.round(template.description.timescale / 1000)
  for (let row = 0; row < table.length; row++) {
    table.duration[row] += row % 2 === 0 ? late : -late
    if (row % 2 === 1) table.dts[row] += late
  }
  return write(plan, bytes)
}

describe('a sample of other settings', () => {
  it('of another codec is recognised and said so, and the file is repaired by its own bytes', async () => {
    const { report, bytes } = await repaired(indexZeroed(fixture(ORIGINAL)), fixture('hevc-aac.mp4'))
    const finding = report.findings.find(({ code }) => code === 'sample.other-settings')
    expect(finding?.message).toContain('hevc 128x72 in the sample, h264 128x72 in the file')
    expect(report.verdict).toBe('repaired')
    expect(await lostOf(bytes)).toEqual({ missing: 0, mistimed: 0 })
  })

  it('of another codec lends neither a variable rate nor what was cut off it', async () => {
    const sample = await trimmedAndUneven(fixture('hevc-aac.mp4'))
    const { report, bytes } = await repaired(indexZeroed(fixture(ORIGINAL)), sample)
    expect(report.verdict).toBe('repaired')
    expect(await lostOf(bytes)).toEqual({ missing: 0, mistimed: 0 })
    const [pictures] = (await movieOf(bytes)).tracks
    const { samples, edits } = pictures
    const shown = Array.from({ length: samples.length }, (_, row) => samples.dts[row] + samples.cts[row])
    expect(edits?.[0]?.mediaTime ?? 0).toBeLessThanOrEqual(Math.min(...shown))
  })

  it('of another codec, frame rate and sampling rate lends no clock to the sound', async () => {
    const film = fixture('hevc-aac.mp4')
    const sample = atOtherSampling(atTimescale(film, timescaleOf(film) * 1.2))
    const { bytes } = await repaired(indexZeroed(fixture(ORIGINAL)), sample)
    const [, sound] = (await movieOf(bytes)).tracks
    expect(sound.description.sampleRate).toBe(48_000)
    expect(await lostOf(bytes)).toEqual({ missing: 0, mistimed: 0 })
  })

  it('of another frame rate is recognised, and pictures come at their own', async () => {
    const twin = fixture('h264-aac-twin.mp4')
    const sample = atTimescale(twin, timescaleOf(twin) * 2)
    const { report, bytes } = await repaired(indexZeroed(fixture(ORIGINAL)), sample)
    const finding = report.findings.find(({ code }) => code === 'sample.other-settings')
    expect(finding?.message).toContain('50 a second in the sample, 25 in the file')
    expect(await lostOf(bytes)).toEqual({ missing: 0, mistimed: 0 })
  })

  it('of another sampling rate is recognised by the pictures that come with as much sound', async () => {
    const sample = atOtherSampling(fixture('h264-aac-twin.mp4'))
    const { description } = (await movieOf(sample)).tracks[1]
    expect(description).toMatchObject({ sampleRate: 44_100, timescale: 44_100 })
    const { report, bytes } = await repaired(indexZeroed(fixture(ORIGINAL)), sample)
    const finding = report.findings.find(({ code }) => code === 'sample.other-settings')
    expect(finding?.message).toContain('aac 44100 Hz, 2 channels in the sample, aac 48000 Hz, 2 channels')
    expect(await lostOf(bytes)).toEqual({ missing: 0, mistimed: 0 })
  })

  it('of another sampling rate is recognised where its pictures come at a rate that varies, which is an assumption', async () => {
    const sample = await jittered(atOtherSampling(fixture('h264-aac-twin.mp4')))
    const { report, bytes } = await repaired(indexZeroed(fixture(ORIGINAL)), sample)
    const [, { description }] = (await movieOf(bytes)).tracks
    expect(description).toMatchObject({ sampleRate: 48_000, timescale: 48_000 })
    expect(report.doubts).toContain(DOUBT.assumed)
  })

  it('is not suspected where the sample fits', async () => {
    const { report, bytes } = await repaired(indexZeroed(fixture(ORIGINAL)), fixture('h264-aac-twin.mp4'))
    expect(report.findings.map(({ code }) => code)).not.toContain('sample.other-settings')
    expect(report.sample?.used).toContain('codec configuration')
    expect(await lostOf(bytes)).toEqual({ missing: 0, mistimed: 0 })
  })

  it.each([4, 5, 6, 7, 8, 10])(
    'is not suspected of another frame rate by %i pictures and the sound between them',
    async (pictures) => {
      const original = fixture(ORIGINAL)
      const { samples } = (await movieOf(original)).tracks[0]
      const { report } = await repaired(
        original.subarray(0, samples.offset[pictures]),
        fixture('h264-aac-twin.mp4'),
      )
      expect(report.tracks[0]?.recovered).toBe(pictures)
      expect(report.findings.map(({ code }) => code)).not.toContain('sample.other-settings')
    },
  )

  it('is not suspected of another frame rate because two tracks of sound hold twice as many units', async () => {
    const recording = fixture('h264-two-aac.mov')
    const { report } = await repaired(indexZeroed(fixture('h264-two-aac.mov')), recording)
    expect(report.findings.map(({ code }) => code)).not.toContain('sample.other-settings')
  })

  it('of another frame rate is recognised beside two tracks of sound, too', async () => {
    const original = 'h264-two-aac.mov'
    const twice = atTimescale(fixture(original).slice(), timescaleOf(fixture(original)) * 2)
    const { report, bytes } = await repaired(indexZeroed(fixture(original)), twice)
    const finding = report.findings.find(({ code }) => code === 'sample.other-settings')
    expect(finding?.message).toContain('50 a second in the sample, 25 in the file')
    const [pictures] = (await movieOf(bytes)).tracks
    const [own] = (await movieOf(fixture(original))).tracks
    const seconds = ({ samples, description }: typeof own): number =>
      samples.dts[samples.length - 1] / description.timescale
    expect(seconds(pictures)).toBeCloseTo(seconds(own), 3)
  })

  it.each([
    { original: 'mpeg4-aac.mp4', sample: 'mpeg4-aac-larger.mp4', codec: 'mpeg4', most: 0 },
    { original: 'mjpeg-pcm.mov', sample: 'mjpeg-pcm-larger.mov', codec: 'mjpeg', most: 0 },
    // where packets of Opus end is estimated
    { original: 'h264-opus.mp4', sample: 'h264-opus-larger.mp4', codec: 'h264', most: 2 },
  ] as const)(
    'of another picture size serves in all else: $original',
    async ({ original, sample, codec, most }) => {
      const { report, bytes } = await repaired(indexZeroed(fixture(original)), fixture(sample))
      const finding = report.findings.find(({ code }) => code === 'sample.other-settings')
      expect(finding?.message).toContain(`${codec} 176x144 in the sample, ${codec} 128x72 in the file`)
      expect(report.sample?.used).toEqual(['track layout', 'timing'])
      const { missing, mistimed } = await lostOf(bytes, original)
      expect(missing).toBeLessThanOrEqual(most)
      expect(mistimed).toBe(0)
      const { width, height } = (await movieOf(bytes)).tracks[0].description
      expect({ width, height }).toEqual({ width: 128, height: 72 })
    },
  )

  it('that reorders its pictures makes no track late where the file does not', async () => {
    const original = 'h264-aac-faststart.mp4'
    const { report, bytes } = await repaired(indexZeroed(fixture(original)), fixture('hevc-aac.mp4'))
    expect(report.verdict).toBe('repaired')
    const starts = (await movieOf(bytes)).tracks.map(({ edits }) => edits?.[0]?.mediaTime)
    expect(starts).toEqual(
      (await movieOf(fixture(original))).tracks.map(({ edits }) => edits?.[0]?.mediaTime),
    )
  })

  it('of which nothing is found is left alone where the file tells enough by itself', async () => {
    const { report, bytes } = await repaired(indexZeroed(fixture(ORIGINAL)), fixture('prores-pcm.mov'))
    expect(report.findings.map(({ code }) => code)).toContain('sample.other-settings')
    expect(await lostOf(bytes)).toEqual({ missing: 0, mistimed: 0 })
  })

  it('whose sound is of another codec leaves the sound to the payload', async () => {
    const { report, bytes } = await repaired(indexZeroed(fixture('h264-pcm.mov')), fixture(ORIGINAL))
    expect(report.findings.map(({ code }) => code)).toContain('sample.other-settings')
    expect((await lostOf(bytes, 'h264-pcm.mov')).missing).toBe(0)
  })

  it('with twice the rate by its sound alone is an assumption: there may be another track of sound', async () => {
    const twin = fixture('h264-aac-twin.mp4')
    const sample = atTimescale(twin, timescaleOf(twin) * 2)
    const { report } = await repaired(indexZeroed(fixture(ORIGINAL)), sample)
    expect(report.verdict).toBe('partial')
  })

  it('whose sound has one channel is recognised where the file has two', async () => {
    const original = 'h264-aac-faststart.mp4'
    const sample = fixture('h264-mono.mp4')
    const { report, bytes } = await repaired(indexZeroed(fixture(original)), sample)
    const finding = report.findings.find(({ code }) => code === 'sample.other-settings')
    expect(finding?.message).toContain('1 channel in the sample, aac 48000 Hz, 2 channels in the file')
    expect(await lostOf(bytes, original)).toEqual({ missing: 0, mistimed: 0 })
    expect((await movieOf(bytes)).tracks[1].description.channels).toBe(2)
  })
})

it.each(['h264-aac.mp4', 'hevc-aac.mp4'] as const)(
  "a sample whose configuration other pictures read with is the file's, though all key pictures were hit: %s",
  async (name) => {
    const damaged = fixture(name)
    const [{ samples }] = (await movieOf(damaged)).tracks
    for (let row = 0; row < samples.length; row++)
      if ((samples.flags[row] & SAMPLE_KEY) !== 0)
        damaged.set(noise(64, row + 1), samples.offset[row] + (samples.size[row] >> 1))
    const { report } = await repaired(indexZeroed(damaged), fixture(name))
    expect(report.doubts?.map(({ code }) => code) ?? []).not.toContain('assumed')
    expect(report.strategies.map(({ name }) => name)).toEqual(['carve'])
  },
)

it.each<[FixtureName, FixtureName | 'h264-silent.m4v', string]>([
  [
    'h264-aac.mp4',
    'h264-silent.m4v',
    'video: h264 128x72 in both, another configuration; audio: none in the sample, aac in the file',
  ],
  ['hevc-aac.mp4', 'mpeg4-aac.mp4', 'video: mpeg4 128x72 in the sample, hevc 128x72 in the file'],
])('what differs between %s and %s is told', async (name, beside, told) => {
  const stored = new URL(`../../../testing/fixtures/isobmff/${beside}`, import.meta.url)
  const sample = beside === 'h264-silent.m4v' ? new Uint8Array(readFileSync(stored)) : fixture(beside)
  const { report } = await repaired(indexZeroed(fixture(name)), sample)
  expect(report.strategies[0]).toEqual({
    name: 'sample-check',
    outcome: `the sample is of other settings: ${told}`,
  })
})
