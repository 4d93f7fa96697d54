import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { truncated } from '../../../src/bytes/damage.ts'
import { BoxWriter } from '../../../src/syntax/iso-boxes/box-writer.ts'
import { diagnosed, movieOf, repaired } from './support/engine.ts'
import { type FixtureName, fixture } from './support/fixtures.ts'
import { recovered, seen } from './support/packets.ts'

/** A recording with its index at the end, with that index compressed; `spoil` may change the compressed bytes. */
function compressed(
  name: FixtureName,
  spoil: (stream: Uint8Array) => Uint8Array = (stream) => stream,
): Uint8Array {
  const bytes = fixture(name)
  const at = Buffer.from(bytes).indexOf('moov') - 4
  const moov = bytes.subarray(at)
  const stream = spoil(new Uint8Array(deflateSync(moov, { level: 9 })))
  const writer = new BoxWriter()
  writer.box('moov', () =>
    writer.box('cmov', () => {
      writer.box('dcom', () => writer.fourcc('zlib'))
      writer.box('cmvd', () => {
        writer.u32(moov.length)
        writer.raw(stream)
      })
    }),
  )
  return new Uint8Array(Buffer.concat([bytes.subarray(0, at), writer.bytes()]))
}

async function lost(name: FixtureName, bytes: Uint8Array): Promise<number[]> {
  const found = await seen(bytes)
  return (await seen(fixture(name))).map((stream) => {
    const { timed } = recovered(
      stream,
      found.find(({ kind, codec }) => kind === stream.kind && codec === stream.codec),
    )
    return stream.packets.length - timed
  })
}

describe('a recording with a compressed index', () => {
  it('is healthy and read like any other', async () => {
    const bytes = compressed('h264-aac.mp4')
    const plain = await movieOf(fixture('h264-aac.mp4'))
    const movie = await movieOf(bytes)
    expect(movie.tracks.map(({ samples }) => samples.length)).toEqual(
      plain.tracks.map(({ samples }) => samples.length),
    )
    expect(await diagnosed(bytes)).toMatchObject({ healthy: true, sample: 'unneeded' })
  })

  it('is repaired by it', async () => {
    const damaged = compressed('h264-pcm.mov')
    const last = (await movieOf(fixture('h264-pcm.mov'))).tracks[0].samples
    damaged.fill(0, last.offset[20], last.offset[20] + last.size[20])
    const { report, bytes } = await repaired(damaged)
    expect(report.strategies[0]?.name).toBe('surviving-index')
    expect(Math.max(...(await lost('h264-pcm.mov', bytes)))).toBeLessThanOrEqual(2)
  })

  it('serves as a sample', async () => {
    const victim = truncated(fixture('h264-aac.mp4'), 0.6)
    const { report } = await repaired(victim, compressed('h264-aac-twin.mp4'))
    expect(report.sample?.used).toContain('codec configuration')
  })

  it('whose checksum does not agree is read all the same', async () => {
    const damaged = compressed('h264-aac.mp4', (stream) => {
      stream[stream.length - 1] ^= 1
      return stream
    })
    const { report, bytes } = await repaired(damaged)
    expect(report.findings.map(({ code }) => code)).toContain('isobmff.table-compressed-broken')
    expect(await lost('h264-aac.mp4', bytes)).toEqual([0, 0])
  })

  it('that breaks off gives the tracks before the break; the rest comes from the bytes', async () => {
    const damaged = compressed('h264-aac.mp4', (stream) =>
      stream.subarray(0, Math.floor(stream.length * 0.75)),
    )
    const { report, bytes } = await repaired(damaged, fixture('h264-aac-twin.mp4'))
    expect(report.strategies.map(({ name }) => name)).toContain('surviving-index')
    expect(await lost('h264-aac.mp4', bytes)).toEqual([0, 0])
  })

  it('by a method nobody knows is said to be so', async () => {
    const damaged = compressed('h264-aac.mp4', (stream) => stream.fill(0x77))
    const at = Buffer.from(damaged).indexOf('zlib')
    damaged.set(Buffer.from('adec'), at)
    const { report } = await repaired(damaged)
    expect(report.findings.find(({ code }) => code === 'isobmff.unsupported')?.message).toContain('adec')
  })
})
