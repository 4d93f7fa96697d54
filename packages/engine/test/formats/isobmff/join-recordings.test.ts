import { describe, expect, it } from 'vitest'
import { SampleTable } from '../../../src/model/sample-table.ts'
import { readChildren } from '../../../src/syntax/iso-boxes/box.ts'
import { movieOf, readerOf, repaired, wholePlan, write } from './support/engine.ts'
import { fixture } from './support/fixtures.ts'
import { recovered, seen } from './support/packets.ts'

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts))
}

function withoutIndex(bytes: Uint8Array): Uint8Array {
  for (const { type, offset, end } of readChildren(readerOf(bytes), 0, bytes.length).boxes)
    if (type === 'moov') bytes.fill(0, offset, end)
  return bytes
}

const FIRST = fixture('h264-aac.mp4')
const SECOND = fixture('h264-aac-twin.mp4')

const LONG = await longer(FIRST, 12)

/** A recording with its samples again and again. */
async function longer(source: Uint8Array, times: number): Promise<Uint8Array> {
  const movie = await movieOf(source)
  const tracks = movie.tracks.map((template) => {
    const { samples } = template
    const table = new SampleTable()
    const last = samples.length - 1
    const length = samples.dts[last] + samples.duration[last] - samples.dts[0]
    for (let row = 0; row < samples.length * times; row++) {
      const from = row % samples.length
      const { offset, size, count, duration, order, flags } = samples
      const at = table.push(offset[from], size[from], count[from], duration[from], order[from], flags[from])
      table.dts[at] = samples.dts[from] + Math.floor(row / samples.length) * length
      table.cts[at] = samples.cts[from]
    }
    return { template: { ...template, edits: [] }, table, times: 'index' as const }
  })
  return write({ movie, tracks }, source)
}

describe('two recordings run together', () => {
  it.each([
    ['both with their index', joined(FIRST, SECOND)],
    ['the first without', joined(withoutIndex(FIRST.slice()), SECOND)],
    ['the second without', joined(FIRST, withoutIndex(SECOND.slice()))],
  ])('of the same settings, %s, come back one behind the other', async (_, damaged) => {
    const { report, bytes } = await repaired(damaged)
    expect(report.verdict).toBe('repaired')
    const found = await seen(bytes)
    let ends = 0
    for (const recording of [FIRST, SECOND]) {
      let starts = Number.POSITIVE_INFINITY
      let last = 0
      for (const stream of await seen(recording)) {
        const twin = found.find(({ kind }) => kind === stream.kind)
        const { packets, timed } = recovered(stream, twin)
        expect(packets).toBeGreaterThanOrEqual(stream.packets.length - 1)
        expect(timed).toBeGreaterThanOrEqual(packets - 1)
        const hashes = new Set(stream.packets.map(({ md5 }) => md5))
        const own = twin?.packets.filter(({ md5 }) => hashes.has(md5)).map(({ pts }) => pts ?? 0) ?? []
        starts = Math.min(starts, ...own)
        last = Math.max(last, ...own)
      }
      expect(starts).toBeGreaterThan(ends - 0.1)
      ends = last
    }
  })

  it('keep every time, the second from where all of the first has ended, and what each has lost', async () => {
    const hit = SECOND.slice()
    const [pictures] = (await movieOf(SECOND)).tracks
    const { offset, size } = pictures.samples
    hit.fill(0, offset[20], offset[20] + size[20])
    const alone = (await repaired(hit)).report.tracks
    const { report, bytes } = await repaired(joined(FIRST, hit))
    const [one, other, both] = await Promise.all([FIRST, hit, bytes].map((file) => movieOf(file)))
    expect(report.tracks.map(({ recovered, damaged, lost }) => [recovered, damaged, lost])).toEqual(
      alone.map(({ recovered, damaged, lost }, lane) => [
        recovered + one.tracks[lane].samples.length,
        ...[damaged, lost],
      ]),
    )
    const skipped = ({ edits }: (typeof one.tracks)[number]): number => edits?.[0]?.mediaTime ?? 0
    const starts = one.tracks.map((track, lane) => {
      const { samples, description } = track
      const end = samples.dts[samples.length - 1] + samples.duration[samples.length - 1]
      return (end + skipped(other.tracks[lane]) - skipped(track)) / description.timescale
    })
    for (const [lane, { samples, description, edits }] of both.tracks.entries()) {
      const [first, second] = [one, other].map(({ tracks }) => tracks[lane])
      const shift = Math.round(Math.max(...starts) * description.timescale) + skipped(first) - skipped(second)
      const times = ({ dts, cts, length }: SampleTable, late: number) =>
        Array.from({ length }, (_, row) => [dts[row] + late, cts[row]])
      const later = times(second.samples, shift)
      const left = samples.length - first.samples.length
      expect(times(samples, 0)).toEqual([
        ...times(first.samples, 0),
        // the picture that is gone is left out
        ...(left < later.length ? later.toSpliced(20, 1) : later),
      ])
      expect(edits?.map(({ mediaTime }) => mediaTime)).toEqual(first.edits?.map(({ mediaTime }) => mediaTime))
    }
  })

  it.each([
    ['before', (short: Uint8Array) => joined(withoutIndex(short), LONG)],
    ['behind', (short: Uint8Array) => joined(LONG, withoutIndex(short))],
  ])('a short one %s a long one is found where its index is lost', async (_, join) => {
    const { report, bytes } = await repaired(join(SECOND.slice()))
    expect(report.verdict).toBe('repaired')
    expect(report.tracks.map(({ times }) => times)).toEqual(['estimated', 'estimated'])
    const found = await seen(bytes)
    for (const stream of [...(await seen(SECOND)), ...(await seen(LONG))]) {
      const { packets } = recovered(
        stream,
        found.find(({ kind }) => kind === stream.kind),
      )
      expect(packets).toBeGreaterThanOrEqual(stream.packets.length - 1)
    }
  })

  it('show the first picture also where the index of the first recording is lost', async () => {
    const { bytes } = await repaired(joined(withoutIndex(FIRST.slice()), SECOND))
    const [pictures] = (await movieOf(bytes)).tracks
    const { samples, edits } = pictures
    const shown = Array.from({ length: samples.length }, (_, row) => samples.dts[row] + samples.cts[row])
    expect(edits?.map(({ mediaTime }) => mediaTime)).toEqual([Math.min(...shown)])
  })

  it('of a rate that varies without anything to tell the times are no complete repair', async () => {
    const movie = await movieOf(FIRST)
    const { tracks } = wholePlan(movie)
    const pictures = tracks.filter(({ template }) => template.description.kind === 'video')
    for (const { table } of pictures) {
      let late = 0
      for (let row = 0; row < table.length; row++) {
        table.dts[row] += late
        if (row % 3 === 1) late += table.duration[row]
      }
    }
    const uneven = await write({ movie, tracks: pictures }, FIRST)
    const { report } = await repaired(joined(withoutIndex(uneven.slice()), uneven))
    expect(report.strategies.map(({ outcome }) => outcome).join()).toContain('outside the index')
    expect(report.verdict).toBe('partial')
  })

  it('of other settings give the longer one, and the report says that another is left out', async () => {
    const { report, bytes } = await repaired(joined(FIRST, fixture('hevc-aac.mp4')))
    expect(report.verdict).toBe('partial')
    expect(report.strategies.find(({ name }) => name === 'together')?.outcome).toContain('other settings')
    const codecs = (await seen(bytes)).map(({ codec }) => codec)
    expect(codecs.filter((codec) => codec === 'h264' || codec === 'hevc')).toHaveLength(1)
  })

  it('an older copy of the index is no second recording', async () => {
    const boxes = readChildren(readerOf(FIRST), 0, FIRST.length).boxes
    const moov = boxes.find(({ type }) => type === 'moov')
    if (!moov) throw new Error('no movie box')
    const { bytes } = await repaired(joined(FIRST, FIRST.subarray(moov.offset, moov.end)))
    for (const stream of await seen(FIRST)) {
      const twin = (await seen(bytes)).find(({ kind }) => kind === stream.kind)
      expect(twin?.packets).toHaveLength(stream.packets.length)
    }
  })
})
