import { describe, expect, it } from 'vitest'
import { mendTimes } from '../../../../src/formats/isobmff/mend/times/times.ts'
import { firstComposition } from '../../../../src/formats/isobmff/mend/times/track-length.ts'
import type { MovieTrack } from '../../../../src/formats/isobmff/read/movie.ts'
import { Allowance } from '../../../../src/model/allowance.ts'
import { Findings } from '../../../../src/model/finding.ts'
import { movieOf, read, repaired, wholePlan, write } from '../support/engine.ts'
import { fixture } from '../support/fixtures.ts'
import { flipped, movieBoxes, rewritten, scalesOf, times, trimmed } from '../support/movie-boxes.ts'

/** The movie box hit in a place that tells no time. */
const hit = (bytes: Uint8Array): Uint8Array => {
  const header = movieBoxes(bytes).find(({ path }) => path.endsWith('/vmhd'))
  if (!header) throw new Error('no video media header')
  return flipped(bytes, header.box.offset + 7, 1)
}

describe('clocks', () => {
  const healthy = fixture('h264-aac.mp4')

  it('of a film whose start is cut away stay where another box was hit', async () => {
    const whole = await movieOf(healthy)
    const cut = trimmed(healthy, scalesOf(whole))
    const { movie, findings } = await read(hit(cut))
    expect(findings.healthy).toBe(false)
    expect(movie?.tracks.map(times)).toEqual(whole.tracks.map(times))
    expect(movie?.tracks.map(({ edits }) => edits)).toEqual(
      (await movieOf(cut)).tracks.map(({ edits }) => edits),
    )
  })

  it('come back from any flipped bit of a time scale', async () => {
    const whole = await movieOf(healthy)
    for (let bit = 0; bit < 32; bit++) {
      for (const wanted of [0, 1]) {
        const damaged = rewritten(hit(healthy), [
          [
            'moov/trak/mdia/mdhd',
            (view, track) => {
              if (track === wanted) view.setUint32(12, view.getUint32(12) ^ (1 << bit))
            },
          ],
        ])
        const movie = await movieOf(damaged)
        expect(movie.tracks.map(times), `track ${wanted}, bit ${bit}`).toEqual(whole.tracks.map(times))
      }
    }
  })

  it('come back where noise lies over all that a media header tells', async () => {
    const whole = await movieOf(healthy)
    for (const wanted of [0, 1]) {
      const damaged = rewritten(healthy, [
        [
          'moov/trak/mdia/mdhd',
          (view, track) => {
            if (track === wanted) for (let at = 0; at < 24; at++) view.setUint8(at, (0xe3 + at * 0x59) & 0xff)
          },
        ],
      ])
      const { bytes, report } = await repaired(damaged)
      expect(report.verdict, `track ${wanted}`).toBe('repaired')
      expect((await movieOf(bytes)).tracks.map(times), `track ${wanted}`).toEqual(whole.tracks.map(times))
    }
  })

  it('come back from several flipped bits of a time scale', async () => {
    const whole = await movieOf(healthy)
    for (const bits of [0x8000_2000, 0x0400_0800, 0x0102_0000]) {
      const damaged = rewritten(hit(healthy), [
        [
          'moov/trak/mdia/mdhd',
          (view, track) => track === 0 && view.setUint32(12, view.getUint32(12) ^ bits),
        ],
      ])
      expect((await movieOf(damaged)).tracks.map(times), bits.toString(16)).toEqual(whole.tracks.map(times))
    }
  })

  it('show all of the media where several bits of the edit are flipped but the header knows its length', async () => {
    const whole = await movieOf(healthy)
    const damaged = rewritten(hit(healthy), [
      [
        'moov/trak/edts/elst',
        (view, track) => track === 1 && view.setUint32(8, view.getUint32(8) ^ 0x1_0400),
      ],
    ])
    expect((await movieOf(damaged)).tracks.map(({ edits }) => edits)).toEqual(
      whole.tracks.map(({ edits }) => edits),
    )
  })

  it('come back where pictures are counted by ones; 24 a second instead of 25 are a doubt', async () => {
    const [{ mediaHeader, samples }] = (await movieOf(healthy)).tracks
    const unit = samples.duration[0]
    expect(mediaHeader.timescale / unit).toBe(25)
    const divide = (view: DataView, at: number): void => view.setInt32(at, view.getInt32(at) / unit)
    const everyRun = (view: DataView, track: number): void => {
      for (let run = 0; track === 0 && run < view.getUint32(4); run++) divide(view, 12 + run * 8)
    }
    const coarse = (view: DataView, at: number): void => view.setUint32(at, view.getUint32(at) / 80)
    const counted = rewritten(hit(healthy), [
      [
        'moov/mvhd',
        (view) => {
          for (const at of [12, 16]) coarse(view, at)
        },
      ],
      ['moov/trak/tkhd', (view) => coarse(view, 20)],
      ['moov/trak/mdia/minf/stbl/stts', everyRun],
      ['moov/trak/mdia/minf/stbl/ctts', everyRun],
      [
        'moov/trak/mdia/mdhd',
        (view, track) => {
          for (const at of track === 0 ? [12, 16] : []) divide(view, at)
        },
      ],
      [
        'moov/trak/edts/elst',
        (view, track) => {
          coarse(view, 8)
          if (track === 0) divide(view, 12)
        },
      ],
    ])
    const scale = (found: MovieTrack): number => found.mediaHeader.timescale
    expect((await movieOf(counted)).tracks.map(scale)[0]).toBe(25)
    const wrong: unknown[] = []
    for (let bit = 0; bit < 32; bit++) {
      const damaged = rewritten(counted, [
        ['moov/trak/mdia/mdhd', (view, track) => track === 0 && view.setUint32(12, 25 ^ (1 << bit))],
      ])
      const [found] = (await movieOf(damaged)).tracks
      if (scale(found) !== 25) wrong.push([bit, found.tables.durationsGuessed])
    }
    expect(wrong).toEqual([[0, true]])
  })

  it('have the start that their edit list says where the order of pictures is a guess', async () => {
    const { header, tracks } = await movieOf(healthy)
    const [pictures] = tracks
    const edits = (pictures.edits ?? []).map((edit) => ({
      ...edit,
      mediaTime: edit.mediaTime | (1 << 20) | 8,
    }))
    const startsOf = (orderGuessed: boolean) => {
      const tables = { ...pictures.tables, ...(orderGuessed ? { orderGuessed: true as const } : {}) }
      const clocks = { header, tracks: [{ ...pictures, tables, edits }] }
      const mended = mendTimes(clocks, true, new Findings(9), new Allowance(1_000_000))
      return mended.tracks[0].edits
    }
    expect(startsOf(true)).toEqual(edits)
    expect(startsOf(false)).toEqual(pictures.edits)
  })

  it('of a cut film keep their durations where the length of the media was hit', async () => {
    const whole = await movieOf(healthy)
    const cut = trimmed(healthy, scalesOf(whole))
    for (let bit = 4; bit < 20; bit++) {
      const damaged = rewritten(hit(cut), [
        ['moov/trak/mdia/mdhd', (view) => view.setUint32(16, view.getUint32(16) ^ (1 << bit))],
      ])
      const movie = await movieOf(damaged)
      expect(movie.tracks.map(times), `bit ${bit}`).toEqual(whole.tracks.map(times))
    }
  })
})

describe('the length of the media', () => {
  const lengths = async (bytes: Uint8Array): Promise<readonly number[]> =>
    (await movieOf(bytes)).tracks.map(({ mediaHeader }) => mediaHeader.duration)

  it('comes back from flipped bits that no duration explains: no doubt of times', async () => {
    const healthy = await write(wholePlan(await movieOf(fixture('h264-aac.mp4'))), fixture('h264-aac.mp4'))
    const whole = await lengths(healthy)
    // several are told by what the header says
    for (const bits of [...Array.from({ length: 6 }, (_, i) => 1 << (13 + i * 3)), 0x40_1000]) {
      const damaged = rewritten(hit(healthy), [
        ['moov/trak/mdia/mdhd', (view) => view.setUint32(16, view.getUint32(16) ^ bits)],
      ])
      expect(await lengths(damaged), `bits ${bits}`).toEqual(whole)
      const { report } = await repaired(damaged)
      const told = [report.verdict, ...report.tracks.map(({ times }) => times)]
      expect(told, `bits ${bits}`).toEqual(['repaired', 'exact', 'exact'])
    }
  })

  it('is left where a bit of a duration explains it as well, or no more than a delay is missing', async () => {
    const movie = await movieOf(fixture('h264-aac.mp4'))
    const { tables, mediaHeader, ...rest } = movie.tracks[0]
    const kept = (duration: number, counts: readonly number[], values: readonly number[]) => {
      const runs = { length: 2, counts: Uint32Array.from(counts), values: Uint32Array.from(values) }
      const header = { ...mediaHeader, duration }
      const track = { ...rest, mediaHeader: header, tables: { ...tables, durations: runs } }
      const clocks = { header: movie.header, tracks: [track] } as never
      return mendTimes(clocks, true, new Findings(10), new Allowance(1e6)).tracks[0]?.mediaHeader.duration
    }
    expect(kept(6400, [34, 16], [128, 192])).toBe(6400)
    expect(kept(26112, [40, 10], [512, 512])).toBe(26112)
  })
})

describe('durations', () => {
  /** The pictures' `stts`: where its entries start, and how many there are. */
  const table = (bytes: Uint8Array): { view: DataView; entries: number; count: number } => {
    const found = movieBoxes(bytes).find(({ path }) => path.endsWith('/stts'))
    if (!found) throw new Error('no durations')
    const view = new DataView(bytes.buffer, bytes.byteOffset)
    return { view, entries: found.box.offset + 16, count: view.getUint32(found.box.offset + 12) }
  }

  /** The film with pictures that last as long as `duration` says, each shown at one of the instants at which they are decoded. */
  const lasting = async (duration: (row: number) => number): Promise<Uint8Array> => {
    const movie = await movieOf(fixture('h264-aac.mp4'))
    const [pictures, ...others] = movie.tracks
    const { samples } = pictures
    const rows = Array.from({ length: samples.length }, (_, row) => row)
    const shown = rows.toSorted((a, b) => samples.dts[a] + samples.cts[a] - samples.dts[b] - samples.cts[b])
    for (let row = 0, time = 0; row < samples.length; row++) {
      samples.dts[row] = time
      samples.duration[row] = duration(row)
      time += samples.duration[row]
    }
    const delay = Math.max(...shown.map((row, place) => samples.dts[row] - samples.dts[place]))
    for (const [place, row] of shown.entries())
      samples.cts[row] = samples.dts[place] + delay - samples.dts[row]
    const edits = pictures.edits?.map((edit) => ({ ...edit, mediaTime: delay }))
    return write(
      wholePlan({ ...movie, tracks: [{ ...pictures, edits }, ...others] }),
      fixture('h264-aac.mp4'),
    )
  }

  it('keep their number where a flipped bit makes it too large, whichever bit it is', async () => {
    const healthy = await lasting((row) => (row < 48 ? 512 : 300))
    const whole = await movieOf(healthy)
    for (let bit = 0; bit < 31; bit++) {
      const damaged = healthy.slice()
      const { view, entries } = table(damaged)
      view.setUint32(entries, view.getUint32(entries) ^ (1 << bit))
      expect((await movieOf(damaged)).tracks.map(times), `bit ${bit}`).toEqual(whole.tracks.map(times))
    }
  })

  it('that are beyond all others are mended where so many others were hit that nobody can tell them', async () => {
    const healthy = await lasting((row) => 512 << (row % 3))
    const whole = (await movieOf(healthy)).tracks[0].samples
    const damaged = healthy.slice()
    const { view, entries, count } = table(damaged)
    expect(count).toBe(50)
    for (const [run, bits] of [
      [3, 1 << 31],
      [7, 1 << 24],
      [9, (1 << 20) | (1 << 17)],
      [12, 1 << 0],
      [15, 1 << 2],
      [18, 1 << 4],
      [20, 1 << 6],
      [23, 1 << 8],
    ]) {
      const at = entries + run * 8 + 4
      view.setUint32(at, view.getUint32(at) ^ bits)
    }
    const { samples } = (await movieOf(damaged)).tracks[0]
    const last = samples.length - 1
    expect(Math.abs(samples.dts[last] - whole.dts[last])).toBeLessThan(512)
  })

  it('that only their sum tells are said to be estimated, and those that stand out are not', async () => {
    const healthy = await lasting((row) => 512 + ((row * 37) % 64) * 8)
    const hit = async (...bits: readonly number[]): Promise<readonly [string, string | undefined]> => {
      const damaged = healthy.slice()
      const { view, entries } = table(damaged)
      for (const [i, bit] of bits.entries()) {
        const at = entries + (10 + i) * 8 + 4
        view.setUint32(at, view.getUint32(at) ^ (1 << bit))
      }
      const { report } = await repaired(damaged)
      return [report.verdict, report.tracks.find(({ kind }) => kind === 'video')?.times]
    }
    expect(await hit(25, 4)).toEqual(['partial', 'estimated'])
    expect(await hit(25)).toEqual(['repaired', 'exact'])
    // those left over add up to no length that any header tells
    expect(await hit(25, 4, 6, 8, 10, 3)).toEqual(['partial', 'estimated'])
  })
})

it('a flipped bit that lets an edit list skip a part of the first picture only is mended', async () => {
  const { header, tracks } = await movieOf(fixture('h264-aac.mp4'))
  const [pictures] = tracks
  const first = firstComposition(pictures.tables)
  const unit = pictures.samples.duration[0]
  const length = pictures.samples.length * unit
  const duration = Math.round((length * header.timescale) / pictures.description.timescale)
  const editsWith = (mediaTime: number) => [{ duration, mediaTime, rate: 65_536 }]
  for (let bit = 1; bit < unit; bit *= 2) {
    const clocks = { header, tracks: [{ ...pictures, edits: editsWith(first ^ bit) }] }
    const [mended] = mendTimes(clocks, true, new Findings(9), new Allowance(1_000_000)).tracks
    // less than the edit's duration is rounded by tells nothing
    if ((first ^ bit) > first && bit / pictures.description.timescale > 2 / header.timescale)
      expect(mended.edits, `${bit}`).toEqual(editsWith(first))
  }
})

it('a wait before the first sound that is longer than the movie has a bit flipped', async () => {
  const { header, tracks } = await movieOf(fixture('h264-aac.mp4'))
  const sound = tracks[1]
  const { duration } = header
  const waits = (wait: number, shown = duration): number | undefined => {
    const edits = [
      { duration: wait, mediaTime: -1, rate: 65_536 },
      { duration: shown, mediaTime: 0, rate: 65_536 },
    ]
    // this camera's track header leaves the wait out
    const track = { ...sound, header: { ...sound.header, duration: shown }, edits }
    return mendTimes({ header, tracks: [track] }, true, new Findings(9), new Allowance(1_000_000)).tracks[0]
      .edits?.[0].duration
  }
  const top = 2 ** (Math.floor(Math.log2(duration)) + 1)
  for (const bit of [top, top * 2, top * 1024]) expect(waits(44 + bit), `${bit}`).toBe(44)
  expect(waits(44)).toBe(44)
  expect(waits(3 * top)).toBe(3 * top)
  // nor where it is the movie's own length that was hit
  expect(waits(44 + top, duration + 1)).toBe(44 + top)
})
