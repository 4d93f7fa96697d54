import { Edits } from '../../bytes/edits.ts'
import type { Foresight } from '../../bytes/foresight.ts'
import type { Limits } from '../../bytes/limits.ts'
import type { ByteReader } from '../../bytes/reader.ts'
import { Findings } from '../../model/finding.ts'
import type { Monitor } from '../../model/monitor.ts'
import { SAMPLE_DAMAGED } from '../../model/sample-table.ts'
import { joinEpochs } from '../../recording/epochs.ts'
import { unitSeconds } from '../../recording/sniff-stream.ts'
import { CLOCK } from '../../syntax/pes/time-stamp.ts'
import type { ProgramMap } from '../../syntax/psi/program-map.ts'
import { natureOf, type StreamNature } from '../../syntax/psi/stream-types.ts'
import { clockJump, encrypted, noPackets, openEnd, tableMissing, tornUnit } from './findings.ts'
import { mendArrivals } from './mend/arrivals.ts'
import { findClockJumps, joinTimes } from './mend/clock-jumps.ts'
import { deducedMap, sampleMaps, unlisted } from './mend/program-maps.ts'
import { mendClocks, mendStreamTimes } from './mend/times.ts'
import type { ArrivalRun } from './read/arrivals.ts'
import { Demux } from './read/demux.ts'
import { walkGrid } from './read/grid.ts'
import { guessLayout } from './read/layout.ts'
import type { Layout } from './read/packet.ts'
import { firstPayload } from './read/sniff.ts'
import type { PidStream } from './read/stream.ts'

/** Share of a stream's PES packets that may be shorter than they say before that is its writer's habit. */
const HABIT = 0.2

/** An elementary stream with what is known of it. */
export interface SurveyedTrack {
  readonly stream: PidStream
  readonly nature: StreamNature
  /** The file breaks off inside its last PES packet. */
  readonly open: boolean
}

/** All that one walk over the file tells. */
export interface Survey {
  readonly layout: Layout
  readonly demux: Demux
  readonly findings: Findings
  readonly edits: Edits
  readonly maps: readonly ProgramMap[]
  /** Those of them that the file does not have. */
  readonly made: readonly ProgramMap[]
  /** These are the sample's, whose streams are the same: else they are made from the streams themselves. */
  readonly borrowed: boolean
  /** Streams carry something that neither the file's maps nor those made list. */
  readonly unnamed: boolean
  readonly tracks: readonly SurveyedTrack[]
  /** Packets whose arrival times are to be others, where they are too many for single changes. */
  readonly lateArrivals: readonly ArrivalRun[]
  /** Times of some were guessed. */
  readonly guessed: boolean
  readonly encrypted: boolean
  readonly healthy: boolean
}

/**
 * Reads every packet of a file; undefined where there are none. A sample helps where its tables are lost, `foresight` is told of
 * the result on the way. Never throws for damage.
 */
export async function survey(
  reader: ByteReader,
  limits: Limits,
  monitor: Monitor,
  sample?: ByteReader,
  foresight?: Foresight,
): Promise<Survey | undefined> {
  const guess = guessLayout(reader)
  if (!guess) return undefined
  const { layout } = guess
  const findings = new Findings(limits.findings)
  const edits = new Edits(foresight)
  const demux = new Demux(reader, layout, limits, findings, edits)
  await walkGrid(reader, layout, demux, monitor)
  demux.finish()
  const carrying = demux.streams.filter((stream) => stream !== undefined)
  const { tables } = demux
  if (tables.firstAssociation < 0) findings.add(tableMissing('program association'))
  if (tables.firstMap < 0) findings.add(tableMissing('program map'))
  const known = tables.all
  const lost = unlisted(tables, carrying)
  const deduced = lost.length > 0 ? deducedMap(reader, layout, lost) : undefined
  const lent = lost.length > 0 && sample ? await mapsOf(sample, limits, monitor) : []
  const borrowed = sampleMaps(lent, deduced, lost)
  const made = borrowed.length > 0 || !deduced ? borrowed : [deduced]
  if (made.length > 0 && known.length > 0) findings.add(tableMissing('program map'))
  const maps = [...known, ...made]
  const named = new Set(made.flatMap(({ streams }) => streams.map(({ pid }) => pid)))
  const tracks = tracksOf(maps, demux)
  for (const { stream, open } of tracks) checkUnits(stream, open, findings)
  joinEpochs(carrying.flatMap(({ table, clocks }) => [table, clocks].filter((known) => known !== undefined)))
  const found = findClockJumps(reader, carrying)
  for (const { offset, ticks } of found) findings.add(clockJump(offset, ticks / CLOCK))
  // headers put in have times of before
  const jumps = edits.count === 0 ? found : []
  joinTimes(carrying, jumps)
  let guessed = jumps.length < found.length || jumps.some(({ sure }) => !sure)
  for (const track of tracks) {
    const unit = unitOf(reader, layout, track)
    if (mendStreamTimes(reader, layout, track.stream, unit, jumps, edits, findings)) guessed = true
  }
  if (tracks.some(({ stream }) => stream.untimed)) guessed = true
  // texts come at any time: nothing shows that theirs were hit as well
  if (findings.has('mpegts.time-stamp') && tracks.some(({ nature }) => nature.kind === 'text')) guessed = true
  const lateArrivals = mendArrivals(demux.arrivals, layout, edits, findings)
  for (const stream of carrying) mendClocks(reader, stream, jumps, edits, findings)
  const hidden = tracks.filter(({ stream }) => stream.scrambled * 2 > stream.packets)
  for (const { stream } of hidden) findings.add(encrypted(stream.pid))
  return {
    layout,
    demux,
    findings,
    edits,
    maps,
    made,
    borrowed: borrowed.length > 0,
    unnamed: made.length > 0 && lost.some(({ pid, table }) => (table?.length ?? 0) > 0 && !named.has(pid)),
    tracks,
    lateArrivals,
    guessed,
    encrypted: hidden.length > 0,
    healthy: findings.healthy && tracks.length > 0,
  }
}

/** The program maps of a healthy file. */
async function mapsOf(reader: ByteReader, limits: Limits, monitor: Monitor): Promise<readonly ProgramMap[]> {
  const guess = guessLayout(reader)
  if (!guess) return []
  const demux = new Demux(reader, guess.layout, limits, new Findings(0), new Edits())
  await walkGrid(reader, guess.layout, demux, monitor)
  return demux.tables.all
}

export function nothingFound(limits: Limits): Findings {
  const findings = new Findings(limits.findings)
  findings.add(noPackets())
  return findings
}

/** The streams of all programs that carry something, in the order of the maps. */
function tracksOf(maps: readonly ProgramMap[], demux: Demux): SurveyedTrack[] {
  const tracks = new Map<number, SurveyedTrack>()
  for (const map of maps) {
    for (const entry of map.streams) {
      const stream = demux.streams[entry.pid]
      if (!stream?.table || stream.table.length === 0 || tracks.has(entry.pid)) continue
      tracks.set(entry.pid, { stream, nature: natureOf(entry, map), open: isOpen(stream) })
    }
  }
  return [...tracks.values()]
}

/** Whether the last PES packet lacks its end: it claims more, or its last packet is full. */
function isOpen(stream: PidStream): boolean {
  return stream.claimed > 0 ? stream.received < stream.claimed : !stream.ended
}

/** Ticks of a frame of sound; 0 of everything else. */
export function unitOf(reader: ByteReader, layout: Layout, { stream, nature }: SurveyedTrack): number {
  if (nature.kind !== 'audio') return 0
  return unitSeconds(nature.codec, firstPayload(reader, layout, stream, 0)) * CLOCK
}

function checkUnits(stream: PidStream, open: boolean, findings: Findings): void {
  const { table } = stream
  if (!table) return
  const habit = stream.short > table.length * HABIT
  for (let row = 0; row < table.length - 1; row++) {
    if ((table.flags[row] & SAMPLE_DAMAGED) === 0) continue
    if (!habit) findings.add(tornUnit(stream.pid, table.offset[row]))
  }
  if (open) findings.add(openEnd(stream.pid, table.offset[table.length - 1]))
}
