import { expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../../src/bytes/limits.ts'
import { SILENT } from '../../../src/model/monitor.ts'
import { SAMPLE_KEY, SampleTable } from '../../../src/model/sample-table.ts'
import type { TrackDescription } from '../../../src/model/track.ts'
import { carve } from '../../../src/recovery/carve.ts'
import { inFileOrder } from '../../../src/recovery/learning/rows-by-place.ts'
import { lookAlike } from '../../../src/recovery/telling-apart/look-alikes.ts'
import { learnTurns } from '../../../src/recovery/telling-apart/turn-clocks.ts'
import { readerOf } from '../../../testing/video/replay.ts'
import { movieOf } from '../../formats/isobmff/support/engine.ts'
import { fixture } from '../../formats/isobmff/support/fixtures.ts'

const SOURCE = fixture('h264-aac.mp4')
const MOVIE = await movieOf(SOURCE)

/** AAC-LC of one channel more or less, with the index of its sampling rate: ISO/IEC 14496-3:2019 §1.6.2.1. */
function sound(id: number, sampleRate: number, rateIndex: number): TrackDescription {
  const own = MOVIE.tracks[1].description
  const word = (2 << 11) | (rateIndex << 7) | ((own.channels ?? 1) << 3)
  return { ...own, id, timescale: sampleRate, sampleRate, config: Uint8Array.of(word >> 8, word & 255) }
}

/**
 * A second of pictures and two tracks of sound by time. The tracks' units are the same ones, from two places on; the second's
 * clock starts later by `behind` seconds, and of each the first units may be left out.
 */
function record(
  rates: readonly (readonly [number, number])[],
  from: readonly number[],
  pictures: number,
  skip = 0,
) {
  const descriptions = [
    MOVIE.tracks[0].description,
    ...rates.map(([rate, index], i) => sound(i + 2, rate, index)),
  ]
  const tables = descriptions.map(() => new SampleTable())
  const sources = [MOVIE.tracks[0].samples, MOVIE.tracks[1].samples, MOVIE.tracks[1].samples]
  const seconds = [1 / 25, ...rates.map(([rate]) => 1024 / rate)]
  const taken = [0, ...from]
  const clocks = [0, ...rates.map(([rate]) => -1024 / rate)]
  const parts: Uint8Array[] = []
  let at = 0
  let unit = 0
  while (tables[0].length < pictures) {
    const soonest = Math.min(...clocks)
    const lane = clocks.findIndex((clock) => clock < soonest + 1e-9)
    const source = sources[lane]
    const row = taken[lane]++ % source.length
    const time = clocks[lane] + (lane > 0 ? seconds[lane] : 0)
    clocks[lane] += seconds[lane]
    if (unit++ < skip) continue
    const table = tables[lane]
    const ticks = Math.round(seconds[lane] * descriptions[lane].timescale)
    const own = table.push(at, source.size[row], 1, ticks, source.order[row], source.flags[row] | SAMPLE_KEY)
    table.dts[own] = Math.round(time * descriptions[lane].timescale)
    parts.push(SOURCE.subarray(source.offset[row], source.offset[row] + source.size[row]))
    at += source.size[row]
  }
  const tracks = descriptions.map((description, lane) => ({ description, table: tables[lane] }))
  return { bytes: new Uint8Array(Buffer.concat(parts)), tracks }
}

function dealt(tables: readonly SampleTable[]): string {
  let order = ''
  inFileOrder(tables, (lane) => {
    order += lane
  })
  return order
}

const PAIRS = [
  [
    '44.1 and 48 kHz',
    [
      [44_100, 4],
      [48_000, 3],
    ],
  ],
  [
    '48 and 32 kHz',
    [
      [48_000, 3],
      [32_000, 5],
    ],
  ],
  [
    '48 and 48 kHz',
    [
      [48_000, 3],
      [48_000, 3],
    ],
  ],
] as const

it.each(PAIRS)('AAC of %s looks alike and takes turns by clocks that start a unit early', (_, rates) => {
  const { bytes, tracks } = record(rates, [0, 5], 60)
  expect(lookAlike(readerOf(bytes), tracks[1], tracks[2])).toBe(true)
  const turns = learnTurns(tracks, [1, 2])
  const apart = 1024 / rates[0][0] - 1024 / rates[1][0]
  expect(Math.abs((turns?.phases[1] ?? 9) - apart)).toBeLessThan(1024 / 32_000)
})

it.each(PAIRS)('units of %s without an index go to the track whose clock is behind', async (_, rates) => {
  const sample = record(rates, [0, 5], 60)
  const film = record(rates, [3, 11], 60)
  const carved = await carve({
    reader: readerOf(film.bytes),
    regions: [{ offset: 0, length: film.bytes.length }],
    sample: { reader: readerOf(sample.bytes), tracks: sample.tracks },
    limits: DEFAULT_LIMITS,
    monitor: SILENT,
  })
  expect(dealt(carved.tracks.map(({ table }) => table))).toBe(dealt(film.tracks.map(({ table }) => table)))
  expect(carved.tracks.some(({ times }) => times.untimed)).toBe(false)
})

it('tracks that lie in shares take no turns', () => {
  const { tracks } = record(
    [
      [48_000, 3],
      [48_000, 3],
    ],
    [0, 5],
    60,
  )
  const [pictures, first, second] = tracks
  const later = new SampleTable()
  const { table } = second
  for (let row = 0; row < table.length; row++) {
    later.push(table.offset[row] + 1e6, table.size[row], 1, table.duration[row], 0, SAMPLE_KEY)
    later.dts[row] = table.dts[row]
  }
  expect(learnTurns([pictures, first, { ...second, table: later }], [1, 2])).toBeUndefined()
})

it('takes pictures of two cameras of one coding for alike, and no sound for pictures', () => {
  const [pictures, sounds] = MOVIE.tracks.map(({ description, samples }) => ({ description, table: samples }))
  expect(lookAlike(readerOf(SOURCE), pictures, pictures)).toBe(true)
  expect(lookAlike(readerOf(SOURCE), pictures, sounds)).toBe(false)
})
