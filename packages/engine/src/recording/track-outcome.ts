import type { TimeRange, TrackReport } from '../model/report.ts'
import type { SampleTable } from '../model/sample-table.ts'
import type { TrackDescription } from '../model/track.ts'

/** Stretches of time reported of one track; beyond, only counts are right. */
const MAX_RANGES = 500

/** Units that lie together in time and in the file. */
export interface Counted {
  readonly units: number
  /** Decoding time of the first one and how long they last, in ticks. */
  readonly from: number
  readonly duration: number
  /** In the damaged file, or -1 when their bytes are nowhere. */
  readonly offset: number
  /** In bytes. */
  readonly size: number
}

/** Collects what became of a track's rows, in decoding order, into counts and stretches of time. */
export class TrackOutcome {
  recovered = 0
  damaged = 0
  lost = 0
  readonly #scale: number
  readonly #origin: number
  readonly #ranges: {
    start: number
    end: number
    state: TimeRange['state']
    offset: number
    until: number
    reason: string
  }[] = []

  /** @param origin decoding time in ticks that is the output's time zero. */
  constructor(timescale: number, origin: number) {
    this.#scale = timescale
    this.#origin = origin
  }

  /** An empty one for the same track. */
  anew(): TrackOutcome {
    return new TrackOutcome(this.#scale, this.#origin)
  }

  /** Counts one row of the track; `offset` in the damaged file, or -1 when its bytes are nowhere. */
  add(state: TimeRange['state'], table: SampleTable, row: number, offset: number, reason = ''): void {
    const { count, dts, duration, size } = table
    this.count(
      state,
      { units: count[row], from: dts[row], duration: duration[row], offset, size: size[row] },
      reason,
    )
  }

  /** Counts a stretch of the track as `add` does a row. */
  count(state: TimeRange['state'], { units, from, duration, offset, size }: Counted, reason = ''): void {
    if (state === 'recovered') this.recovered += units
    else if (state === 'damaged') this.damaged += units
    else this.lost += units
    const start = Math.max(0, (from - this.#origin) / this.#scale)
    const end = Math.max(start, (from + duration - this.#origin) / this.#scale)
    const last = this.#ranges.at(-1)
    if (last && last.state === state && last.reason === reason) {
      last.end = Math.max(last.end, end)
      if (offset >= 0) last.until = Math.max(last.until, offset + size)
      return
    }
    // the last row before a loss is shown until the loss ends, which is no time of its own
    if (last) last.end = Math.max(last.start, Math.min(last.end, start))
    if (this.#ranges.length >= MAX_RANGES) return
    this.#ranges.push({ start, end, state, offset, until: offset + size, reason })
  }

  /** Counts a row that was recovered as damaged. */
  spoil(table: SampleTable, row: number, reason: string): void {
    this.recovered -= table.count[row]
    this.damaged += table.count[row]
    this.#restate(table, row, 'recovered', 'damaged', reason)
  }

  /** Counts a damaged row as lost: it is left out. */
  lose(table: SampleTable, row: number, reason: string): void {
    this.damaged -= table.count[row]
    this.lost += table.count[row]
    this.#restate(table, row, 'damaged', 'lost', reason)
  }

  /** Counts a lost row as recovered: its bytes were found elsewhere than the index says. */
  find(table: SampleTable, row: number): void {
    this.lost -= table.count[row]
    this.recovered += table.count[row]
    this.#restate(table, row, 'lost', 'recovered', 'carved')
  }

  #restate(
    table: SampleTable,
    row: number,
    from: TimeRange['state'],
    state: TimeRange['state'],
    reason: string,
  ): void {
    if (this.#ranges.length >= MAX_RANGES) return
    const start = Math.max(0, (table.dts[row] - this.#origin) / this.#scale)
    const at = this.#ranges.findIndex((range) => range.state === from && range.end > start)
    const range = this.#ranges[at]
    if (!range || range.start > start) return
    const end = Math.min(range.end, start + table.duration[row] / this.#scale)
    const offset = table.offset[row]
    const until = offset + table.size[row]
    const before = { ...range, end: start, until: Math.min(range.until, offset) }
    const hit = { start, end, state, offset, until, reason }
    const behind = { ...range, start: end, offset: until }
    const parts = [before, hit, behind].filter((part) => part.end > part.start)
    const last = this.#ranges[at - 1]
    if (parts[0] === hit && last?.state === state && last.reason === reason) {
      last.end = end
      last.until = until
      parts.shift()
    }
    this.#ranges.splice(at, 1, ...parts)
  }

  /** The account of the track; `duration` in seconds. */
  report(
    { id, kind, codec }: Pick<TrackDescription, 'id' | 'kind' | 'codec'>,
    duration: number,
    times: TrackReport['times'],
  ): TrackReport {
    const ranges = this.#ranges.map(({ start, end, state, offset, until, reason }) => ({
      start,
      end,
      state,
      ...(offset >= 0 ? { offset, length: until - offset } : {}),
      ...(reason === '' ? {} : { reason }),
    }))
    return {
      id,
      kind,
      codec,
      recovered: this.recovered,
      damaged: this.damaged,
      lost: this.lost,
      duration,
      times,
      ranges,
    }
  }
}
