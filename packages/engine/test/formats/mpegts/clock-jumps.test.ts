import { describe, expect, it } from 'vitest'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { findClockJumps, joinTimes, movedBy } from '../../../src/formats/mpegts/mend/clock-jumps.ts'
import { PidStream } from '../../../src/formats/mpegts/read/stream.ts'
import { SAMPLE_AFTER_HOLE, SampleTable } from '../../../src/model/sample-table.ts'
import { ClockTable } from '../../../src/recording/clock-table.ts'

const VIDEO = 0x100
const SOUND = 0x101
const ROOM = 1000
const PICTURE = 3600
/** Ticks of the jump, which is as long as the clock says only to within a picture. */
const HOUR = 3600 * 90_000
const reader = new ByteReader(new MemorySource(new Uint8Array(100 * ROOM)))

function tableOf(times: readonly number[], shift: number): SampleTable {
  const table = new SampleTable()
  for (const [row, time] of times.entries()) {
    table.push(row * ROOM + shift, 0, 1, 0, 0, 0)
    table.dts[row] = time
  }
  return table
}

function clocksOf(times: readonly number[], shift: number): ClockTable {
  const table = new ClockTable(times.length)
  for (const [row, time] of times.entries()) table.push(row * ROOM + shift, time)
  return table
}

/** Pictures, sound and clock references, whose times `moved` changes by their number. */
function streams(moved: (row: number) => number, picture: (row: number) => number = () => 0): PidStream[] {
  const rows = Array.from({ length: 100 }, (_, row) => row)
  const video = new PidStream(VIDEO)
  video.table = tableOf(
    rows.map((row) => row * PICTURE + moved(row) + picture(row)),
    0,
  )
  video.clocks = clocksOf(
    rows.map((row) => row * PICTURE + moved(row) + (moved(row) > 0 ? 20 : 0)),
    10,
  )
  const sound = new PidStream(SOUND)
  sound.table = tableOf(
    rows.map((row) => row * PICTURE + moved(row)),
    100,
  )
  return [video, sound]
}

const fromHalf = (row: number) => (row >= 50 ? HOUR : 0)
/** Pictures that come at no even rate. */
const uneven = (row: number) => (row % 3) * 500

describe('a jump of the clock', () => {
  it('is as long as it is in the streams that go on evenly', () => {
    for (const picture of [undefined, uneven]) {
      const [jump, ...more] = findClockJumps(reader, streams(fromHalf, picture))
      expect(more).toEqual([])
      expect(jump).toMatchObject({ offset: 50 * ROOM + 10, ticks: HOUR, sure: true })
      expect([...jump.rows]).toEqual([VIDEO, SOUND].map((pid) => [pid, 50]))
    }
  })

  it('is a guess where none does', () => {
    const [video] = streams(fromHalf, uneven)
    expect(findClockJumps(reader, [video])).toMatchObject([{ sure: false }])
  })

  it('is none where a single reference is off, nor where something is missing', () => {
    expect(
      findClockJumps(
        reader,
        streams((row) => (row === 50 ? HOUR : 0)),
      ),
    ).toEqual([])
    for (const number of [0, 1]) {
      const all = streams(fromHalf)
      const { table } = all[number]
      if (table) table.flags[50] |= SAMPLE_AFTER_HOLE
      expect(findClockJumps(reader, all)).toEqual([])
    }
  })

  it('is taken out of all times behind it', () => {
    const all = streams(fromHalf)
    const jumps = findClockJumps(reader, all)
    joinTimes(all, jumps)
    for (const { table } of all)
      for (let row = 0; table && row < table.length; row++) expect(table.dts[row]).toBe(row * PICTURE)
    expect([49, 50].map((row) => movedBy(jumps, SOUND, row))).toEqual([0, HOUR])
    expect(movedBy(jumps, VIDEO + 8, 99)).toBe(0)
  })
})
