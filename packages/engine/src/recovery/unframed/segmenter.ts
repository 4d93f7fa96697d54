import type { ByteReader } from '../../bytes/reader.ts'
import type { Region } from '../../bytes/regions.ts'
import type { Monitor } from '../../model/monitor.ts'
import type { Hole } from '../carving/assembler.ts'
import type { Lane, LaneGroup } from '../carving/lane.ts'
import type { Interleave } from '../learning/learn.ts'
import { fillHoles } from './data-tracks.ts'
import { UnitHabits } from './habits.ts'
import { HOLE, type Path, stepsTo } from './path.ts'
import { Readings } from './readings.ts'
import { SplitDoubt } from './split-doubt.ts'
import type { Teacher, Track } from './taught-lane.ts'
import { Turns } from './turn-costs.ts'
import { type UnframedTracks, unframedTracks } from './unframed-tracks.ts'
import { UnitSearch } from './unit-search.ts'
import { UnitWriter } from './writer.ts'

/** Bits that it costs to call the last unit cut off. */
const CUT_COST = 14
/** Bytes scanned between two pauses, and bytes behind which nothing is decided yet. */
const PAUSE_BYTES = 1 << 20
const UNDECIDED_BYTES = 1 << 21
const WINDOW = 1 << 16
/** Bytes between two decisions: each walks back through all that is undecided. */
const SETTLED_BYTES = 1 << 19
/** Bytes read beforehand to learn the recording's own habits, how often, and the units that teach them. */
const REHEARSAL_BYTES = 2 << 20
const REHEARSALS = 2
const FEWEST_UNITS = 40
/** Share of the pictures' time that its sound lasts where nearly all of it is found. */
const LEAST_HEARD = 0.8

/** Zeros that a unit may end with. */
const CLOSING_ZEROS = 1

/**
 * Finds units that carry no length of their own, by the likeliest reading of all bytes together (Viterbi, IEEE Trans. Inf.
 * Theory 13, 1967): how units begin and end, how long they usually are, and whose turn it is by the clocks. Time grows with the
 * bytes.
 */
export class Segmenter {
  readonly #reader: ByteReader
  readonly #writer: UnitWriter
  readonly #tracks: UnframedTracks
  /** Gives what is left between units to tracks that have no syntax. */
  readonly #fillHoles: () => void
  readonly #readings: Readings
  readonly #search: UnitSearch
  /** Seconds that a unit of pictures and of sound lasts. */
  readonly #seconds: readonly number[]
  #written: Path | undefined
  /** Where the region begins. */
  #from = 0
  /** Habits seen while nothing is written yet. */
  #lessons: Map<Track, UnitHabits> | undefined
  #rehearsed = false
  #estimated = false
  readonly #splits: SplitDoubt | undefined

  constructor(
    reader: ByteReader,
    lanes: readonly Lane[],
    groups: readonly LaneGroup[],
    sample: Teacher,
    interleave: Interleave,
  ) {
    this.#reader = reader
    this.#readings = new Readings(reader)
    this.#tracks = unframedTracks(lanes, groups, sample, interleave.lanes)
    const { picture, sound, extras } = this.#tracks
    this.#splits =
      sound && !sound.recogniser.selfDelimiting ? new SplitDoubt(reader, () => sound.habits) : undefined
    const order = sound ? [picture, sound] : [picture]
    this.#fillHoles = () => fillHoles(this.#writer.holes, extras, interleave.lanes, sample)
    this.#writer = new UnitWriter(reader, lanes, [...order, ...extras], interleave)
    const turns = new Turns(
      order.map(({ lane }) => sample.tracks[lane.index]),
      order.map(
        ({ lane }) => interleave.lanes[lane.index].unitDuration / lane.description.timescale || 1 / 50,
      ),
    )
    this.#seconds = turns.seconds
    this.#search = new UnitSearch(reader, this.#tracks, turns, sample, this.#readings)
  }

  /** Some picture was written whose end nothing showed, or sound of which more than a little may end elsewhere. */
  get endsEstimated(): boolean {
    return this.#estimated || (this.#splits?.isOfNote ?? false)
  }

  get holes(): readonly Hole[] {
    return this.#writer.holes
  }

  /** Finds the units of one region; regions come by rising offset. See `Assembler.assemble`. */
  async assemble(
    region: Region,
    monitor: Monitor,
    onProgress: (bytes: number, until: number) => Promise<void>,
  ): Promise<void> {
    const end = this.#withoutZeros(region)
    this.#search.proven.begin(region.offset, end)
    if (!this.#rehearsed && end - region.offset >= WINDOW)
      this.#rehearse({ offset: region.offset, length: end - region.offset })
    this.#begin(region.offset)
    let pauseAt = region.offset + PAUSE_BYTES
    for (let from = region.offset; from < end; from += WINDOW) {
      const isDue = (from - region.offset) % SETTLED_BYTES === 0
      if (isDue) this.#settle(from - UNDECIDED_BYTES)
      if (from >= pauseAt) {
        const until = this.#written?.end ?? this.#from
        await onProgress(from - region.offset, until)
        await monitor.pause()
        pauseAt = from + PAUSE_BYTES
      }
      this.#search.scan(from, Math.min(from + WINDOW, end), end)
    }
    this.#finish(end)
    this.#splits?.close(true)
    const left = region.offset + region.length - end
    if (left > 0) this.#writer.openHole(end, left)
    this.#fillHoles()
  }

  /** The end of a region without the zeros that a unit does not end with. */
  #withoutZeros({ offset, length }: Region): number {
    let end = offset + length
    while (end > offset) {
      const from = Math.max(offset, end - WINDOW)
      const bytes = this.#reader.bytes(from, end - from)
      let at = bytes.length
      while (at > 0 && bytes[at - 1] === 0) at--
      end = from + at
      if (at > 0) break
    }
    return Math.min(offset + length, end + CLOSING_ZEROS)
  }

  /** Reads the beginning of a region for its habits: the sample's content may differ. */
  #rehearse(region: Region): void {
    this.#rehearsed = true
    let lessons = this.#lessonsOf(region)
    if (this.#broaden(lessons)) lessons = this.#lessonsOf(region)
    for (let round = 1; round <= REHEARSALS; round++) {
      for (const [track, habits] of lessons) if (habits.units >= FEWEST_UNITS) track.habits = habits
      if (round < REHEARSALS) lessons = this.#lessonsOf(region)
    }
  }

  /** The habits of the units found at the beginning of a region. */
  #lessonsOf(region: Region): Map<Track, UnitHabits> {
    const end = region.offset + Math.min(region.length, REHEARSAL_BYTES)
    const lessons = new Map<Track, UnitHabits>()
    this.#lessons = lessons
    this.#begin(region.offset)
    for (let from = region.offset; from < end; from += WINDOW)
      this.#search.scan(from, Math.min(from + WINDOW, end), end)
    this.#finish(end)
    this.#lessons = undefined
    return lessons
  }

  /**
   * Looks for sound of other modes than the sample's, where far less sound than pictures was found. @returns whether there are
   * any
   */
  #broaden(lessons: ReadonlyMap<Track, UnitHabits>): boolean {
    const { picture, sound } = this.#tracks
    if (!sound?.recogniser.kindred) return false
    const [shown, heard] = [picture, sound].map(
      (track, i) => (lessons.get(track)?.units ?? 0) * this.#seconds[i],
    )
    if (heard >= shown * LEAST_HEARD) return false
    sound.habits.expect(sound.recogniser.kindred)
    this.#search.relearn()
    return true
  }

  #begin(at: number): void {
    this.#written = undefined
    this.#from = at
    this.#search.begin(at)
  }

  /** Decides on what lies before `until`, by the best reading so far. */
  #settle(until: number): void {
    const live = this.#readings.live()
    let at: Path | undefined = live.reduce((a, b) => (b.score > a.score ? b : a)).path
    while (at && at.end > until) at = at.before
    if (!at || at === this.#written) return
    const decided = at
    for (const step of stepsTo(decided, this.#written)) this.#write(step)
    decided.before = undefined
    this.#written = decided
    this.#readings.keepThrough(decided)
  }

  #finish(end: number): void {
    // a zero behind the last unit may be its own or filler
    const filler = this.#reader.u8(end - 1) === 0 ? this.#search.pathsTo(end - 1) : []
    const paths = [...filler, ...this.#search.pathsTo(end)]
    if (this.#readings.hole) paths.push({ ...this.#readings.hole, end })
    for (const begun of [...this.#readings.pictures, ...this.#readings.sounds])
      for (const [i, before] of begun.paths.entries()) {
        const score = before.score + begun.bits[i] - CUT_COST
        paths.push({ ...before, before, lane: HOLE, start: begun.at, end, score })
      }
    // what ends behind the end was not read to there: what lies before it was
    if (paths.length === 0)
      for (const { path } of this.#readings.live()) if (path.before && path.end > end) paths.push(path.before)
    if (paths.length === 0) return
    const best = paths.reduce((a, b) => (b.score > a.score ? b : a))
    for (const step of stepsTo(best, this.#written)) this.#write(step)
  }

  #write(step: Path): void {
    if (!this.#lessons) {
      this.#weighEnds(step)
      this.#writer.write(step)
      return
    }
    if (step.lane === HOLE || step.end === step.start) return
    const track = this.#tracks.sound?.lane.index === step.lane ? this.#tracks.sound : this.#tracks.picture
    if (track.lane.index !== step.lane) return
    // pictures that end where others begin may swallow them; the sample's sizes bound nothing, the recording's own do
    const habits = this.#lessons.get(track) ?? new UnitHabits(track === this.#tracks.picture)
    habits.learn(this.#reader, step.start, step.end - step.start)
    this.#lessons.set(track, habits)
  }

  /** Notes whether the bytes show where a unit ends, and that it is whole. */
  #weighEnds({ lane, start, end }: Path): void {
    const { picture, sound } = this.#tracks
    if (this.#splits && sound?.lane.index === lane) {
      this.#splits.add(start, end)
      return
    }
    const isPicture = picture.lane.index === lane
    const isKnown = !isPicture || picture.recogniser.selfDelimiting || this.#search.proven.proves(start, end)
    this.#estimated ||= !isKnown
    this.#splits?.close(isKnown && lane !== HOLE)
  }
}
