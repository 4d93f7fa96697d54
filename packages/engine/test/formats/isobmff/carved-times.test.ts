import { describe, expect, it } from 'vitest'
import { RunBuilder } from '../../../src/formats/isobmff/boxes/stts.ts'
import type { MovieTrack } from '../../../src/formats/isobmff/read/movie.ts'
import { adoptTimes, markDoubtfulTimes } from '../../../src/formats/isobmff/ways/index/carved-times.ts'
import type { RecoveredTrack } from '../../../src/formats/isobmff/ways/index/surviving-index.ts'
import { SampleTable } from '../../../src/model/sample-table.ts'
import { TrackOutcome } from '../../../src/recording/track-outcome.ts'
import { movieOf } from './support/engine.ts'
import { fixture } from './support/fixtures.ts'

const GROUPS = 12
const PICTURE = 3000
/** Display order of a group's pictures in decoding order. */
const ORDER = [3, 1, 0, 2]

/** Pictures that a phone decodes four at a time, nearly at once, and shows evenly. `late` ticks by row come on top. */
function burst(late: ReadonlyMap<number, number>): SampleTable {
  const table = new SampleTable(GROUPS * 4)
  for (let row = 0; row < GROUPS * 4; row++) {
    const start = (row >> 2) * 4 * PICTURE
    const decoded = start + (row & 3) * 9
    table.push(1000 + row, 1, 1, (row & 3) === 3 ? 4 * PICTURE - 27 : 9, ORDER[row & 3], 0)
    table.dts[row] = decoded
    table.cts[row] = start + ORDER[row & 3] * PICTURE + 27 - decoded + (late.get(row) ?? 0)
  }
  return table
}

function recovered(template: MovieTrack, table: SampleTable, estimated: boolean): RecoveredTrack {
  return { plan: { template, table, times: 'index' }, outcome: new TrackOutcome(90_000, 0), estimated }
}

/** A picture track whose index has these times. */
async function indexed(table: SampleTable): Promise<RecoveredTrack> {
  const [track] = (await movieOf(fixture('h264-aac.mp4'))).tracks
  const durations = new RunBuilder()
  const runs = new RunBuilder()
  for (let row = 0; row < table.length; row++) {
    durations.add(table.duration[row])
    runs.add(table.cts[row])
  }
  const mediaHeader = { ...track.mediaHeader, duration: GROUPS * 4 * PICTURE }
  const tables = { ...track.tables, durations, compositions: { version: 0 as const, runs } }
  return recovered({ ...track, samples: table, mediaHeader, tables }, table, false)
}

const shown = ({ length, dts, cts }: SampleTable): number[] =>
  Array.from({ length }, (_, row) => dts[row] + cts[row])

describe('times of an index that was hit', () => {
  it.each([
    ['late', 17, 1 << 17],
    ['late at the end', 46, 1 << 17],
  ])(
    'show a picture between its neighbours in the bitstream that they show far too %s',
    async (_name, row, off) => {
      const right = burst(new Map())
      const track = await indexed(burst(new Map([[row, off]])))
      expect(adoptTimes(track, recovered(track.plan.template, right, true))).toBeUndefined()
      expect(shown(track.plan.table)).toEqual(shown(right))
    },
  )

  it.each([[[24]], [[0, 24, 47]]])('are those of the bitstream where a few differ: %j', async (rows) => {
    const right = burst(new Map())
    const late = new Map(rows.map((row, i) => [row, (i % 2 ? -1 : 1) * (1 << 17)]))
    const track = await indexed(burst(late))
    expect(adoptTimes(track, recovered(track.plan.template, right, false))).toBe('adopted')
    expect(shown(track.plan.table)).toEqual(shown(right))
    expect([...track.plan.table.dts.subarray(0, 48)]).toEqual([...right.dts.subarray(0, 48)])
    const same = await indexed(burst(late))
    expect(adoptTimes(same, recovered(same.plan.template, burst(late), false))).toBe('agree')
  })

  it('stay as they are where no picture is shown further from its place than reordering moves it', async () => {
    const table = burst(new Map([[17, 40]]))
    const before = shown(table)
    const track = await indexed(table)
    adoptTimes(track, recovered(track.plan.template, burst(new Map()), true))
    expect(shown(track.plan.table)).toEqual(before)
  })
})

describe('times of sound that starts late', () => {
  /** Packets of 1024 ticks, the first of which lasts until the others begin, some way into the recording. */
  function sound(first: number, odd: ReadonlyMap<number, number> = new Map()): SampleTable {
    const table = new SampleTable()
    let time = 0
    for (let row = 0; row < 45; row++) {
      const at = table.push(1000 + row, 1, 1, row === 0 ? first : (odd.get(row) ?? 1024), row, 0)
      table.dts[at] = time
      time += table.duration[at]
    }
    return table
  }

  async function heard(table: SampleTable): Promise<RecoveredTrack> {
    const track = (await movieOf(fixture('h264-aac.mp4'))).tracks[1]
    const durations = new RunBuilder()
    for (let row = 0; row < table.length; row++) durations.add(table.duration[row])
    // a header that was hit makes the times doubtful
    const mediaHeader = { ...track.mediaHeader, duration: 1 << 24 }
    return recovered(
      { ...track, samples: table, mediaHeader, tables: { ...track.tables, durations } },
      table,
      false,
    )
  }

  it('are right where the packets agree but for how long the first one lasts', async () => {
    const track = await heard(sound(2964))
    expect(adoptTimes(track, recovered(track.plan.template, sound(1024), false))).toBe('agree')
    expect(shown(track.plan.table)).toEqual(shown(sound(2964)))
  })

  it('follow the packets behind the first one where some differ', async () => {
    const track = await heard(sound(2964, new Map([[40, 1024 + 4096]])))
    expect(adoptTimes(track, recovered(track.plan.template, sound(1024), false))).toBe('adopted')
    expect(shown(track.plan.table)).toEqual(shown(sound(2964)))
  })

  it('follow the packets from the first one on where a flipped bit may have made that long', async () => {
    const track = await heard(sound(1024 + 2048))
    expect(adoptTimes(track, recovered(track.plan.template, sound(1024), false))).toBe('adopted')
    const times = shown(track.plan.table)
    expect(times.map((time) => time - times[0])).toEqual(shown(sound(1024)))
  })
})

it('pictures that last as long as their header says keep their times where the bitstream knows only a shorter length', async () => {
  const table = (long: ReadonlyMap<number, number>) => {
    const made = new SampleTable(60)
    let time = 0
    for (let row = 0; row < 60; row++) {
      const duration = long.get(row) ?? PICTURE
      made.push(1000 + row, 1, 1, duration, row, 0)
      made.dts[row] = time
      time += duration
    }
    return made
  }
  const adopted = async (lacking: number) => {
    const [{ tables, ...rest }] = (await movieOf(fixture('h264-aac.mp4'))).tracks
    const own = table(new Map([[48, 4 * PICTURE]]))
    const durations = new RunBuilder()
    for (const duration of own.duration.subarray(0, 60)) durations.add(duration)
    const mediaHeader = { ...rest.mediaHeader, duration: (63 - lacking) * PICTURE }
    const hit = { ...tables, compositions: undefined, durations, durationsGuessed: true as const }
    const track = recovered({ ...rest, samples: own, mediaHeader, tables: hit } as never, own, false)
    return adoptTimes(track, recovered(track.plan.template, table(new Map()), false))
  }
  expect(await adopted(0)).toBeUndefined()
  expect(await adopted(3)).toBe('adopted')
})

it('pictures out of order come evenly between those that are in order, also before the first and behind the last', async () => {
  const [{ header, description }] = (await movieOf(fixture('h264-aac.mp4'))).tracks
  /** Pictures of 500 ticks, one of which lasts 900, shown as they are decoded 1000 ticks later, and some at other times. */
  const tableOf = (strays: Readonly<Record<number, number>>): SampleTable => {
    const table = new SampleTable()
    for (let row = 0; row < 20; row++) {
      const at = table.push(row, 1, 1, row === 11 ? 900 : 500, row, 0)
      table.dts[at] = row * 500 + (row > 11 ? 400 : 0)
      table.cts[at] = strays[row] ?? 1000
    }
    return table
  }
  const tables = { durationsGuessed: true, compositions: { version: 0 }, orderGuessed: true }
  const template = { header, description, layout: { rows: 'samples' }, tables } as unknown as MovieTrack
  const mine = tableOf({ 0: 30_000, 6: -4000, 11: 9000, 12: -9000, 19: -9500 })
  const own = recovered({ ...template, samples: mine }, mine, false)
  expect(adoptTimes(own, recovered(template, tableOf({}), true))).toBeUndefined()
  // 11 and 12 come a third each of the way from 10 to 13, which are 1900 ticks apart
  const step = Math.round((17 * 500 + 400) / 17)
  expect(shown(mine)).toEqual(
    [...Array(20).keys()].map((row) => {
      if (row === 0) return 1500 - step
      if (row === 11 || row === 12) return Math.round(6000 + ((row - 10) * 1900) / 3)
      if (row === 19) return 18 * 500 + 1400 + step
      return row * 500 + (row > 11 ? 400 : 0) + 1000
    }),
  )
})

it('pictures whose order is lost are shown at the instants of the index in the order of the bitstream, where both have the same', async () => {
  const [{ header, description }] = (await movieOf(fixture('h264-aac.mp4'))).tracks
  const rank = (row: number): number => (row & ~3) + ORDER[row & 3]
  const tableOf = (shownAt: (row: number) => number): SampleTable => {
    const table = new SampleTable()
    for (let row = 0; row < 16; row++) {
      const at = table.push(row, 1, 1, 500, row, 0)
      table.dts[at] = 40 + row * 500
      table.cts[at] = shownAt(row) - table.dts[at]
    }
    return table
  }
  const shownOf = (edits: object | undefined, step = 500, codec = description.codec) => {
    const mine = tableOf((row) => 40 + row * 500)
    const tables = { durationsGuessed: true, compositions: { version: 0 }, orderGuessed: true }
    const layout = { rows: 'samples' }
    const template = {
      ...{ header, description: { ...description, codec }, layout, tables, edits },
      samples: mine,
    } as unknown as MovieTrack
    const told = recovered(
      template,
      tableOf((row) => 7000 + rank(row) * step),
      false,
    )
    const outcome = adoptTimes(recovered(template, mine, false), told)
    return [outcome, shown(mine).map((time, row) => time - rank(row) * 500)]
  }
  // none is shown before it is decoded, and one as soon as that
  expect(shownOf(undefined)).toEqual(['adopted', Array(16).fill(1040)])
  expect(shownOf([{ mediaTime: -1 }, { mediaTime: 1300 }])).toEqual(['adopted', Array(16).fill(1300)])
  expect(shownOf(undefined, 600)[0]).toBeUndefined()
  // a codec that nobody reads has no order of its own
  expect(shownOf(undefined, 500, 'unread')[0]).toBeUndefined()
})

it('times that the pictures contradict are in doubt', async () => {
  const track = await indexed(burst(new Map()))
  const marked = (contradicted: boolean) =>
    markDoubtfulTimes([track], new Set([track.plan.template.header.id]), () => contradicted)
  expect(marked(true)[0]).toMatchObject({ estimated: true, timesDoubtful: true })
  expect(marked(false)[0]).toBe(track)
})

it('a duration longer than the whole track by its header is in doubt, however few samples there are', async () => {
  const [track] = (await movieOf(fixture('h264-aac.mp4'))).tracks
  const marked = (last: number) => {
    const samples = new SampleTable()
    for (const [row, duration] of [500, 500, last].entries()) samples.push(row, 1, 1, duration, row, 0)
    const durations = new RunBuilder()
    for (const duration of [500, 500, last]) durations.add(duration)
    const { compositions: _, ...tables } = track.tables
    const mediaHeader = { ...track.mediaHeader, duration: 1500 }
    const template = { ...track, samples, mediaHeader, tables: { ...tables, durations } }
    return markDoubtfulTimes([recovered(template, samples, false)], new Set(), () => false)[0].timesDoubtful
  }
  expect(marked(500)).toBeUndefined()
  expect(marked(1 << 24)).toBe(true)
})

describe('sound that starts late, as phones write it: its first sample lasts until the others begin', () => {
  /** What becomes of times that a header's length leaves `left` ticks out of, where the first sample lasts `first`. */
  async function adopted(first: number, left: number) {
    const sound = (await movieOf(fixture('h264-aac.mp4'))).tracks[1]
    const table = new SampleTable(60)
    const even = new SampleTable(60)
    const durations = new RunBuilder()
    for (let row = 0; row < 60; row++) {
      const duration = row === 0 ? first : 1024
      table.push(1000 + row, 1, 1, duration, row, 0)
      even.push(1000 + row, 1, 1, 1024, row, 0)
      table.dts[row] = row === 0 ? 0 : first + (row - 1) * 1024
      even.dts[row] = row * 1024
      durations.add(duration)
    }
    const mediaHeader = { ...sound.mediaHeader, duration: first + 59 * 1024 - left }
    const tables = { ...sound.tables, durations }
    const track = recovered({ ...sound, samples: table, mediaHeader, tables }, table, false)
    return adoptTimes(track, recovered(track.plan.template, even, false))
  }

  it('keeps its times where the length leaves just that out', async () => {
    expect(await adopted(8471, 7449)).toBeUndefined()
  })

  it('is timed anew where a flipped bit makes the first sample last so long', async () => {
    expect(await adopted(1024 + 8192, 8192)).not.toBeUndefined()
  })
})
