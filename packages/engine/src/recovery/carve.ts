import type { Limits } from '../bytes/limits.ts'
import type { ByteReader } from '../bytes/reader.ts'
import type { Region } from '../bytes/regions.ts'
import { type Recogniser, Unit } from '../codecs/recogniser.ts'
import type { Monitor } from '../model/monitor.ts'
import { SAMPLE_KEY, type SampleTable } from '../model/sample-table.ts'
import type { TrackDescription } from '../model/track.ts'
import { Assembler, type Hole } from './carving/assembler.ts'
import { isNumbered, type Lane, type LaneGroup, makeLanes, type RecordedTrack } from './carving/lane.ts'
import { partShortRuns } from './carving/short-runs.ts'
import type { Interleave, LanePrior } from './learning/learn.ts'
import { learnWithTwins } from './learning/learn-shared.ts'
import { toldPace } from './learning/told-pace.ts'
import { Likeness } from './telling-apart/likeness.ts'
import { lookAlike } from './telling-apart/look-alikes.ts'
import { numberedApart } from './telling-apart/own-numbers.ts'
import type { Alike } from './telling-apart/run-splitter.ts'
import { learnTurns } from './telling-apart/turn-clocks.ts'
import { skipsNumbers } from './timing/picture-order.ts'
import { type LaneTimes, timeline } from './timing/timeline.ts'
import { Segmenter } from './unframed/segmenter.ts'
import { hasUnframed, isUnframed } from './unframed/unframed-tracks.ts'

/** What carving needs: the damaged bytes, where units may lie, and a healthy recording's tracks to learn from. */
export interface CarveInput {
  readonly reader: ByteReader
  readonly regions: readonly Region[]
  readonly sample: {
    readonly reader: ByteReader
    readonly tracks: readonly RecordedTrack[]
    /** What is known of the layout, without the recording's samples or from an earlier carving; learned from them when absent. */
    readonly interleave?: Interleave | undefined
  }
  readonly limits: Limits
  readonly monitor: Monitor
  /** Told every few megabytes, and at the end, how far things are settled. */
  readonly onSettled?: ((settled: Settled) => Promise<void>) | undefined
}

/** How far carving has come. */
export interface Settled {
  /** Offset in the damaged file before which every byte is a unit's or a hole's for good. */
  readonly until: number
  readonly holes: readonly Hole[]
  /** Rows so far, times apart, by track. */
  readonly tables: readonly SampleTable[]
}

/** One track as carved: rows in decoding order with offsets into the damaged file and all times filled. */
export interface CarvedTrack {
  readonly description: TrackDescription
  readonly table: SampleTable
  readonly times: LaneTimes
  readonly prior: LanePrior
}

export interface Carved {
  /** In the order of the sample's tracks. */
  readonly tracks: readonly CarvedTrack[]
  readonly holes: readonly Hole[]
  /** See `Interleave.filler`. */
  readonly filler: number
  /** Some units tell nowhere how long they are: where they end is the likeliest reading of the bytes. */
  readonly endsEstimated: boolean
}

/** What was carved, with the layout that was given or learned. */
export interface CarvedBy extends Carved {
  readonly interleave: Interleave
}

/** Recovers every track from bytes without an index. @throws LimitError, AbortedError, EnvironmentError; never for damage. */
export async function carve(input: CarveInput): Promise<CarvedBy> {
  const { reader, regions, sample, limits, monitor } = input
  const descriptions = sample.tracks.map((track) => track.description)
  const { lanes, groups } = makeLanes(
    descriptions,
    limits.samplesPerTrack,
    (a, b) => lookAlike(sample.reader, sample.tracks[a], sample.tracks[b]),
    reader.size,
  )
  teach(groups, sample)
  const interleave =
    sample.interleave ??
    learnWithTwins(
      sample.reader,
      sample.tracks,
      lanes.map((lane) => lane.group >= 0),
    )
  const assembler = isUnframed(lanes)
    ? new Segmenter(reader, lanes, groups, sample, interleave)
    : new Assembler(reader, lanes, groups, interleave, (family) => alikeOf(reader, family, sample))
  const total = regions.reduce((sum, region) => sum + region.length, 0)
  let before = 0
  const tables = lanes.map((lane) => lane.table)
  const { holes } = assembler
  for (const region of regions) {
    await assembler.assemble(region, monitor, async (bytes, until) => {
      monitor.progress('recover', (before + bytes) / total)
      await input.onSettled?.({ until, holes, tables })
    })
    await input.onSettled?.({ until: region.offset + region.length, holes, tables })
    before += region.length
    monitor.progress('recover', total > 0 ? before / total : 1)
  }
  monitor.progress('timeline', 0)
  const { lanes: numbered, mixed } = numberedApart(
    reader,
    lanes,
    holes,
    ({ group }) => group >= 0 && groups[group].family.length > 1,
    ({ index }, recogniser) => learnFrom(lessonsOf(sample.tracks[index], sample.reader), recogniser),
  )
  const { holes: seen, parted } = partShortRuns(reader, numbered, interleave, holes)
  const times = timeline(numbered, interleave, seen, parted)
  monitor.progress('timeline', 1)
  const isGuessed = (lane: Lane): boolean =>
    mixed.has(lane.index) || (assembler instanceof Assembler && assembler.isGuessed(lane))
  return {
    tracks: lanes.map((lane, index) => ({
      description: lane.description,
      table: lane.table,
      times: isGuessed(lane) ? { ...times[index], estimated: true, untimed: true } : times[index],
      prior: interleave.lanes[index],
    })),
    holes: seen,
    filler: interleave.filler,
    interleave,
    // what tells nowhere how long it is may have swallowed pictures
    endsEstimated:
      assembler instanceof Segmenter
        ? assembler.endsEstimated || skips(numbered[interleave.reference], seen)
        : lanes.some(hasUnframed),
  }
}

/** Whether pictures are missing where no hole is. */
function skips(lane: Lane, holes: readonly Hole[]): boolean {
  // where a recording breaks off, pictures that come between its last ones were not written
  const rows = [...holes.map((hole) => hole.rows[lane.index]), lane.table.length]
  return isNumbered(lane) && skipsNumbers(lane.table, rows)
}

/** Units of the sample that a recogniser learns its encoder's habits from: two of the longest groups of pictures. */
const LESSONS = 600

function teach(groups: readonly LaneGroup[], sample: CarveInput['sample']): void {
  const unit = new Unit()
  for (const group of groups) {
    const { recogniser, lanes } = group
    const track = sample.tracks[lanes[0].index]
    const { reader, table } = lessonsOf(track, sample.reader)
    const lessons = Math.min(LESSONS, table.length)
    for (let row = 0; row < lessons; row++) {
      const offset = table.offset[row]
      const end = offset + table.size[row]
      recogniser.learn?.(reader, offset, table.size[row])
      if ((table.flags[row] & SAMPLE_KEY) === 0 || group.recoveryIsKey) continue
      group.recoveryIsKey = recogniser.recognise(reader, offset, end, unit) && unit.recovery && !unit.key
    }
    if (track.told) group.pace = toldPace(sample.reader, track.table, track.description, recogniser)
  }
}

/** Lets a recogniser learn its encoder's habits. */
function learnFrom({ reader, table }: ReturnType<typeof lessonsOf>, recogniser: Recogniser): void {
  const lessons = Math.min(LESSONS, table.length)
  for (let row = 0; row < lessons; row++) recogniser.learn?.(reader, table.offset[row], table.size[row])
}

/** What the sample teaches of lanes that look alike, by which to tell them apart; undefined where it has none of one. */
function alikeOf(
  reader: ByteReader,
  lanes: readonly Lane[],
  sample: CarveInput['sample'],
): Alike | undefined {
  const tracks = lanes.map(({ index }) => lessonsOf(sample.tracks[index], sample.reader))
  if (tracks.some(({ table }) => table.length === 0)) return undefined
  return {
    reader,
    likenesses: tracks.map((track) => new Likeness(track.reader, track)),
    turns: tracks.every((track) => track.reader === sample.reader)
      ? learnTurns(
          sample.tracks,
          lanes.map(({ index }) => index),
        )
      : learnTurns(
          tracks,
          tracks.map((_, index) => index),
        ),
  }
}

/** What a track's encoder is learned from. */
function lessonsOf(
  track: RecordedTrack,
  reader: ByteReader,
): RecordedTrack & { readonly reader: ByteReader } {
  const { description, table, lessons = { reader, table } } = track
  return { description, table: lessons.table, reader: lessons.reader }
}
