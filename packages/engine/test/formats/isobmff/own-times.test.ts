import { describe, expect, it } from 'vitest'
import type { MovieTrack } from '../../../src/formats/isobmff/read/movie.ts'
import { DOUBT } from '../../../src/model/doubt.ts'
import type { SampleTable } from '../../../src/model/sample-table.ts'
import { readChildren } from '../../../src/syntax/iso-boxes/box.ts'
import { movieOf, readerOf, repaired, wholePlan, write } from './support/engine.ts'
import { fixture } from './support/fixtures.ts'
import { movieBoxes } from './support/movie-boxes.ts'

/** Pictures shown twice as long as the others, as cameras do while they take a photo. */
const SLOW = { from: 17, to: 26 }

/** Ticks by which pictures are shown after they are decoded, so that the slow ones have time. */
const DELAY = 2048

function shownAt({ dts, cts }: SampleTable, row: number): number {
  return dts[row] + cts[row]
}

/** Ticks after the first picture is shown, by row. */
function shownTimes({ samples }: MovieTrack): readonly number[] {
  const shown = Array.from({ length: samples.length }, (_, row) => shownAt(samples, row))
  return shown.map((time) => time - Math.min(...shown))
}

/** A recording of varying rate whose end is lost in the middle of the first table of a type, behind so many bytes of it. */
async function cutAt(
  type: string,
  kept: number,
): Promise<{ damaged: Uint8Array; expected: readonly number[] }> {
  const source = fixture('h264-aac.mp4')
  const movie = await movieOf(source)
  const { samples } = movie.tracks[0]
  const rows = Array.from({ length: samples.length }, (_, row) => row)
  const shown = rows.toSorted((a, b) => shownAt(samples, a) - shownAt(samples, b))
  let late = 0
  for (const row of rows) {
    samples.dts[row] += late
    if (row < SLOW.from || row >= SLOW.to) continue
    late += samples.duration[row]
    samples.duration[row] *= 2
  }
  for (const [place, row] of shown.entries()) samples.cts[row] = samples.dts[place] + DELAY - samples.dts[row]
  const [pictures, ...others] = movie.tracks
  const { mediaHeader } = pictures
  const slower = { ...pictures, mediaHeader: { ...mediaHeader, duration: mediaHeader.duration + late } }
  const whole = await write(wholePlan({ ...movie, tracks: [slower, ...others] }), source)
  return { damaged: brokenOff(whole, type, kept), expected: shownTimes((await movieOf(whole)).tracks[0]) }
}

/** A recording whose end is lost behind so many bytes of the first table of a type. */
function brokenOff(whole: Uint8Array, type: string, kept: number): Uint8Array {
  const { boxes } = readChildren(readerOf(whole), 0, whole.length)
  const part = (type: string): Uint8Array => {
    const found = boxes.find((box) => box.type === type)
    return whole.subarray(found?.offset, found?.end)
  }
  const table = movieBoxes(whole).find(({ box }) => box.type === type)?.box
  const moov = boxes.find(({ type }) => type === 'moov')
  const index = whole.subarray(moov?.offset, (table?.offset ?? 0) + kept)
  return Uint8Array.from([...part('ftyp'), ...part('mdat'), ...index])
}

describe('an index that lost where pictures lie', () => {
  it.each([
    ['when they were', 'stsz', 60],
    ['when they were decoded, and by the first ones how much later they were shown', 'ctts', 16 + 8 * 36],
  ])('still tells %s', async (_, type, kept) => {
    const { damaged, expected } = await cutAt(type, kept)
    const { report, bytes } = await repaired(damaged, fixture('h264-aac-twin.mp4'))
    expect(report.strategies.map(({ name }) => name)).toContain('carve')
    expect(shownTimes((await movieOf(bytes)).tracks[0])).toEqual(expected)
    expect(report.findings.map(({ code }) => code)).not.toContain('isobmff.table-mended')
  })

  it('still tells when the first ones were where its durations break off, and how long the others last together', async () => {
    const { source, whole } = await uneven((row) => (row < KNOWN ? 400 + (row % 3) * 100 : 512))
    const { report, bytes } = await repaired(brokenOff(whole, 'stts', 16 + 8 * KNOWN), source)
    expect(shownTimes((await movieOf(bytes)).tracks[0])).toEqual(shownTimes((await movieOf(whole)).tracks[0]))
    expect(report.tracks.find(({ kind }) => kind === 'video')?.times).toBe('estimated')
    expect(report.verdict).toBe('repaired')
    // too few say nothing
    const few = await repaired(brokenOff(whole, 'stts', 16 + 8 * 20), source)
    expect(shownTimes((await movieOf(few.bytes)).tracks[0])[1]).toBe(512)
  })

  it('tells so too where the last one is counted for no time, as some recorders do', async () => {
    const { source, whole } = await uneven((row) => 590 + (row % 3) * 10)
    const { samples } = (await movieOf(whole)).tracks[0]
    const { bytes } = await repaired(
      brokenOff(shortened(whole, samples.duration[samples.length - 1]), 'stts', 16 + 8 * KNOWN),
      source,
    )
    const expected = shownTimes((await movieOf(whole)).tracks[0])
    const found = shownTimes((await movieOf(bytes)).tracks[0])
    expect(Math.max(...found.map((time, row) => Math.abs(time - expected[row])))).toBeLessThan(60)
  })

  it('does not tell when the others were where those left were at no even rate', async () => {
    const { source, whole } = await uneven((row) => (row % 24 < 12 ? 400 : 600) + (row % 2))
    const { report } = await repaired(brokenOff(whole, 'stts', 16 + 8 * KNOWN), source)
    expect(report.tracks.find(({ kind }) => kind === 'video')?.times).toBe('estimated')
    expect(report.doubts).toContain(DOUBT.times)
    expect(report.verdict).toBe('partial')
  })
})

/** Pictures whose durations are left. */
const KNOWN = 36

/** A recording with the ticks that each picture is shown. */
async function uneven(ticks: (row: number) => number): Promise<{ source: Uint8Array; whole: Uint8Array }> {
  const source = fixture('h264-mono.mp4')
  const movie = await movieOf(source)
  const [pictures, ...others] = movie.tracks
  const { samples, mediaHeader } = pictures
  let time = 0
  for (let row = 0; row < samples.length; row++) {
    samples.dts[row] = time
    samples.duration[row] = ticks(row)
    time += samples.duration[row]
  }
  const track = { ...pictures, mediaHeader: { ...mediaHeader, duration: time } }
  return { source, whole: await write(wholePlan({ ...movie, tracks: [track, ...others] }), source) }
}

/** A recording whose first media header says so many ticks less. */
function shortened(whole: Uint8Array, ticks: number): Uint8Array {
  const bytes = whole.slice()
  const header = movieBoxes(whole).find(({ box }) => box.type === 'mdhd')?.box
  const view = new DataView(bytes.buffer, (header?.offset ?? 0) + 24)
  view.setUint32(0, view.getUint32(0) - ticks)
  return bytes
}
