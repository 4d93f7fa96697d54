import { describe, expect, it } from 'vitest'
import type { MovieTrack } from '../../../src/formats/isobmff/read/movie.ts'
import { indexZeroed } from '../../../src/formats/isobmff/recipes.ts'
import { plainAacLike } from '../../../src/formats/isobmff/ways/sample/sound-coding.ts'
import { DOUBT } from '../../../src/model/doubt.ts'
import { SampleTable } from '../../../src/model/sample-table.ts'
import { movieOf, repaired, wholePlan, write } from './support/engine.ts'
import { fixture } from './support/fixtures.ts'
import { recovered, seen } from './support/packets.ts'

/** Pictures and two tracks of sound, and the same with the first of these alone. */
const TWO = await firstTracks(fixture('h264-two-aac.mov'), 3)
const ONE = await firstTracks(TWO, 2)

/** A recording with the first tracks only, their bytes laid out as before. */
async function firstTracks(bytes: Uint8Array, count: number): Promise<Uint8Array> {
  const plan = wholePlan(await movieOf(bytes))
  return write({ ...plan, tracks: plan.tracks.slice(0, count) }, bytes)
}

/** A track of sound as plain AAC at a rate in Hz. */
function atRate(track: MovieTrack, rate: number): MovieTrack {
  const own = plainAacLike(track, { channels: track.description.channels ?? 2, rate })
  if (!own) throw new Error(`no AAC at ${rate} Hz`)
  return { ...own, description: { ...own.description, sampleRate: rate } }
}

/**
 * Pictures and tracks of sound at the rates given, in Hz, six seconds of them: what starts soonest comes next, of what starts at
 * once the first track, and sound starts a packet before the pictures. The first track of 48 kHz has the same packets wherever it
 * is.
 */
function mixed(...rates: number[]): Promise<Uint8Array> {
  return mixedWith(25, ...rates)
}

/** The same with so many pictures a second. */
async function mixedWith(rate: number, ...rates: number[]): Promise<Uint8Array> {
  const [pictures, ...sounds] = wholePlan(await movieOf(TWO)).tracks
  const sourceOf = (rate: number, i: number): number => (rate === 48_000 && rates.indexOf(rate) === i ? 1 : 0)
  const sources = [pictures, ...rates.map((rate, i) => sounds[sourceOf(rate, i)])].map(({ table }) => table)
  const seconds = [1 / rate, ...rates.map((rate) => 1024 / rate)]
  const clocks = [0, ...rates.map((rate) => -1024 / rate)]
  const tables = sources.map(() => new SampleTable())
  const parts: Uint8Array[] = []
  let end = 0
  for (;;) {
    const soonest = Math.min(...clocks)
    if (soonest > 6) break
    const lane = clocks.findIndex((clock) => clock < soonest + 1e-9)
    const [from, into] = [sources[lane], tables[lane]]
    const row = into.length % from.length
    const ticks = lane === 0 ? Math.round((from.duration[row] * 25) / rate) : 1024
    const at = into.push(end, from.size[row], 1, ticks, from.order[row], from.flags[row])
    into.cts[at] = from.cts[row]
    into.dts[at] = at * ticks
    clocks[lane] += seconds[lane]
    parts.push(TWO.subarray(from.offset[row], from.offset[row] + from.size[row]))
    end += from.size[row]
  }
  const movie = await movieOf(TWO)
  const templates = [
    pictures.template,
    ...rates.map((rate, i) => {
      const own = atRate(sounds[0].template, rate)
      const id = i + 2
      return { ...own, description: { ...own.description, id }, header: { ...own.header, id } }
    }),
  ]
  // edits of the source end with it
  const whole = templates.map((template) => ({ ...template, edits: undefined }))
  const tracks = whole.map((template, i) => ({ template, table: tables[i], times: 'index' as const }))
  return write({ movie: { ...movie, tracks: whole }, tracks }, new Uint8Array(Buffer.concat(parts)))
}

/** The recording so many times over, its sound put together so many packets at a time, between pictures. */
async function bunched(bytes: Uint8Array, packets: number, times: number): Promise<Uint8Array> {
  const plan = wholePlan(await movieOf(bytes))
  const [pictures, sounds] = plan.tracks.map(({ table }) => table)
  const [shown, heard] = [new SampleTable(), new SampleTable()]
  const laid = new Uint8Array(bytes.length * times)
  let end = 0
  const lay = (into: SampleTable, from: SampleTable, row: number): void => {
    laid.set(bytes.subarray(from.offset[row], from.offset[row] + from.size[row]), end)
    const at = into.push(end, from.size[row], 1, from.duration[row], from.order[row], from.flags[row])
    into.cts[at] = from.cts[row]
    into.dts[at] = at === 0 ? 0 : into.dts[at - 1] + into.duration[at - 1]
    end += from.size[row]
  }
  let due = 0
  let sound = 0
  const laySounds = (): void => {
    for (const last = due - ((due - sound) % packets); sound < last; sound++)
      lay(heard, sounds, sound % sounds.length)
  }
  for (let time = 0; time < times; time++) {
    const ends = (time + 1) * sounds.length
    for (let picture = 0; picture < pictures.length; picture++) {
      while (due < ends && sounds.offset[due % sounds.length] < pictures.offset[picture]) due++
      laySounds()
      lay(shown, pictures, picture)
    }
    due = ends
  }
  const tracks = plan.tracks.map((track, i) => ({ ...track, table: i === 0 ? shown : heard }))
  return write({ ...plan, tracks }, laid)
}

/** The recording with one picture that is shown for longer than the others. */
async function unsteady(bytes: Uint8Array): Promise<Uint8Array> {
  const plan = wholePlan(await movieOf(bytes))
  const [{ table }] = plan.tracks
  const longer = table.duration[9]
  table.duration[9] += longer
  for (let row = 10; row < table.length; row++) table.dts[row] += longer
  return write(plan, bytes)
}

/** Packets of each stream of the original that a repaired file lacks, or has at another time. */
async function faults(original: Uint8Array, bytes: Uint8Array): Promise<number[]> {
  const found = await seen(bytes)
  const streams = await seen(original)
  expect(found.length).toBe(streams.length)
  return streams.map((stream, i) => stream.packets.length - recovered(stream, found[i]).timed)
}

describe('tracks of sound that look alike', () => {
  it('are as many as come with each picture, where the sample has fewer', async () => {
    const { report, bytes } = await repaired(indexZeroed(TWO), ONE)
    expect(await faults(TWO, bytes)).toEqual([0, 0, 0])
    expect(report.doubts).toContain(DOUBT.further)
    expect(report.findings.some(({ message }) => message.startsWith('2 tracks of sound, aac'))).toBe(true)
  })

  it('are as many as come with each picture, where the sample has more', async () => {
    const { report, bytes } = await repaired(indexZeroed(ONE), TWO)
    expect(await faults(ONE, bytes)).toEqual([0, 0])
    expect(report.verdict).toBe('repaired')
    expect(report.findings.map(({ code }) => code)).toContain('isobmff.track-absent')
  })

  it('are the sample’s where it has as many', async () => {
    const { report, bytes } = await repaired(indexZeroed(TWO), TWO)
    expect(await faults(TWO, bytes)).toEqual([0, 0, 0])
    expect(report.verdict).toBe('repaired')
  })

  it('are as many as the sample’s of variable rate where as much sound comes with the pictures, put together as it may be', async () => {
    const film = await bunched(ONE, 3, 6)
    const { report, bytes } = await repaired(indexZeroed(film), await unsteady(ONE))
    expect((await seen(bytes)).length).toBe(2)
    expect(report.strategies.map(({ name }) => name)).not.toContain('sound-tracks')
  })

  it('are in the order in which the file has them where their rates are others, not the sample’s', async () => {
    const film = await mixed(44_100, 48_000)
    for (const sample of [film, await mixed(48_000, 44_100)]) {
      const { report, bytes } = await repaired(indexZeroed(film), sample)
      expect(await faults(film, bytes)).toEqual([0, 0, 0])
      expect(report.verdict).toBe('repaired')
    }
  })

  it('are in an order that is assumed where a hole hides which of them comes first', async () => {
    const film = await mixed(44_100, 48_000)
    const [, { samples }] = (await movieOf(film)).tracks
    film.fill(0x55, samples.offset[1], samples.offset[1] + samples.size[1])
    const { report } = await repaired(indexZeroed(film), await mixed(48_000, 44_100))
    expect(report.doubts).toContain(DOUBT.assumed)
  })

  it('may be of other rates than the sample’s, as many of them as come with each picture', async () => {
    const film = await mixed(44_100, 48_000)
    for (const sample of [await mixed(48_000), await mixed(44_100), await mixed(48_000, 48_000)]) {
      const { report, bytes } = await repaired(indexZeroed(film), sample)
      expect(await faults(film, bytes)).toEqual([0, 0, 0])
      expect(report.doubts).toContain(DOUBT.assumed)
    }
  })

  it('are counted by what comes with each picture also beside a sample that mixes rates', async () => {
    const both = await mixed(44_100, 48_000)
    for (const rates of [[44_100], [48_000], [48_000, 48_000]]) {
      const film = await mixed(...rates)
      const { bytes } = await repaired(indexZeroed(film), both)
      expect(await faults(film, bytes)).toEqual([0, ...rates.map(() => 0)])
    }
  })

  it('tell the rate of pictures together where one’s packets hardly read at the other’s rate', async () => {
    const film = await mixed(48_000, 32_000)
    const { report, bytes } = await repaired(indexZeroed(film), film)
    expect(await faults(film, bytes)).toEqual([0, 0, 0])
    expect(report.verdict).toBe('repaired')
  })

  it('are rather of a common rate than their pictures of a rare one, which is an assumption', async () => {
    for (const sounds of [1, 2]) {
      const film = await mixedWith(15, ...Array.from({ length: sounds }, () => 48_000))
      const sample = await mixedWith(15, ...Array.from({ length: sounds }, () => 32_000))
      const { report, bytes } = await repaired(indexZeroed(film), sample)
      expect((await faults(film, bytes)).every((count) => count === 0)).toBe(true)
      expect(report.doubts).toContain(DOUBT.assumed)
    }
  })

  it('are told apart without a sample, which is an assumption', async () => {
    const { report, bytes } = await repaired(indexZeroed(TWO))
    const found = await seen(bytes)
    const streams = await seen(TWO)
    const missing = streams.map((stream, i) => stream.packets.length - recovered(stream, found[i]).packets)
    expect(missing).toEqual([0, 0, 0])
    expect(report.doubts).toContain(DOUBT.assumed)
  })
})

describe('a sample with two tracks of packets without a length', () => {
  it('serves a file with one, or two: pictures are found', async () => {
    const one = fixture('h264-opus.mp4')
    const plan = wholePlan(await movieOf(one))
    const [pictures, sound] = plan.tracks
    const { header, description } = sound.template
    const template = {
      ...sound.template,
      header: { ...header, id: 3 },
      description: { ...description, id: 3 },
    }
    const two = await write({ ...plan, tracks: [pictures, sound, { ...sound, template }] }, one)
    for (const film of [one, two]) {
      const { bytes } = await repaired(indexZeroed(film), two)
      const [found] = await seen(bytes)
      const [stream] = await seen(film)
      expect(recovered(stream, found).packets).toBe(stream.packets.length)
    }
  })
})
