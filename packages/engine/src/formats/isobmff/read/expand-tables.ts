import type { Limits } from '../../../bytes/limits.ts'
import type { Allowance } from '../../../model/allowance.ts'
import { LimitError } from '../../../model/errors.ts'
import type { Findings } from '../../../model/finding.ts'
import { SAMPLE_KEY, SampleTable } from '../../../model/sample-table.ts'
import type { TrackDescription } from '../../../model/track.ts'
import { type Runs, runTotal } from '../boxes/tables.ts'
import { badValue, tableCountsDiffer, tableLimit, tableMended } from '../findings.ts'
import type { RowLayout, TrackTables } from './movie.ts'

/** Rows expanded from a track's tables. */
export interface Expanded {
  readonly samples: SampleTable
  readonly descriptions: Uint16Array | undefined
}

/**
 * Decides whether a track's rows are samples or runs of equal units. Runs: sound of constant size whose container
 * samples are single sample frames (PCM, or QuickTime's fixed packets counted in sample frames).
 */
export function rowLayout(description: TrackDescription, tables: TrackTables): RowLayout {
  const constant = tables.sizes?.constant ?? 0
  const durations = tables.durations
  if (constant === 0 || description.kind !== 'audio') return { rows: 'samples' }
  const ticking = durations !== undefined && durations.length === 1 && durations.values[0] === 1
  if (description.codec === 'pcm' && description.blockAlign !== undefined) {
    const align = description.blockAlign
    // Some writers count whole blocks as samples: then a row is a block of several frames.
    if (constant > align && constant % align === 0 && !ticking) return { rows: 'samples' }
    // what is more than a frame is neither one's size nor what old files put there
    return { rows: 'runs', unitBytes: align, unitSamples: 1, sizeField: Math.min(constant, align) }
  }
  const facts = description.facts ?? {}
  const packetSamples = Number(facts.packetSamples ?? 0)
  const packetBytes = Number(facts.packetBytes ?? description.blockAlign ?? 0)
  if (ticking && packetSamples > 1 && packetBytes > 0 && constant < packetBytes) {
    return { rows: 'runs', unitBytes: packetBytes, unitSamples: packetSamples, sizeField: constant }
  }
  return { rows: 'samples' }
}

/**
 * Expands the tables of a track into rows, in time and memory in proportion to the entries present. `mediaDuration` in
 * ticks times the samples of a track whose durations are lost. `rows` are those that may be made, `bytes` those of the file.
 */
export function expandTables(
  description: TrackDescription,
  tables: TrackTables,
  layout: RowLayout,
  limits: Limits,
  rows: Allowance,
  findings: Findings,
  mediaDuration = 0,
  bytes = 0,
): Expanded {
  const samples = new SampleTable(limits.samplesPerTrack, bytes)
  const entries = new DescriptionColumn()
  try {
    if (layout.rows === 'runs') {
      const { constant = 0 } = tables.sizes ?? {}
      if (constant !== layout.sizeField)
        findings.add(tableMended(description.id, 'stsz', constant, layout.sizeField))
      placeRuns(tables, layout, samples, entries)
    } else placeSamples(description, tables, samples, entries, limits, rows)
  } catch (error) {
    if (!(error instanceof LimitError)) throw error
    findings.add(tableLimit(description.id, samples.length))
  }
  checkCounts(description, tables, findings)
  if (layout.rows === 'runs') timeRuns(tables, layout, samples)
  else {
    timeSamples(tables, samples, mediaDuration, findings)
    markKeys(description, tables, samples)
  }
  return { samples, descriptions: entries.column(samples.length) }
}

/** Walks chunks in order and tells how many container samples each has; stops when either table ends. */
function eachChunk(
  tables: TrackTables,
  visit: (offset: number, samples: number, description: number) => boolean,
): void {
  const map = tables.sampleToChunk
  const offsets = tables.chunkOffsets
  if (!map || !offsets || map.length === 0) return
  let run = 0
  for (let chunk = 0; chunk < offsets.length; chunk++) {
    while (run + 1 < map.length && map.firstChunk[run + 1] <= chunk + 1) run++
    if (!visit(offsets[chunk], map.samples[run], map.description[run])) return
  }
}

function placeSamples(
  description: TrackDescription,
  tables: TrackTables,
  samples: SampleTable,
  entries: DescriptionColumn,
  limits: Limits,
  rows: Allowance,
): void {
  const sizes = tables.sizes
  if (!sizes) return
  const total = sizes.constant > 0 ? sizes.count : sizes.sizes.length
  const align = description.codec === 'pcm' ? (description.blockAlign ?? 0) : 0
  let placed = 0
  eachChunk(tables, (_offset, count) => {
    placed += count
    return placed < total
  })
  samples.reserve(Math.min(placed, total, rows.left))
  let sample = 0
  eachChunk(tables, (offset, count, entry) => {
    let at = offset
    for (let i = 0; i < count && sample < total; i++, sample++) {
      const size = sizes.constant > 0 ? sizes.constant : sizes.sizes[sample]
      if (samples.length >= limits.samplesPerTrack || !rows.take()) throw new LimitError('rows')
      entries.add(samples.length, entry)
      samples.push(at, size, align > 0 ? Math.max(1, Math.floor(size / align)) : 1, 0, 0, 0)
      at += size
    }
    return sample < total
  })
}

function placeRuns(
  tables: TrackTables,
  layout: RowLayout & { rows: 'runs' },
  samples: SampleTable,
  entries: DescriptionColumn,
): void {
  let left = tables.sizes?.count ?? 0
  eachChunk(tables, (offset, count, entry) => {
    const units = Math.floor(Math.min(count, left) / layout.unitSamples)
    left -= Math.min(count, left)
    if (units > 0) {
      entries.add(samples.length, entry)
      samples.push(offset, units * layout.unitBytes, units, 0, 0, SAMPLE_KEY)
    }
    return left > 0
  })
}

function timeRuns(tables: TrackTables, layout: RowLayout & { rows: 'runs' }, samples: SampleTable): void {
  const durations = tables.durations
  const delta = durations && durations.length > 0 ? Math.max(1, durations.values[0]) : 1
  let time = 0
  for (let row = 0; row < samples.length; row++) {
    const ticks = samples.count[row] * layout.unitSamples * delta
    samples.dts[row] = time
    samples.duration[row] = ticks
    samples.order[row] = row
    time += ticks
  }
}

/** Deltas above 2^31 are negative numbers of broken writers: one tick keeps the order. */
const MAX_DELTA = 0x8000_0000

function timeSamples(
  tables: TrackTables,
  samples: SampleTable,
  mediaDuration: number,
  findings: Findings,
): void {
  const durations = tables.durations
  let time = 0
  let run = 0
  let used = 0
  // Without durations the media's length is shared out evenly.
  let delta = durations || samples.length === 0 ? 1 : Math.max(1, Math.round(mediaDuration / samples.length))
  let bad = false
  for (let row = 0; row < samples.length; row++) {
    if (durations) {
      while (run < durations.length && used >= durations.counts[run]) {
        run++
        used = 0
      }
      if (run < durations.length) {
        delta = durations.values[run]
        if (delta >= MAX_DELTA) {
          bad = true
          delta = 1
        }
        used++
      }
    }
    samples.dts[row] = time
    samples.duration[row] = delta
    samples.order[row] = row
    time += delta
  }
  if (bad) findings.add(badValue('stts', 0, 'negative durations', '8.6.1.2'))
  if (tables.compositions) applyCompositions(tables.compositions.runs, samples)
}

function applyCompositions(runs: Runs, samples: SampleTable): void {
  let row = 0
  for (let run = 0; run < runs.length && row < samples.length; run++) {
    const end = Math.min(samples.length, row + runs.counts[run])
    samples.cts.fill(runs.values[run], row, end)
    row = end
  }
}

/** Without `stss` every sample is a sync sample, ISO/IEC 14496-12:2022 §8.6.2. */
function markKeys(description: TrackDescription, tables: TrackTables, samples: SampleTable): void {
  if (!tables.sync) {
    for (let row = 0; row < samples.length; row++) samples.flags[row] |= SAMPLE_KEY
  }
  for (const column of [tables.sync, description.kind === 'video' ? tables.partialSync : undefined]) {
    if (!column) continue
    for (const number of column)
      if (number >= 1 && number <= samples.length) samples.flags[number - 1] |= SAMPLE_KEY
  }
}

function checkCounts(description: TrackDescription, tables: TrackTables, findings: Findings): void {
  const sizes = tables.sizes
  if (!sizes) return
  const declared = sizes.constant > 0 ? sizes.count : sizes.sizes.length
  let placed = 0
  eachChunk(tables, (_offset, count) => {
    placed += count
    return true
  })
  if (tables.chunkOffsets && tables.sampleToChunk && placed !== declared) {
    findings.add(
      tableCountsDiffer(description.id, `${declared} samples have sizes, chunks hold ${placed}`, '8.7.4'),
    )
  }
  if (tables.durations) {
    const timed = runTotal(tables.durations)
    if (timed !== declared) {
      findings.add(
        tableCountsDiffer(
          description.id,
          `${declared} samples have sizes, ${timed} have durations`,
          '8.6.1.2',
        ),
      )
    }
  }
}

/** Sample entry numbers of rows, kept only once one differs from 1. */
class DescriptionColumn {
  #rows: number[] | undefined
  #filled = 0

  add(row: number, description: number): void {
    if (description !== 1 && !this.#rows) this.#rows = new Array<number>(row).fill(1)
    this.#rows?.push(Math.min(description, 0xffff))
    this.#filled = row + 1
  }

  column(length: number): Uint16Array | undefined {
    return this.#rows ? Uint16Array.from(this.#rows.slice(0, Math.min(length, this.#filled))) : undefined
  }
}
