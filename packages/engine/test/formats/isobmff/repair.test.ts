import { describe, expect, it } from 'vitest'
import {
  blocksLost,
  bytesDeleted,
  bytesInserted,
  headCut,
  randomNumbers,
  trailingGarbage,
  truncated,
  zeroTail,
} from '../../../src/bytes/damage.ts'
import { indexCut, indexNeverWritten, mediaDataSize, payload } from '../../../src/formats/isobmff/recipes.ts'
import { diagnosed, movieOf, repaired, wholePlan, write } from './support/engine.ts'
import { FIXTURES, type FixtureName, fixture } from './support/fixtures.ts'
import { recovered, seen } from './support/packets.ts'

/** Packets of `name` that are in the repaired file, at their times, for every stream. */
async function kept(
  name: FixtureName,
  bytes: Uint8Array,
): Promise<{ kind: string; packets: number; timed: number; all: number }[]> {
  const whole = await seen(fixture(name))
  const found = await seen(bytes)
  return whole.map((stream) => {
    const candidates = found.filter(({ kind, codec }) => kind === stream.kind && codec === stream.codec)
    const results = candidates
      .map((candidate) => recovered(stream, candidate))
      .sort((a, b) => b.packets - a.packets)
    return { kind: stream.kind, all: stream.packets.length, ...(results[0] ?? { packets: 0, timed: 0 }) }
  })
}

describe('a healthy recording', () => {
  it.each(FIXTURES)('%s is called healthy and nothing is written', async (name) => {
    const { report, bytes } = await repaired(fixture(name))
    expect(report.findings.filter(({ severity }) => severity !== 'info')).toEqual([])
    expect(report.verdict).toBe('healthy')
    expect(bytes.length).toBe(0)
  })
})

describe('damage around whole media', () => {
  it.each([
    [
      'foreign bytes at the end',
      (bytes: Uint8Array) => trailingGarbage(bytes, 3_000, 1),
      'isobmff.trailing-data',
    ],
    ['media data declared short', (bytes: Uint8Array) => mediaDataSize(bytes, 2_000), 'isobmff.mdat-size'],
    [
      'media data declared huge',
      (bytes: Uint8Array) => mediaDataSize(bytes, 0xfff0_0000),
      'isobmff.mdat-size',
    ],
  ] as const)('%s: every packet is back at its time', async (_, damage, code) => {
    const { report, bytes } = await repaired(damage(fixture('h264-aac.mp4')))
    expect(report.findings.map((finding) => finding.code)).toContain(code)
    expect(report.verdict).toBe('repaired')
    for (const stream of await kept('h264-aac.mp4', bytes)) {
      expect(stream).toMatchObject({ packets: stream.all, timed: stream.all })
    }
    expect((await diagnosed(bytes)).healthy).toBe(true)
  })
})

describe('a truncated recording with its index in front', () => {
  it('keeps every packet that is wholly there, at its time', async () => {
    const damaged = truncated(fixture('h264-aac-faststart.mp4'), 0.7)
    const whole = await seen(fixture('h264-aac-faststart.mp4'))
    const { report, bytes } = await repaired(damaged)
    expect(report.verdict).toBe('repaired')
    expect(report.findings.map((finding) => finding.code)).toContain('isobmff.sample-past-end')
    const found = await seen(bytes)
    for (const stream of whole) {
      const there = stream.packets.filter(({ position, size }) => position + size <= damaged.length)
      const result = recovered(
        stream,
        found.find(({ index }) => index === stream.index),
      )
      expect(result).toEqual({ packets: there.length, timed: there.length })
    }
  })

  it('counts what is lost in its report', async () => {
    const { report } = await repaired(truncated(fixture('h264-aac-faststart.mp4'), 0.7))
    const video = report.tracks.find(({ kind }) => kind === 'video')
    expect(video?.recovered).toBeGreaterThan(25)
    expect((video?.recovered ?? 0) + (video?.lost ?? 0)).toBe(50)
    expect(video?.ranges.at(-1)?.state).toBe('lost')
  })

  it('never fails and never grows wherever a box is cut', async () => {
    const source = fixture('h264-aac-faststart.mp4')
    const cuts = new Set<number>()
    const text = Buffer.from(source).toString('latin1')
    for (const match of text.matchAll(
      /moov|mvhd|trak|tkhd|edts|elst|mdia|mdhd|hdlr|minf|vmhd|smhd|dinf|stbl|stsd|avc1|avcC|mp4a|esds|stts|ctts|stss|stsc|stsz|stco|udta|mdat/g,
    )) {
      for (const off of [-4, 0, 4, 5]) cuts.add(match.index + off)
    }
    for (const cut of cuts) {
      const { report, bytes } = await repaired(source.slice(0, cut))
      expect(bytes.length > 0).toBe(report.verdict === 'repaired' || report.verdict === 'partial')
      expect(bytes.length).toBeLessThan(source.length)
    }
  })
})

describe('payload that moved under a surviving index', () => {
  it.each([
    ['h264-aac.mp4', 700],
    ['h264-aac-faststart.mp4', 700],
    ['hevc-aac.mp4', 333],
    ['h264-pcm.mov', 700],
    ['prores-pcm.mov', 512],
  ] as const)('%s with %i bytes inserted loses at most the packet they fell into', async (name, count) => {
    const { report, bytes } = await repaired(
      bytesInserted(fixture(name), count, 0.4, 3, payload(fixture(name))),
    )
    expect(report.findings.map((finding) => finding.code)).toContain('isobmff.payload-shift')
    const streams = await kept(name, bytes)
    const missing = streams.reduce((sum, stream) => sum + stream.all - stream.packets, 0)
    // A chunk of PCM is read in several packets.
    expect(missing).toBeLessThanOrEqual(name.includes('pcm') ? 2 : 1)
    for (const stream of streams) expect(stream.timed).toBe(stream.packets)
  })

  it.each(['h264-aac.mp4', 'h264-aac-faststart.mp4', 'h264-pcm.mov'] as const)(
    '%s with 60 bytes deleted keeps all but the packets they lay in',
    async (name) => {
      const { bytes } = await repaired(bytesDeleted(fixture(name), 60, 0.6, payload(fixture(name))))
      const streams = await kept(name, bytes)
      const missing = streams.reduce((sum, stream) => sum + stream.all - stream.packets, 0)
      expect(missing).toBeLessThanOrEqual(2)
      for (const stream of streams) expect(stream.timed).toBe(stream.packets)
    },
  )

  it('finds the index’s packets in a file whose head was cut away', async () => {
    const { report, bytes } = await repaired(headCut(fixture('h264-aac.mp4'), 3_000))
    expect(report.verdict).toBe('repaired')
    const [video, audio] = await kept('h264-aac.mp4', bytes)
    expect(video.packets).toBeGreaterThan(38)
    expect(audio.packets).toBeGreaterThan(76)
    expect(video.timed).toBe(video.packets)
    expect(audio.timed).toBe(audio.packets)
  })
})

describe('zeroed and overwritten payload', () => {
  it.each([
    ['zeroed', false],
    ['overwritten', true],
  ] as const)('a %s block costs only the packets it hit', async (_, random) => {
    const whole = fixture('h264-aac.mp4')
    const damaged = blocksLost(whole, 1, 1024, random, 5, payload(whole))
    const first = whole.findIndex((byte, i) => byte !== damaged[i])
    const last = whole.findLastIndex((byte, i) => byte !== damaged[i])
    const { report, bytes } = await repaired(damaged)
    expect(
      report.findings.some(
        ({ code }) => code === 'isobmff.sample-mismatch' || code === 'isobmff.sample-damaged',
      ),
    ).toBe(true)
    const found = await seen(bytes)
    for (const stream of await seen(whole)) {
      const spared = stream.packets.filter(
        ({ position, size }) => position > last || position + size <= first,
      )
      const result = recovered(
        stream,
        found.find(({ index }) => index === stream.index),
      )
      expect(result.packets).toBeGreaterThanOrEqual(spared.length)
      expect(result.timed).toBe(result.packets)
    }
  })

  it('a zero tail counts as lost', async () => {
    const { report, bytes } = await repaired(zeroTail(fixture('h264-aac-faststart.mp4'), 0.7))
    expect(report.verdict).toBe('repaired')
    for (const stream of await kept('h264-aac-faststart.mp4', bytes)) {
      expect(stream.packets).toBeGreaterThan(stream.all * 0.5)
      expect(stream.timed).toBe(stream.packets)
    }
  })
})

/** A recording whose tracks of some kinds hold bytes that nobody knows. */
async function scrambled(name: FixtureName, kinds: readonly string[]): Promise<Uint8Array> {
  const bytes = fixture(name)
  const next = randomNumbers(9)
  for (const { description, samples } of (await movieOf(bytes)).tracks) {
    if (!kinds.includes(description.kind)) continue
    for (let row = 0; row < samples.length; row++) {
      const noise = Uint8Array.from({ length: samples.size[row] }, () => Math.floor(next() * 256))
      bytes.set(noise, samples.offset[row])
    }
  }
  return bytes
}

describe('a lost index', () => {
  it('without a sample the file is refused with a plain reason and nothing is written', async () => {
    const damaged = indexNeverWritten(await scrambled('h264-aac.mp4', ['video', 'audio']))
    const { report, bytes } = await repaired(damaged)
    expect(report.verdict).toBe('unrepairable')
    expect(report.reason).toContain('sample')
    expect(bytes.length).toBe(0)
    expect((await diagnosed(damaged)).sample).toBe('required')
  })

  it('with another recording as sample every packet is back at its time', async () => {
    const { report, bytes } = await repaired(
      indexNeverWritten(fixture('h264-aac.mp4')),
      fixture('h264-aac-twin.mp4'),
    )
    expect(report.verdict).toBe('repaired')
    for (const stream of await kept('h264-aac.mp4', bytes)) {
      expect(stream).toMatchObject({ packets: stream.all, timed: stream.all })
    }
  })

  it('with a sample whose pictures are of another kind the file is refused, sound alone or not', async () => {
    const damaged = indexNeverWritten(await scrambled('h264-aac.mp4', ['video']))
    const { report, bytes } = await repaired(damaged, fixture('h264-aac-twin.mp4'))
    expect(report.verdict).toBe('unrepairable')
    expect(report.reason).toContain('sample')
    expect(bytes.length).toBe(0)
  })

  it('cut in half, what it lacks comes from the bytes', async () => {
    const { bytes } = await repaired(indexCut(fixture('h264-aac.mp4'), 0.5), fixture('h264-aac-twin.mp4'))
    for (const stream of await kept('h264-aac.mp4', bytes)) {
      expect(stream).toMatchObject({ packets: stream.all, timed: stream.all })
    }
  })
})

describe('a fragmented recording', () => {
  it('truncated, becomes a plain file with all whole packets', async () => {
    const damaged = truncated(fixture('h264-aac-fragmented.mp4'), 0.7)
    const { report, bytes } = await repaired(damaged)
    expect(report.verdict).toBe('repaired')
    expect(Buffer.from(bytes).includes('moof')).toBe(false)
    const found = await seen(bytes)
    for (const stream of await seen(fixture('h264-aac-fragmented.mp4'))) {
      const there = stream.packets.filter(({ position, size }) => position + size <= damaged.length)
      const result = recovered(
        stream,
        found.find(({ kind }) => kind === stream.kind),
      )
      expect(result).toEqual({ packets: there.length, timed: there.length })
    }
  })

  it('without its movie box, gets the sample’s', async () => {
    const source = fixture('h264-aac-fragmented.mp4')
    const { report, bytes } = await repaired(indexNeverWritten(source), source)
    expect(report.sample?.used).toContain('codec configuration')
    for (const stream of await kept('h264-aac-fragmented.mp4', bytes)) {
      expect(stream).toMatchObject({ packets: stream.all, timed: stream.all })
    }
  })
})

describe('fragments whose movie box is lost', () => {
  it('are shown to their end, however short the film of the sample is', async () => {
    const whole = fixture('h264-aac-fragmented.mp4')
    const twin = await movieOf(fixture('h264-aac-twin.mp4'))
    const sample = await write(
      {
        movie: twin,
        tracks: wholePlan(twin).tracks.map((track) => ({
          ...track,
          edits: [{ duration: 300, mediaTime: track.template.edits?.[0]?.mediaTime ?? 0, rate: 0x1_0000 }],
        })),
      },
      fixture('h264-aac-twin.mp4'),
    )
    const damaged = whole.slice()
    damaged.fill(0, 0, Buffer.from(whole).indexOf('moof') - 4)
    const { bytes } = await repaired(damaged, sample)
    const found = await seen(bytes)
    for (const stream of await seen(whole)) {
      const twin = found.find(({ kind }) => kind === stream.kind)
      expect(recovered(stream, twin).packets).toBe(stream.packets.length)
    }
  })
})
