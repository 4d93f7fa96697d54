import { describe, expect, it } from 'vitest'
import { mendLayout } from '../../../../src/formats/isobmff/mend/chunks/layout.ts'
import { mendTimes } from '../../../../src/formats/isobmff/mend/times/times.ts'
import { Allowance } from '../../../../src/model/allowance.ts'
import { Findings } from '../../../../src/model/finding.ts'
import { SILENT } from '../../../../src/model/monitor.ts'
import { movieOf, read, readerOf, repaired } from '../support/engine.ts'
import { fixture } from '../support/fixtures.ts'
import { flipped, movieBoxes, places, rewritten, times } from '../support/movie-boxes.ts'

const healthy = fixture('h264-aac.mp4')

describe('a box of a track', () => {
  it('whose size became nothing is read by what fills it', async () => {
    const whole = await movieOf(healthy)
    const headers = movieBoxes(healthy).filter(({ box }) => box.type === 'mdhd')
    expect(headers.map(({ box }) => box.size)).toEqual([32, 32])
    for (const { box } of headers) {
      const movie = await movieOf(flipped(healthy, box.offset + 3, 5))
      expect(movie.tracks.map(places)).toEqual(whole.tracks.map(places))
      expect(movie.tracks.map(times)).toEqual(whole.tracks.map(times))
    }
  })

  it('of whose media nothing can be read is missed, however little of the file it is', async () => {
    const damaged = healthy.slice()
    const [, media] = movieBoxes(healthy).filter(({ path }) => path.endsWith('/mdia'))
    damaged.fill(0xee, media.box.offset + 8, media.box.end)
    // what no entry names is nothing of note
    const { samples } = (await movieOf(healthy)).tracks[1]
    for (let row = 0; row < samples.length; row++)
      damaged.fill(0, samples.offset[row], samples.offset[row] + samples.size[row])
    expect((await read(damaged)).movie?.unread).toBe(1)
    const { report } = await repaired(damaged)
    expect(report.verdict).toBe('partial')
    expect(report.doubts?.map(({ code }) => code)).toContain('index-hit')
  })

  it('that names its media by a hit name and a hit handler shows pictures', async () => {
    const boxes = movieBoxes(healthy)
    const handler = boxes.find(({ path }) => path.endsWith('/mdia/hdlr'))
    const header = boxes.find(({ path }) => path.endsWith('/vmhd'))
    if (!handler || !header) throw new Error('no pictures')
    const damaged = flipped(flipped(healthy, handler.box.offset + 19, 6), header.box.offset + 5, 7)
    expect((await movieOf(damaged)).tracks.map(({ description: { kind } }) => kind)).toEqual([
      'video',
      'audio',
    ])
  })
})

describe('durations of a movie that was hit', () => {
  /**
   * The durations of a track whose media lasts so long, and which is shown for so long, mended.
   * @param known its samples where its table counts others, and nothing else is known to be hit
   */
  const mended = async (
    counts: readonly number[],
    values: readonly number[],
    duration: number,
    shown = duration,
    delay = 0,
    known?: number,
  ) => {
    const movie = await movieOf(healthy)
    const { tables, mediaHeader, header: own, edits: _edits, ...rest } = movie.tracks[0]
    const header = {
      ...own,
      duration: Math.round((shown / mediaHeader.timescale) * movie.header.timescale),
    }
    const samples = known ?? counts.reduce((sum, count) => sum + count, 0)
    const runs = {
      length: counts.length,
      counts: Uint32Array.from(counts),
      values: Float64Array.from(values),
    }
    const sizes = { constant: 0, count: samples, sizes: new Uint32Array(samples) }
    const compositions = delay
      ? { version: 0, runs: { length: 1, counts: Uint32Array.of(samples), values: Float64Array.of(delay) } }
      : undefined
    const track = {
      ...{ ...rest, header, edits: undefined, mediaHeader: { ...mediaHeader, duration } },
      tables: { ...tables, compositions, durations: runs, sizes },
    }
    const clocks = { header: movie.header, tracks: [track] } as never
    const after = mendTimes(clocks, known === undefined, new Findings(10), new Allowance(1e6)).tracks[0]
    return [...(after?.tables.durations?.values ?? [])]
  }

  it('are as long together as the media but for the delay of all samples alike, which some writers count in', async () => {
    const values = Array.from({ length: 60 }, (_, i) => [1024, 1022, 1024, 1025, 1023][i % 5])
    const counts = values.map(() => 1)
    const sum = values.reduce((total, value) => total + value, 0)
    const hit = values
      .with(16, 894)
      .with(40, 1024 ^ 64)
      .with(51, 1022 ^ 4096)
    expect(await mended(counts, hit, sum + 742, sum + 742, 742)).toEqual(values)
    expect(await mended(counts, values, sum + 742, sum + 742, 742)).toEqual(values)
  })

  it('that are all one are what makes them as long as the media, where no whole sample is missing from it', async () => {
    for (const shown of [39_466, 40_000]) {
      expect(await mended([50], [768], 40_000, shown)).toEqual([800])
      expect(await mended([50], [800], 40_000, shown)).toEqual([800])
    }
    // the length itself has a bit flipped
    expect(await mended([64], [1536], 64 * 1536 + 64 * 512, 64 * 1536)).toEqual([1536])
    // one sample that the length leaves out
    expect(await mended([32], [512], 33 * 512)).toEqual([512])
  })

  it('of a table whose numbers of samples were hit are mended, wherever else nothing was', async () => {
    const counts = [1, 200, 1]
    expect(
      await mended(counts.with(1, 200 ^ 16), [1023 ^ 64, 1024, 1023], 202 * 1024 - 2, undefined, 0, 202),
    ).toEqual([1023, 1024, 1023])
  })

  it('of a few samples, one of which is longer than the media, are mended', async () => {
    expect(await mended([1, 2], [2998 + (1 << 21), 2998], 8995)).toEqual([2998, 2998])
    expect(await mended([1, 2], [2998 + 3 * (1 << 21), 2998], 8995)).toEqual([2998 + 3 * (1 << 21), 2998])
    // as a time code that lasts as long as what it is of
    expect(await mended([1], [8994], 8995)).toEqual([8994])
  })
})

it('durations stay as they are where the track is shown for as long as they last together, and the media’s length was hit', () => {
  const values = Array.from({ length: 40 }, (_, i) => (i === 0 ? 4601 : i === 30 ? 5998 : 2999 + (i & 1)))
  const counts = values.map((value) => (value > 3000 ? 1 : 6))
  const samples = counts.reduce((sum, count) => sum + count, 0)
  const sum = values.reduce((total, value, i) => total + value * counts[i], 0)
  const mended = (length: number) => {
    const track = {
      description: { id: 1, kind: 'video', codec: 'h264', timescale: 12_800 },
      entries: [],
      header: { id: 1, duration: Math.round(sum / 12.8) },
      mediaHeader: { timescale: 12_800, duration: length },
      tables: {
        sizes: { constant: 0, count: samples, sizes: new Uint32Array(samples) },
        durations: {
          length: values.length,
          counts: Uint32Array.from(counts),
          values: Float64Array.from(values),
        },
      },
    }
    const clocks = { header: { timescale: 1000, duration: track.header.duration + 500 }, tracks: [track] }
    const { tables, mediaHeader } = mendTimes(clocks as never, true, new Findings(), new Allowance(1e6))
      .tracks[0]
    expect([...(tables.durations?.values ?? [])], `${length}`).toEqual(values)
    expect(tables.durationsGuessed).toBeUndefined()
    return mediaHeader.duration
  }
  for (const length of [0, sum - 1399, sum ^ 32, 0xbabe_cafe]) mended(length)
  expect([mended(0), mended(0xbabe_cafe)]).toEqual([sum, sum])
})

it('durations are not made as long as the media by chance, where its track and the movie say otherwise', () => {
  const values: number[] = Array.from({ length: 80 }, (_, i) => (i === 79 ? 1000 : i % 2 ? 1020 : 990))
  const counts = values.map((_, i) => (i % 2 ? 1 : 2))
  const samples = counts.reduce((sum, count) => sum + count, 0)
  const sum = values.reduce((total, value, i) => total + value * counts[i], 0)
  /** Durations mended where bits of them and of the media's length were flipped, and whether they are guessed. */
  const mended = (bits: readonly (readonly [run: number, bit: number])[], length: number, movie: number) => {
    const hit = Float64Array.from(values)
    for (const [run, bit] of bits) hit[run] += 2 ** bit
    const track = {
      description: { id: 1, kind: 'video', codec: 'h264', timescale: 30_000 },
      entries: [],
      header: { id: 1, duration: Math.round(sum / 30) },
      mediaHeader: { timescale: 30_000, duration: length },
      tables: {
        sizes: { constant: 0, count: samples, sizes: new Uint32Array(samples) },
        durations: { length: values.length, counts: Uint32Array.from(counts), values: hit },
      },
    }
    const clocks = { header: { timescale: 1000, duration: movie }, tracks: [track] }
    const { tables } = mendTimes(clocks as never, true, new Findings(), new Allowance(1e6)).tracks[0]
    return { values: [...(tables.durations?.values ?? [])], guessed: tables.durationsGuessed ?? false }
  }
  const movie = Math.round(sum / 30)
  const chance = [
    [21, 27],
    [41, 19],
    [61, 19],
  ] as const
  // the movie is as long as its sound, which is a little longer
  for (const length of [movie, movie + 11]) {
    expect(mended(chance, sum + 2 ** 20, length)).toEqual({ values, guessed: false })
    expect(mended([...chance, [31, 22]], sum + 2 ** 20 + 2 ** 22, length).guessed).toBe(true)
  }
  // nothing contradicts that the film has two pauses
  const paused = values.with(41, 1020 + 2 ** 19).with(61, 1020 + 2 ** 19)
  const long = Math.round((sum + 2 ** 20) / 30)
  expect(mended(chance, sum + 2 ** 20, long)).toEqual({ values: paused, guessed: false })
})

it('a number of samples of one size is the chunks’, where the length of the media asks for as many', async () => {
  const counted = async (duration: number): Promise<number | undefined> => {
    const track = {
      description: {
        ...({ id: 1, kind: 'audio', codec: 'unread', timescale: 48_000 } as const),
        ...({ config: new Uint8Array(0), framing: 'raw' } as const),
      },
      layout: { rows: 'samples' as const },
      mediaHeader: { duration },
      tables: {
        sizes: { constant: 11, count: 62 - 16, sizes: new Uint32Array(0) },
        durations: { length: 1, counts: Uint32Array.of(62 + 512), values: Float64Array.of(1024) },
        chunkOffsets: Float64Array.of(40, 722),
        sampleToChunk: {
          length: 1,
          firstChunk: Uint32Array.of(1),
          samples: Uint32Array.of(31),
          description: Uint32Array.of(1),
        },
      },
    }
    const payload = [{ offset: 40, length: 1200 }]
    const found = new Findings()
    found.add({ code: 'isobmff.box-size', severity: 'error', message: 'hit elsewhere' })
    const work = new Allowance(1e6)
    const [tables] = await mendLayout(
      readerOf(new Uint8Array(1240)),
      [track],
      payload,
      false,
      found,
      work,
      SILENT,
    )
    return tables.sizes?.count
  }
  expect(await counted(62 * 1024)).toBe(62)
  expect(await counted(70 * 1024)).toBe(46)
})

it('pictures whose time scale may have been hit are in doubt, unless a sample has the same', async () => {
  const film = (scale: number, edit: number): Uint8Array => {
    const counted = rewritten(fixture('prores-pcm.mov'), [
      [
        'moov/trak/mdia/mdhd',
        (view, track) => {
          if (track !== 0) return
          view.setUint32(12, scale)
          view.setUint32(16, 10)
        },
      ],
      ['moov/trak/mdia/minf/stbl/stts', (view, track) => track === 0 && view.setUint32(12, 1)],
      ['moov/trak/tkhd', (view, track) => track === 0 && view.setUint32(20, 3200)],
      ['moov/trak/edts/elst', (view, track) => track === 0 && view.setUint32(8, edit)],
    ])
    const header = movieBoxes(counted).find(({ path }) => path.endsWith('/vmhd'))
    if (!header) throw new Error('no video media header')
    return flipped(counted, header.box.offset + 7, 1)
  }
  const outcome = async (bytes: Uint8Array, sample?: Uint8Array) => {
    const { report } = await repaired(bytes, sample)
    return [report.verdict, report.tracks[0].times]
  }
  expect(await outcome(film(25, 3200))).toEqual(['repaired', 'exact'])
  expect(await outcome(film(24, 3264))).toEqual(['partial', 'estimated'])
  expect(await outcome(film(24, 3264), film(25, 3200))).toEqual(['partial', 'estimated'])
  expect(await outcome(film(24, 3264), film(24, 3333))).toEqual(['repaired', 'exact'])
})
