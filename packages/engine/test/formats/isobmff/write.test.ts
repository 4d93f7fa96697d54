import { describe, expect, it } from 'vitest'
import { ByteReader } from '../../../src/bytes/reader.ts'
import type { PlannedTrack } from '../../../src/formats/isobmff/write/plan.ts'
import { writeMovie } from '../../../src/formats/isobmff/write/write.ts'
import { SILENT } from '../../../src/model/monitor.ts'
import { SAMPLE_KEY, SampleTable } from '../../../src/model/sample-table.ts'
import { childOf, readBox, readChildren } from '../../../src/syntax/iso-boxes/box.ts'
import { movieOf, wholePlan, write } from './support/engine.ts'
import { fixture } from './support/fixtures.ts'
import { seen } from './support/packets.ts'

/** A source of any size without bytes of its own. */
const zeros = (size: number): ByteReader =>
  new ByteReader({ size, read: (_, target) => target.fill(0).length })

describe('the writer', () => {
  it('takes 64-bit offsets and sizes past 4 GiB', async () => {
    const movie = await movieOf(fixture('h264-aac.mp4'))
    const template = movie.tracks[0]
    const table = new SampleTable()
    const frame = 300_000_000
    for (let i = 0; i < 15; i++) {
      const row = table.push(i * frame, frame, 1, 512, i, SAMPLE_KEY)
      table.dts[row] = i * 512
    }
    let written = 0
    const head: Uint8Array[] = []
    const sink = {
      get position() {
        return written
      },
      write(bytes: Uint8Array) {
        if (written < 100_000) head.push(bytes.slice(0, 100_000))
        written += bytes.length
      },
    }
    await writeMovie(
      { movie, tracks: [{ template, table, times: 'index' }] },
      zeros(15 * frame),
      sink,
      SILENT,
    )
    const bytes = new Uint8Array(Buffer.concat(head))
    const text = Buffer.from(bytes.buffer).toString('latin1')
    expect(text).toContain('co64')
    expect(text).not.toContain('stco')
    const reader = new ByteReader({ size: written, read: (offset, target) => copy(bytes, offset, target) })
    const top = readChildren(reader, 0, written).boxes
    expect(top.map(({ type }) => type)).toEqual(['ftyp', 'moov', 'mdat'])
    expect(childOf(top, 'mdat')).toMatchObject({ form: '64', size: 15 * frame + 16 })
    expect(written).toBe((childOf(top, 'mdat')?.offset ?? 0) + 15 * frame + 16)
  }, 60_000)

  it('takes 64-bit offsets where payload just below 4 GiB is pushed past it by what stands before', async () => {
    const movie = await movieOf(fixture('h264-aac.mp4'))
    const template = movie.tracks[0]
    const table = new SampleTable()
    const size = 2 ** 28 - 8
    for (let row = 0; row < 16; row++)
      table.dts[table.push(row * size, size, 1, 512, row, SAMPLE_KEY)] = row * 512
    const head: Uint8Array[] = []
    const sink = {
      position: 0,
      write(bytes: Uint8Array) {
        if (head.length === 3) throw new Error('the index is written')
        head.push(bytes.slice())
      },
    }
    const plan = { movie, tracks: [{ template, table, times: 'index' as const }] }
    await expect(writeMovie(plan, zeros(16 * size), sink, SILENT)).rejects.toThrow('the index is written')
    expect(Buffer.concat(head).includes('co64')).toBe(true)
  })

  it('fills gaps of PCM with silence, so that sound after them keeps its time', async () => {
    const source = fixture('h264-pcm.mov')
    const movie = await movieOf(source)
    const audio = movie.tracks.findIndex(({ description }) => description.codec === 'pcm')
    const template = movie.tracks[audio]
    const table = new SampleTable()
    for (let row = 0; row < template.samples.length; row++) {
      if (row === 2 || row === 3) continue
      const { offset, size, count, duration } = template.samples
      const at = table.push(offset[row], size[row], count[row], duration[row], row, SAMPLE_KEY)
      table.dts[at] = template.samples.dts[row]
    }
    const bytes = await write({ movie, tracks: [{ template, table, times: 'index' }] }, source)
    const after = await movieOf(bytes)
    const frames = (rows: SampleTable): number =>
      Array.from(rows.count.subarray(0, rows.length)).reduce((a, b) => a + b, 0)
    expect(frames(after.tracks[0].samples)).toBe(frames(template.samples))
    const lost = template.samples.dts[2] * 2
    const start = after.tracks[0].samples.offset[0]
    expect(bytes.subarray(start + lost, start + lost + 64)).toEqual(new Uint8Array(64))
    expect(bytes.subarray(start, start + 64)).toEqual(
      source.subarray(template.samples.offset[0], template.samples.offset[0] + 64),
    )
  })

  it('keeps the length of lost samples, so that sound and picture stay together', async () => {
    const source = fixture('h264-aac.mp4')
    const movie = await movieOf(source)
    const tracks: PlannedTrack[] = movie.tracks.map((template) => {
      const table = new SampleTable()
      const { samples } = template
      for (let row = 0; row < samples.length; row++) {
        if (row > 10 && row < 20) continue
        const at = table.push(
          samples.offset[row],
          samples.size[row],
          1,
          samples.duration[row],
          row,
          samples.flags[row],
        )
        table.dts[at] = samples.dts[row]
        table.cts[at] = samples.cts[row]
      }
      return { template, table, times: 'index' }
    })
    const after = await seen(await write({ movie, tracks }, source))
    const before = await seen(source)
    for (const stream of before) {
      const twin = after.find(({ index }) => index === stream.index)
      const kept = stream.packets.filter((_, i) => i <= 10 || i >= 20)
      expect(twin?.packets.map(({ md5, pts }) => ({ md5, pts }))).toEqual(
        kept.map(({ md5, pts }) => ({ md5, pts })),
      )
    }
  })

  it('shows the first picture at time zero when offsets would be negative', async () => {
    const source = fixture('h264-aac.mp4')
    const movie = await movieOf(source)
    const template = movie.tracks.find(({ description }) => description.kind === 'video')
    if (!template) throw new Error('no video')
    const table = new SampleTable()
    const { samples } = template
    for (let row = 0; row < samples.length; row++) {
      const at = table.push(
        samples.offset[row],
        samples.size[row],
        1,
        samples.duration[row],
        row,
        samples.flags[row],
      )
      table.dts[at] = samples.dts[row]
      // The same pictures, presented without the decoding delay.
      table.cts[at] = samples.cts[row] - 1024
    }
    const [stream] = await seen(
      await write({ movie, tracks: [{ template, table, times: 'carved' }] }, source),
    )
    expect(Math.min(...stream.packets.map(({ pts }) => pts ?? 0))).toBe(0)
    expect(stream.packets[0].dts).toBeLessThan(0)
    expect(stream.packets.every(({ pts, dts }) => (pts ?? 0) >= (dts ?? 0))).toBe(true)
  })

  it('shows the last picture of a varying rate to its end', async () => {
    const source = fixture('h264-aac.mp4')
    const movie = await movieOf(source)
    const template = movie.tracks.find(({ description }) => description.kind === 'video')
    if (!template) throw new Error('no video')
    const table = template.samples
    const last = table.length - 1
    // the last picture comes a second late, as after one that was left out
    table.cts[last] += template.description.timescale
    const edits = template.edits?.map((edit) => ({ ...edit, duration: edit.duration * 2 }))
    const plan = { template: { ...template, ...(edits ? { edits } : {}) }, table, times: 'index' as const }
    const rewritten = await movieOf(await write({ movie, tracks: [plan] }, source))
    const [after] = rewritten.tracks
    const shown =
      (after.edits ?? []).reduce((sum, edit) => sum + edit.duration, 0) / rewritten.header.timescale
    const start = (after.edits ?? []).find(({ mediaTime }) => mediaTime >= 0)?.mediaTime ?? 0
    const { timescale } = template.description
    const end = table.dts[last] + table.cts[last] + table.duration[last]
    expect(shown).toBeGreaterThan((end - start) / timescale - 0.002)
  })

  it('interleaves by time when told so', async () => {
    const source = fixture('h264-aac.mp4')
    const movie = await movieOf(source)
    const bytes = await write({ ...wholePlan(movie), order: 'time' }, source)
    const streams = await seen(bytes)
    for (const stream of await seen(source)) {
      const twin = streams.find(({ index }) => index === stream.index)
      expect(twin?.packets.map(({ md5, pts, dts }) => [md5, pts, dts])).toEqual(
        stream.packets.map(({ md5, pts, dts }) => [md5, pts, dts]),
      )
    }
  })

  it('drops nothing that other readers need: brands, handlers and sample entries stay verbatim', async () => {
    const source = fixture('h264-two-aac.mov')
    const bytes = await write(wholePlan(await movieOf(source)), source)
    const ftyp = readBox(
      new ByteReader({ size: bytes.length, read: (offset, target) => copy(bytes, offset, target) }),
      0,
      bytes.length,
    )
    expect(ftyp?.type).toBe('ftyp')
    expect(bytes.subarray(0, ftyp?.end)).toEqual(source.subarray(0, ftyp?.end))
    const after = await movieOf(bytes)
    for (const [i, track] of (await movieOf(source)).tracks.entries()) {
      expect(after.tracks[i].handler).toEqual(track.handler)
      expect(after.tracks[i].information).toEqual(track.information)
      expect(after.tracks[i].trackBoxes).toEqual(track.trackBoxes)
    }
  })
})

function copy(bytes: Uint8Array, offset: number, target: Uint8Array): number {
  const part = bytes.subarray(offset, offset + target.length)
  target.set(part)
  return Math.min(target.length, Math.max(part.length, target.length))
}
