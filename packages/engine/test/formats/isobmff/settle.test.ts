import { describe, expect, it } from 'vitest'
import { trailingGarbage } from '../../../src/bytes/damage.ts'
import { MemorySink } from '../../../src/bytes/sink.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { repair } from '../../../src/engine.ts'
import type { Decoded, Decoder } from '../../../src/model/decoder.ts'
import type { Report } from '../../../src/model/report.ts'
import { movieOf } from './support/engine.ts'
import { type FixtureName, fixture } from './support/fixtures.ts'

/** A decoder that says the same of every file. */
function saying(decoded: Decoded): Decoder {
  return { decodeDamaged: async () => decoded, decode: async () => decoded }
}

const track = (kind: 'video' | 'audio', errors: number) =>
  ({ kind, codec: 'any', packets: 9, frames: 9, errors }) as const
const SILENT = saying({ checked: true, tracks: [track('video', 0), track('audio', 0)] })
const COMPLAINING = saying({ checked: true, tracks: [track('video', 1), track('audio', 0)] })
const DEAD = saying({ checked: false, reason: 'it broke off' })

async function repaired(bytes: Uint8Array, decoder?: Decoder): Promise<Report> {
  return repair({
    damaged: { source: new MemorySource(bytes), name: 'file.mov' },
    sink: new MemorySink(),
    ...(decoder ? { decoder } : {}),
  })
}

/** A recording one of whose pictures begins with other bytes. */
async function withStrangePicture(name: FixtureName, strange: (at: number) => number): Promise<Uint8Array> {
  const bytes = fixture(name)
  const { samples } = (await movieOf(bytes)).tracks[0]
  for (let at = 0; at < samples.size[3]; at++) bytes[samples.offset[3] + at] = strange(at)
  return bytes
}

const noise = (at: number): number => (at * 151 + 17) & 0xff

describe('a picture that is not as our recogniser knows them', () => {
  it('is a warning in a healthy file where all decodes in silence', async () => {
    const report = await repaired(await withStrangePicture('h264-aac.mp4', noise), SILENT)
    expect(report.verdict).toBe('healthy')
    expect(report.findings.map(({ code, severity }) => [code, severity])).toEqual([
      ['isobmff.sample-mismatch', 'warning'],
    ])
  })

  it('is damage where decoding complains, and where nobody decodes', async () => {
    const bytes = await withStrangePicture('h264-aac.mp4', noise)
    expect((await repaired(bytes, COMPLAINING)).verdict).toBe('repaired')
    expect((await repaired(bytes)).verdict).toBe('repaired')
  })

  it('is damage where the decoder leaves as many pictures out without a word, and not where it leaves out more', async () => {
    const lacking = (frames: number) =>
      saying({ checked: true, tracks: [{ ...track('video', 0), frames }, track('audio', 0)] })
    const bytes = await withStrangePicture('mjpeg-pcm.mov', noise)
    expect((await repaired(bytes, lacking(8))).verdict).toBe('repaired')
    // fields of a picture in packets of their own come out as one
    expect((await repaired(bytes, lacking(5))).verdict).toBe('healthy')
  })

  it('is a warning where no decoder can tell, unless the recogniser knows all of its codec', async () => {
    expect((await repaired(await withStrangePicture('h264-aac.mp4', noise), DEAD)).verdict).toBe('repaired')
    expect((await repaired(await withStrangePicture('mjpeg-pcm.mov', noise), DEAD)).verdict).toBe('healthy')
  })

  it('is damage where it is zeros that no encoder writes, whatever decodes', async () => {
    expect((await repaired(await withStrangePicture('h264-aac.mp4', () => 0), SILENT)).verdict).toBe(
      'repaired',
    )
  })

  it('is not asked about where the index was hit', async () => {
    const bytes = await withStrangePicture('h264-aac.mp4', noise)
    const cut = bytes.subarray(0, bytes.length - 100)
    expect((await repaired(cut, SILENT)).verdict).not.toBe('healthy')
  })
})

describe('bytes of nobody we know behind the last box, as cameras append places and speeds', () => {
  const bytes = trailingGarbage(fixture('h264-aac.mp4'), 3_000, 1)

  it('are a warning in a healthy file where all decodes in silence', async () => {
    const report = await repaired(bytes, SILENT)
    expect(report.verdict).toBe('healthy')
    expect(report.findings.map(({ code, severity }) => [code, severity])).toEqual([
      ['isobmff.trailing-data', 'warning'],
    ])
  })

  it('are left out where decoding complains, and where nobody decodes', async () => {
    expect((await repaired(bytes, COMPLAINING)).verdict).toBe('repaired')
    expect((await repaired(bytes)).verdict).toBe('repaired')
  })
})
