import { describe, expect, it } from 'vitest'
import { type Box, bodyOf, readChildren } from '../../../src/syntax/iso-boxes/box.ts'
import { BoxWriter } from '../../../src/syntax/iso-boxes/box-writer.ts'
import { movieOf, readerOf, repaired, write } from './support/engine.ts'
import { fixture } from './support/fixtures.ts'
import { recovered, seen } from './support/packets.ts'

function top(bytes: Uint8Array): readonly Box[] {
  return readChildren(readerOf(bytes), 0, bytes.length).boxes
}

describe('media that no index covers', () => {
  it('a fragment whose header was destroyed is found in the bytes between the others', async () => {
    const damaged = fixture('h264-aac-fragmented.mp4')
    const fragments = top(damaged).filter(({ type }) => type === 'moof')
    const lost = fragments[1]
    damaged.fill(0, lost.offset, lost.end)
    const { report, bytes } = await repaired(damaged)
    expect(report.strategies.map(({ name }) => name)).toContain('carve')
    const found = await seen(bytes)
    for (const stream of await seen(fixture('h264-aac-fragmented.mp4'))) {
      const twin = found.find(({ kind }) => kind === stream.kind)
      const { packets, timed } = recovered(stream, twin)
      expect(packets).toBeGreaterThanOrEqual(stream.packets.length - 2)
      expect(timed).toBeGreaterThanOrEqual(packets - 2)
    }
  })

  it('a recording that goes on behind the end of its index is followed to its end', async () => {
    const whole = fixture('h264-aac.mp4')
    const movie = await movieOf(whole)
    // Write the film with an index of its first half, then put the other half's bytes behind it into the media data.
    const half = movie.tracks.map((template) => ({ template, rows: Math.floor(template.samples.length / 2) }))
    const tracks = await Promise.all(
      half.map(async ({ template, rows }) => {
        const table = (await movieOf(whole)).tracks[movie.tracks.indexOf(template)].samples
        table.truncate(rows)
        return { template, table, times: 'index' as const }
      }),
    )
    const short = await write({ movie, tracks }, whole)
    const end = Math.max(
      ...tracks.map(({ table }) => table.offset[table.length - 1] + table.size[table.length - 1]),
    )
    const mdat = top(whole).find(({ type }) => type === 'mdat')
    if (!mdat) throw new Error('no media data')
    const rest = whole.subarray(end, mdat.end)
    const repeated = Buffer.concat([
      short,
      rest,
      ...Array.from({ length: 8 }, () => whole.subarray(bodyOf(mdat), mdat.end)),
    ])
    const bytes = new Uint8Array(repeated)
    const shortMdat = top(short).find(({ type }) => type === 'mdat')
    if (!shortMdat) throw new Error('no media data')
    new DataView(bytes.buffer).setUint32(shortMdat.offset, bytes.length - shortMdat.offset)
    const { report, bytes: output } = await repaired(bytes)
    expect(report.findings.map(({ code }) => code)).toContain('isobmff.unindexed-media')
    const video = (await seen(output)).find(({ kind }) => kind === 'video')
    expect(video?.packets.length).toBeGreaterThan(400)
  })

  it('a track of which no trace is left in the index is found by the sample, and by how it reads without one', async () => {
    const whole = fixture('h264-aac-faststart.mp4')
    const moov = top(whole).find(({ type }) => type === 'moov')
    const tracks = moov ? readChildren(readerOf(whole), bodyOf(moov), moov.end).boxes : []
    const sound = tracks.findLast(({ type }) => type === 'trak')
    if (!moov || !sound) throw new Error('no second track')
    const damaged = whole.slice().fill(0, sound.offset, moov.end)
    const alone = await repaired(damaged)
    const counts = (await seen(alone.bytes)).map(({ packets }) => packets.length)
    expect(counts).toEqual((await seen(whole)).map(({ packets }) => packets.length))
    const { report, bytes } = await repaired(damaged, fixture('h264-aac-twin.mp4'))
    expect(report.verdict).toBe('repaired')
    const found = await seen(bytes)
    for (const stream of await seen(whole)) {
      const twin = found.find(({ kind }) => kind === stream.kind)
      const all = stream.packets.length
      expect(recovered(stream, twin)).toEqual({ packets: all, timed: all })
    }
  })

  it('a description that does not know its samples makes a movie box that was hit doubtful', async () => {
    const whole = fixture('h264-two-aac.mov')
    const at = (type: string): number => Buffer.from(whole).indexOf(type, 0, 'latin1')
    const damaged = whole.slice()
    damaged[at('vmhd') + 3] ^= 2
    expect((await repaired(damaged)).report.verdict).toBe('repaired')
    damaged.fill(0xff, at('avcC') + 14, at('avcC') + 24)
    expect((await repaired(damaged)).report.verdict).toBe('partial')
  })

  it('two recordings run together give the longer one, its index moved to where it lies', async () => {
    const first = fixture('h264-aac-twin.mp4')
    const second = fixture('h264-aac.mp4')
    const together = new Uint8Array(Buffer.concat([first.subarray(0, first.length - 4_000), second]))
    const { report, bytes } = await repaired(together)
    expect(report.verdict).toBe('repaired')
    const found = await seen(bytes)
    for (const stream of await seen(second)) {
      const result = recovered(
        stream,
        found.find(({ kind }) => kind === stream.kind),
      )
      expect(result).toEqual({ packets: stream.packets.length, timed: stream.packets.length })
    }
  })

  it('boxes of other kinds between and behind are no damage', async () => {
    const writer = new BoxWriter()
    writer.box('free', () => writer.zeros(64))
    const source = fixture('h264-aac-faststart.mp4')
    writer.box('uuid', () => writer.raw(source.subarray(0, 300)))
    const { report } = await repaired(new Uint8Array(Buffer.concat([source, writer.bytes()])))
    expect(report.verdict).toBe('healthy')
  })
})
