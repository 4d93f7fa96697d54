import { describe, expect, it } from 'vitest'
import { parseHvcC } from '../../../src/codecs/hevc/hvcc.ts'
import { indexZeroed } from '../../../src/formats/isobmff/recipes.ts'
import { DOUBT } from '../../../src/model/doubt.ts'
import { streamFixture } from '../../../testing/video/stream-fixture.ts'
import { movieOf, read, repaired, wholePlan, write } from './support/engine.ts'
import { fixture } from './support/fixtures.ts'
import { recovered, seen } from './support/packets.ts'

/** A recording with the tracks of one kind only. */
async function only(kind: string, bytes: Uint8Array): Promise<Uint8Array> {
  const plan = wholePlan(await movieOf(bytes))
  const tracks = plan.tracks.filter(({ template }) => template.description.kind === kind)
  return write({ ...plan, tracks }, bytes)
}

/** Of each of a recording's streams, packets that a repaired file lacks or has at another time. */
async function faults(original: Uint8Array, bytes: Uint8Array) {
  const found = await seen(bytes)
  return (await seen(original)).map((stream) => {
    const { packets, timed } = recovered(
      stream,
      found.find(({ codec }) => codec === stream.codec),
    )
    return { kind: stream.kind, missing: stream.packets.length - packets, mistimed: packets - timed }
  })
}

/** The first picture of a stored stream behind its parameter sets, lengths in front. */
function pictureWithSets(name: string): Uint8Array {
  const { config, bytes, packets } = streamFixture(name)
  const sets = parseHvcC(config)
  if (!sets) throw new Error('the stream is not HEVC')
  const nals = [...sets.vps, ...sets.sps, ...sets.pps].flatMap((set) => [
    0,
    0,
    0,
    set.bytes.length,
    ...set.bytes,
  ])
  return Uint8Array.from([...nals, ...bytes.subarray(0, packets[0].size)])
}

/** A recording without an index whose media data goes on with other bytes. */
async function unindexedWith(bytes: Uint8Array, more: Uint8Array): Promise<Uint8Array> {
  const [{ offset, length }] = (await read(bytes)).survey.payload
  const file = Uint8Array.from([...bytes.subarray(0, offset + length), ...more])
  new DataView(file.buffer).setUint32(offset - 8, 8 + length + more.length)
  return file
}

describe('tracks that the sample lacks', () => {
  it('sound comes back beside the pictures, at the rate that goes with them, and the repair is called partial', async () => {
    const original = fixture('h264-aac.mp4')
    const sample = await only('video', fixture('h264-aac-twin.mp4'))
    const { report, bytes } = await repaired(indexZeroed(original), sample)
    expect(report.verdict).toBe('partial')
    expect(report.findings.some(({ message }) => message.startsWith('sound, aac'))).toBe(true)
    expect(await faults(original, bytes)).toEqual([
      { kind: 'video', missing: 0, mistimed: 0 },
      { kind: 'audio', missing: 0, mistimed: 0 },
    ])
  })

  it('sound that a broken index and the sample lack is found, and the report says by what', async () => {
    const original = fixture('h264-aac.mp4')
    const damaged = original.slice()
    // the second track's box and all behind it
    damaged.fill(0, Buffer.from(damaged).lastIndexOf('trak') - 4)
    const { report, bytes } = await repaired(damaged, await only('video', fixture('h264-aac-twin.mp4')))
    expect(report.tracks.map(({ kind }) => kind).sort()).toEqual(['audio', 'video'])
    expect((await seen(bytes)).length).toBe(2)
    expect(report.doubts).toContain(DOUBT.further)
  })

  it('no sound is heard in damaged pictures', async () => {
    const original = await only('video', fixture('h264-aac.mp4'))
    const [{ offset, length }] = (await read(original)).survey.payload
    const damaged = indexZeroed(original)
    for (let i = 0; i < 3000; i++) damaged[offset + (length >> 1) + i] = (i * i * 31 + i * 7) & 255
    const { report } = await repaired(damaged, await only('video', fixture('h264-aac-twin.mp4')))
    expect(report.tracks.map(({ kind }) => kind)).toEqual(['video'])
  })

  it('a single picture of another size, with parameter sets of its own, becomes a track of its own', async () => {
    const original = fixture('hevc-aac.mp4')
    const other = pictureWithSets('hevc-p')
    const { report, bytes } = await repaired(await unindexedWith(original, other), original)
    expect(report.verdict).toBe('partial')
    const found = (await seen(bytes, true)).filter(({ kind }) => kind === 'video')
    expect(found.map(({ packets, frames }) => [packets.length, frames.length])).toEqual([
      [50, 50],
      [1, 1],
    ])
    expect((await faults(original, bytes)).every(({ missing, mistimed }) => missing + mistimed === 0)).toBe(
      true,
    )
  })
})
