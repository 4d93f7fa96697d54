import { describe, expect, it } from 'vitest'
import { type Box, bodyOf, readChildren } from '../../../src/formats/isobmff/boxes/box.ts'
import { mendTimes } from '../../../src/formats/isobmff/mend/times.ts'
import { firstComposition } from '../../../src/formats/isobmff/mend/track-length.ts'
import type { MovieTrack } from '../../../src/formats/isobmff/movie.ts'
import { Allowance } from '../../../src/model/allowance.ts'
import { Findings } from '../../../src/model/finding.ts'
import { diagnosed, movieOf, read, readerOf, repaired, wholePlan, write } from './support/engine.ts'
import { FIXTURES, type FixtureName, fixture } from './support/fixtures.ts'

const INDEXED = FIXTURES.filter((name) => !name.includes('fragmented'))
const CONTAINERS: ReadonlySet<string> = new Set(['trak', 'edts', 'mdia', 'minf', 'dinf', 'stbl'])

/** All boxes of the movie box of a file, with the path to each. */
function movieBoxes(bytes: Uint8Array): { path: string; box: Box }[] {
  const reader = readerOf(bytes)
  const moov = readChildren(reader, 0, bytes.length).boxes.find(({ type }) => type === 'moov')
  if (!moov) throw new Error('no movie box')
  const list: { path: string; box: Box }[] = []
  const walk = (parent: Box, path: string): void => {
    for (const box of readChildren(reader, bodyOf(parent), parent.end).boxes) {
      list.push({ path: `${path}/${box.type}`, box })
      if (CONTAINERS.has(box.type)) walk(box, `${path}/${box.type}`)
    }
  }
  walk(moov, 'moov')
  return list
}

function flipped(bytes: Uint8Array, at: number, bit: number): Uint8Array {
  const damaged = bytes.slice()
  damaged[at] ^= 1 << bit
  return damaged
}

/** Numbers from 0 on that look random and are the same in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed * 2654435761 + 1
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Where each sample lies. */
function places({ samples }: MovieTrack): readonly string[] {
  return Array.from({ length: samples.length }, (_, row) => `${samples.offset[row]}+${samples.size[row]}`)
}

/** When each sample is decoded and shown, in ticks. */
function times({ samples, mediaHeader }: MovieTrack): readonly string[] {
  return Array.from(
    { length: samples.length },
    (_, row) => `${samples.dts[row]}/${samples.cts[row]}/${mediaHeader.timescale}`,
  )
}

describe.each(INDEXED)('one flipped bit in the movie box of %s', (name: FixtureName) => {
  const healthy = fixture(name)
  const boxes = movieBoxes(healthy)

  it('in the size or the type of a box changes nothing that is read', async () => {
    const whole = await movieOf(healthy)
    const pick = numbers(1)
    const vital = boxes.filter(({ box }) =>
      /^(trak|mdia|minf|stbl|tkhd|mdhd|mvhd|hdlr|stsd|stts|stsc|stsz|stco)$/.test(box.type),
    )
    for (const { path, box } of vital) {
      for (const bit of [pick(32), 32 + pick(32)]) {
        const movie = await movieOf(flipped(healthy, box.offset + (bit >> 3), bit & 7))
        const message = `${path}, bit ${bit}`
        expect(movie.tracks.map(places), message).toEqual(whole.tracks.map(places))
        expect(movie.tracks.map(times), message).toEqual(whole.tracks.map(times))
      }
    }
  })

  it('and more, until nothing is left of the type of a container, are mended by what it holds', async () => {
    const whole = await movieOf(healthy)
    for (const { path, box } of boxes.filter(({ box: { type } }) => CONTAINERS.has(type))) {
      for (const type of [
        [0, 0, 0, 0],
        [0x51, 0x7a, 0x37, 0x6b],
        [0xff, 0x00, 0xa7, 0x13],
      ]) {
        const damaged = healthy.slice()
        damaged.set(type, box.offset + 4)
        const { movie, findings } = await read(damaged)
        expect(findings.healthy, path).toBe(false)
        expect(movie?.tracks.map(places), path).toEqual(whole.tracks.map(places))
        expect(movie?.tracks.map(times), path).toEqual(whole.tracks.map(times))
      }
    }
  })

  it('in the size of a track does not make boxes of the movie of what the next one holds', async () => {
    const whole = await movieOf(healthy)
    for (const { path, box } of boxes.filter((one) => one.box.type === 'trak')) {
      for (let bit = 0; bit < 8; bit++) {
        const movie = await movieOf(flipped(healthy, box.offset + 3, bit))
        expect(movie.tracks.map(places), `${path}, bit ${bit}`).toEqual(whole.tracks.map(places))
        expect(movie.boxes, `${path}, bit ${bit}`).toEqual(whole.boxes)
      }
    }
  })

  it('in a chunk offset, a number of samples or a size leaves every sample where it is', async () => {
    const whole = await movieOf(healthy)
    const pick = numbers(2)
    const tables = boxes.filter(
      ({ box }) => (box.type === 'stco' || box.type === 'stsz') && box.size > 16 + 4 * 4,
    )
    for (const { path, box } of tables) {
      for (let tries = 0; tries < 12; tries++) {
        // The last chunk has no neighbour that shows where it ends.
        const at = bodyOf(box) + 12 + pick(Math.floor((box.size - 20) * 0.7))
        const bit = pick(8)
        const { bytes } = await repaired(flipped(healthy, at, bit))
        const movie = bytes.length > 0 ? await movieOf(bytes) : whole
        expect(
          movie.tracks.map(({ samples }) => [samples.length, ...samples.size.subarray(0, samples.length)]),
          `${path}, byte ${at - box.offset}, bit ${bit}`,
        ).toEqual(
          whole.tracks.map(({ samples }) => [samples.length, ...samples.size.subarray(0, samples.length)]),
        )
      }
    }
  }, 60_000)
})

describe('a flipped bit in the number of channels', () => {
  it.each(['h264-pcm.mov', 'prores-pcm.mov'] as const)('of the plain sound of %s is mended', async (name) => {
    const healthy = fixture(name)
    const whole = (await movieOf(healthy)).tracks.map((track) => [track.description, ...places(track)])
    const descriptions = movieBoxes(healthy).filter(({ box }) => box.type === 'stsd')
    const [entry] = descriptions.slice(-1).map(({ box }) => bodyOf(box) + 8)
    for (let bit = 0; bit < 16; bit++) {
      const { movie } = await read(flipped(healthy, entry + 24 + (bit >> 3), bit & 7))
      const found = movie?.tracks.map((track) => [track.description, ...places(track)])
      expect(found, `bit ${bit}`).toEqual(whole)
    }
  })
})

it.each(['h264-pcm.mov', 'prores-pcm.mov'] as const)(
  'a flipped bit in the size of all sound samples of %s is mended, not the channels to fit it',
  async (name) => {
    const healthy = fixture(name)
    const whole = (await movieOf(healthy)).tracks.map((track) => [track.description, ...places(track)])
    const [sizes] = movieBoxes(healthy)
      .filter(({ box }) => box.type === 'stsz')
      .slice(-1)
      .map(({ box }) => bodyOf(box) + 4)
    for (const bit of [0, 2, 3, 6]) {
      const { movie } = await read(flipped(healthy, sizes + 2, bit))
      const found = movie?.tracks.map((track) => [track.description, ...places(track)])
      expect(found, `bit ${bit}`).toEqual(whole)
    }
  },
)

it('channels of plain sound that cannot be mended leave a doubt', async () => {
  const damaged = fixture('h264-pcm.mov')
  const [entry] = movieBoxes(damaged)
    .filter(({ box }) => box.type === 'stsd')
    .slice(-1)
    .map(({ box }) => bodyOf(box) + 8)
  expect(damaged[entry + 25]).toBe(1)
  damaged[entry + 25] = 10
  const { report } = await repaired(damaged)
  expect(report.verdict).not.toBe('repaired')
  expect(report.verdict).not.toBe('healthy')
})

describe('many flipped bits', () => {
  it.each(['h264-aac.mp4', 'hevc-aac.mp4', 'h264-two-aac.mov'] as const)(
    'in the tables of %s cost no sample and no time',
    async (name) => {
      const healthy = fixture(name)
      const whole = await movieOf(healthy)
      const tables = movieBoxes(healthy).filter(({ box }) => /^(stts|ctts|stsz|stco)$/.test(box.type))
      for (let seed = 1; seed <= 4; seed++) {
        const pick = numbers(seed)
        const damaged = healthy.slice()
        for (const { box } of tables) {
          const room = box.size - 20
          if (room >= 16) damaged[bodyOf(box) + 12 + pick(Math.floor(room * 0.7))] ^= 1 << pick(8)
        }
        const { movie, findings } = await read(damaged)
        expect(findings.has('isobmff.table-mended')).toBe(true)
        const same = movie?.tracks.map((track, i) => {
          const expected = [places(whole.tracks[i]), times(whole.tracks[i])]
          const found = [places(track), times(track)]
          return found.map((list, kind) => list.filter((entry, row) => entry === expected[kind][row]).length)
        })
        expect(same, `seed ${seed}`).toEqual(
          whole.tracks.map(({ samples }) => [samples.length, samples.length]),
        )
      }
    },
  )
})

/** Gives boxes of a recording's movie other contents; `path` ends as in `movieBoxes`. */
function rewritten(
  bytes: Uint8Array,
  changes: readonly (readonly [path: string, change: (view: DataView, track: number) => void])[],
): Uint8Array {
  const result = bytes.slice()
  for (const [path, change] of changes) {
    for (const [track, { box }] of movieBoxes(bytes)
      .filter((entry) => entry.path === path)
      .entries())
      change(new DataView(result.buffer, bodyOf(box), box.size - 8), track)
  }
  return result
}

function scalesOf(movie: { readonly tracks: readonly MovieTrack[] }): readonly number[] {
  return movie.tracks.map(({ mediaHeader }) => mediaHeader.timescale)
}

/** A recording of which the first fifth is cut away by its edit lists alone. */
function trimmed(bytes: Uint8Array, scales: readonly number[]): Uint8Array {
  const shorter = (view: DataView, at: number): void => view.setUint32(at, view.getUint32(at) * 0.8)
  return rewritten(bytes, [
    ['moov/mvhd', (view) => shorter(view, 16)],
    ['moov/trak/tkhd', (view) => shorter(view, 20)],
    [
      'moov/trak/edts/elst',
      (view, track) => {
        shorter(view, 8)
        view.setUint32(12, view.getUint32(12) + scales[track] * 0.4)
      },
    ],
  ])
}

describe('clocks', () => {
  const healthy = fixture('h264-aac.mp4')
  /** The movie box hit in a place that tells no time. */
  const hit = (bytes: Uint8Array): Uint8Array => {
    const header = movieBoxes(bytes).find(({ path }) => path.endsWith('/vmhd'))
    if (!header) throw new Error('no video media header')
    return flipped(bytes, header.box.offset + 7, 1)
  }

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
    const edits = (pictures.edits ?? []).map((edit) => ({ ...edit, mediaTime: edit.mediaTime | (1 << 20) }))
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

describe('durations', () => {
  /** The pictures' `stts`: where its entries start, and how many there are. */
  const table = (bytes: Uint8Array): { view: DataView; entries: number; count: number } => {
    const found = movieBoxes(bytes).find(({ path }) => path.endsWith('/stts'))
    if (!found) throw new Error('no durations')
    const view = new DataView(bytes.buffer, bytes.byteOffset)
    return { view, entries: found.box.offset + 16, count: view.getUint32(found.box.offset + 12) }
  }

  /** The film with pictures that last as long as `duration` says. */
  const lasting = async (duration: (row: number) => number): Promise<Uint8Array> => {
    const movie = await movieOf(fixture('h264-aac.mp4'))
    const [{ samples }] = movie.tracks
    for (let row = 0, time = 0; row < samples.length; row++) {
      samples.dts[row] = time
      samples.cts[row] = 0
      samples.duration[row] = duration(row)
      time += samples.duration[row]
    }
    return write(wholePlan(movie), fixture('h264-aac.mp4'))
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

describe('composition offsets', () => {
  it('that could be mended otherwise as well follow the order of the bitstream', async () => {
    const healthy = fixture('h264-aac.mp4')
    const whole = await movieOf(healthy)
    const boxes = movieBoxes(healthy)
    const found = boxes.find(({ path }) => path.endsWith('/ctts'))
    const other = boxes.find(({ path }) => path.endsWith('/vmhd'))
    if (!found || !other) throw new Error('no composition offsets')
    // the movie box is hit elsewhere, too
    const damaged = flipped(healthy, other.box.offset + 7, 1)
    const view = new DataView(damaged.buffer, damaged.byteOffset)
    const entries = found.box.offset + 16
    // a picture at no time that is one, and two at the next one's and its own
    for (const [run, bits] of [
      [1, 32],
      [2, 1024],
    ]) {
      const at = entries + run * 8 + 4
      view.setUint32(at, view.getUint32(at) ^ bits)
    }
    const { report, bytes } = await repaired(damaged)
    expect(report.verdict).toBe('repaired')
    const [pictures] = (await movieOf(bytes)).tracks
    expect(times(pictures)).toEqual(times(whole.tracks[0]))
  })
})

describe('a healthy movie box', () => {
  it.each(FIXTURES)('of %s is read as it is', async (name) => {
    const { findings, healthy } = await diagnosed(fixture(name))
    expect(findings.filter(({ severity }) => severity !== 'info')).toEqual([])
    expect(healthy).toBe(true)
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
