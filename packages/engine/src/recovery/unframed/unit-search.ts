import type { ByteReader } from '../../bytes/reader.ts'
import { type Open, open } from './begun-unit.ts'
import type { Extra } from './data-tracks.ts'
import { BestPaths, HOLE, type Path } from './path.ts'
import { ProvenUnits } from './proven-units.ts'
import type { Readings } from './readings.ts'
import type { Teacher, Track } from './taught-lane.ts'
import type { Entry, Turns } from './turn-costs.ts'
import type { UnframedTracks } from './unframed-tracks.ts'
import { EXTRA_STARTS, PICTURE_STARTS, SOUND_STARTS, unitStarts } from './unit-starts.ts'

/** Bits that it costs to come back from a hole: chance offers such units now and then. */
const RETURN_COST = 18
/** Bits that it costs to say of the first bytes that they are a unit of which only the size is known. */
const VAGUE_COST = 4
/** Evidence of one unit counts up to here: more would outweigh everything around it. */
const MOST_EVIDENCE = 40
/** Sound units are at most this much longer than the sample's longest. */
const LONGER = 2
/**
 * Bytes of a window that may open units, for each that would in noise: where there are more, ends that are known alone count in
 * the rest.
 */
const MOST_STARTS = 4
/** The same of a window's bytes, however few values open units. */
const LEAST_STARTS = 1 / 16
/** Such bytes that one counts for where too many readings were weighed: what opens units everywhere says little. */
const HURRIED_STARTS = 3

/** A picture counts for as many bytes as chance takes to offer one with its evidence, up to so many bits. */
const MOST_RARE = 6

const NO_EXTRAS: readonly Extra[] = []

/** Looks for units: readings are continued by each that may begin or end somewhere. */
export class UnitSearch {
  readonly #reader: ByteReader
  readonly #picture: Track
  readonly #sound: Track | undefined
  readonly #extras: readonly Extra[]
  readonly #turns: Turns
  readonly #entries: readonly Entry[]
  /** By byte, whose units it may open. */
  #starts: Uint8Array
  readonly #tracks: UnframedTracks
  readonly #sample: Teacher
  readonly #longestSound: number
  readonly #readings: Readings
  /** Of the readings that are being gathered. */
  readonly #best = new BestPaths()
  /** Pictures that are whole and end where they say. */
  readonly proven: ProvenUnits

  constructor(reader: ByteReader, tracks: UnframedTracks, turns: Turns, sample: Teacher, readings: Readings) {
    this.#reader = reader
    this.#picture = tracks.picture
    this.#sound = tracks.sound
    this.#extras = tracks.extras
    this.#turns = turns
    this.#entries = turns.entries()
    this.#tracks = tracks
    this.#sample = sample
    this.#starts = unitStarts(tracks, sample)
    this.#readings = readings
    this.proven = new ProvenUnits(reader, tracks.picture)
    let longest = 0
    if (tracks.sound) {
      const { table } = sample.tracks[tracks.sound.lane.index]
      for (let row = 0; row < table.length; row++) longest = Math.max(longest, table.size[row])
    }
    this.#longestSound = longest * LONGER
  }

  /** What units begin with is known better now. */
  relearn(): void {
    this.#starts = unitStarts(this.#tracks, this.#sample)
  }

  /** Readings begin anew at `at`. */
  begin(at: number): void {
    const start = { before: undefined, lane: HOLE, start: at, end: at, last: HOLE, soundBytes: 0, walk: 0 }
    const paths = [{ ...start, score: 0, apart: 0 }]
    for (const { apart, bits } of this.#entries) paths.push({ ...start, score: bits, apart })
    this.#readings.begin(at, paths, { ...start, score: -1, apart: 0 })
    for (const extra of this.#extras) {
      const { recogniser, unit, vague, lane } = extra
      if (!vague || lane.table.length > 0 || !recogniser.recognise(this.#reader, at, this.#reader.size, unit))
        continue
      this.#arrive(
        extra,
        at,
        paths,
        paths.map(() => -VAGUE_COST),
      )
    }
  }

  /** Continues the readings through the window from `from` up to `until`; the region ends at `end`. */
  scan(from: number, until: number, end: number): void {
    this.proven.advance(from, until)
    const bytes = this.#reader.bytes(from, until - from).slice()
    this.#readings.beginWindow(bytes.length)
    const openers = this.#starts.reduce((count, starts) => count + (starts === 0 ? 0 : 1), 0)
    let visits = bytes.length * (LEAST_STARTS + (MOST_STARTS * openers) / this.#starts.length)
    const readings = this.#readings
    // asked for anew where it was passed, or places changed: at each byte it would cost most
    let arrival = -1
    let changes = -1
    for (let i = 0; i < bytes.length; i++) {
      const at = from + i
      const starts = this.#starts[bytes[i]]
      if (starts !== 0) visits -= readings.hurried ? HURRIED_STARTS : 1
      if (at > arrival || changes !== readings.changes) {
        arrival = readings.nextArrival(at)
        changes = readings.changes
      }
      if (at === arrival || (starts !== 0 && visits >= 0)) this.#visit(at, starts, end)
    }
  }

  /** A place where a unit may begin, or where one certainly ends. */
  #visit(at: number, starts: number, end: number): void {
    if (this.proven.isWithin(at)) return
    const until = this.proven.endOf(at)
    if (until > 0) {
      this.#meetProven(at, until)
      return
    }
    if (this.#readings.isAwaited && !this.#readings.arrivesAt(at)) return
    const { recogniser, unit } = this.#picture
    const mayBe = (starts & PICTURE_STARTS) !== 0 && !this.proven.isNone(at)
    const picture = mayBe && recogniser.recognise(this.#reader, at, end, unit)
    const sound = (starts & SOUND_STARTS) !== 0 ? this.#sound : undefined
    const extras = (starts & EXTRA_STARTS) !== 0 ? this.#extrasAt(at, end) : NO_EXTRAS
    if (!picture && !sound && extras.length === 0 && !this.#readings.arrivesAt(at)) return
    const paths = this.pathsTo(at)
    if (paths.length > 0) this.#readings.fall(paths[0], at)
    for (const extra of extras) this.#openExtra(extra, at, paths)
    if (picture) this.#openPicture(at, paths)
    if (sound && paths.length > 0) this.#openSound(sound, at, end, paths)
  }

  /** The tracks beside pictures and sound of which a unit seems to begin at `at`. */
  #extrasAt(at: number, end: number): readonly Extra[] {
    return this.#extras.filter(
      ({ habits, recogniser, unit, vague }) =>
        !vague && habits.begins(this.#reader.u8(at)) && recogniser.recognise(this.#reader, at, end, unit),
    )
  }

  /** All readings by which a unit ends at `at`, but for those left behind. */
  pathsTo(at: number): Path[] {
    const least = this.#readings.least
    const arrived = this.#readings.takeArrivals(at)
    for (const path of arrived) {
      const kind = this.#kindOf(path.apart, path.last)
      if (path.score >= least && this.#best.wants(kind, path.score)) this.#best.add(kind, path)
    }
    this.#readings.weigh(1 + arrived.length + this.#readings.sounds.length + this.#readings.pictures.length)
    const sound = this.#sound
    if (sound) {
      this.#readings.dropSounds(at, this.#longestSound)
      for (const open of this.#readings.sounds) {
        if (open.at < at && open.best >= least && this.#isSound(sound, open.at, at))
          this.#close(open, sound, at, least)
      }
    }
    for (const open of this.#readings.pictures) {
      if (open.at < at && !open.continues && open.best >= least) this.#close(open, this.#picture, at, least)
    }
    const kept = this.#best.take()
    return this.#readings.hurried ? kept.slice(0, 1) : kept
  }

  /** The same number for readings of which the better one alone is kept. */
  #kindOf(apart: number, last: number): number {
    return this.#turns.about(apart) * 4 + last + 1
  }

  #isSound(sound: Track, at: number, until: number): boolean {
    return sound.recogniser.recognise(this.#reader, at, until, sound.unit)
  }

  /** The readings in which the open unit ends at `end`. */
  #close(open: Open, track: Track, end: number, least: number): void {
    const size = end - open.at
    if (size < open.least) return
    this.#readings.count(open.paths.length)
    const isSound = track === this.#sound
    const turn = isSound ? 1 : 0
    let ending = track.habits.closing(this.#reader.u8(end - 1))
    if (open.several) ending += track.recogniser.closing?.(this.#reader, open.at, end) ?? 0
    let soundBytes = -1
    let likely = isSound ? 0 : track.habits.size(size, 0, open.least)
    for (let i = 0; i < open.paths.length; i++) {
      const before = open.paths[i]
      const begun = before.score + open.bits[i] + ending
      if (begun < least) continue
      if (isSound && before.soundBytes !== soundBytes) {
        soundBytes = before.soundBytes
        likely = track.habits.size(size, soundBytes)
      }
      const score = begun + likely
      if (score < least) continue
      const kind = this.#kindOf(this.#turns.after(before.apart, turn), turn)
      if (this.#best.wants(kind, score)) this.#best.add(kind, this.#step(before, track, open.at, end, score))
    }
  }

  #step(before: Path, track: Track, start: number, end: number, score: number): Path {
    const isMain = track === this.#picture || track === this.#sound
    if (!isMain) return { ...before, before, lane: track.lane.index, start, end, score }
    const turn = track === this.#picture ? 0 : 1
    return {
      before,
      lane: track.lane.index,
      start,
      end,
      score,
      apart: this.#turns.after(before.apart, turn),
      last: turn,
      soundBytes: turn === 1 ? end - start : before.soundBytes,
      walk: 0,
    }
  }

  /** `unit` of the pictures' track describes the picture at `at`. */
  #openPicture(at: number, paths: readonly Path[]): void {
    const { unit, habits } = this.#picture
    const evidence = Math.min(MOST_EVIDENCE, unit.evidence + habits.opening(this.#reader, at))
    if (evidence < 0) return
    this.#readings.spend(2 ** Math.min(unit.evidence, MOST_RARE))
    const pending = this.#readings.pictures.filter((open) => open.continues && open.at < at)
    const least = this.#readings.least - evidence
    const from: Path[] = []
    const bits: number[] = []
    for (const path of paths) {
      const more = this.#turns.bits(path.last, path.apart, 0)
      if (path.score + more < least) continue
      from.push(path)
      bits.push(evidence + more)
    }
    const { hole, hurried } = this.#readings
    if (hole && hole.start <= at && !(hurried && paths.length > 0)) {
      // the usual ones come first
      for (const { apart, bits: usual } of this.#entries) {
        const more = usual - RETURN_COST
        if (hole.score + more < least) break
        from.push({ ...hole, end: at, apart })
        bits.push(evidence + more)
        if (hurried) break
      }
    }
    this.#readings.count(paths.length + from.length)
    if (unit.lengthKnown) {
      this.#arrive(this.#picture, at, from, bits)
      return
    }
    if (from.length > 0)
      this.#readings.addPicture(
        open({ at, paths: from, bits, least: unit.leastLength, continues: unit.continues, several: false }),
      )
    this.#readings.dropPictures(pending)
    for (const begun of pending) {
      const more = begun.bits.map((each) => each + evidence)
      const least = at - begun.at + unit.leastLength
      this.#readings.addPicture(
        open({ ...begun, bits: more, least, continues: unit.continues, several: true }),
      )
    }
    this.#readings.prune()
  }

  /** A picture lies from `at` up to `until` for certain: all readings lead to it. */
  #meetProven(at: number, until: number): void {
    const { recogniser, unit } = this.#picture
    if (!recogniser.recognise(this.#reader, at, until, unit)) return
    const from = this.pathsTo(at)
    const bits = from.map((path) => this.#turns.bits(path.last, path.apart, 0))
    const hole = this.#readings.holeTo(at)
    if (hole)
      for (const { apart, bits: usual } of this.#entries) {
        from.push({ ...hole, apart })
        bits.push(usual - RETURN_COST)
      }
    this.#readings.begin(at, [], undefined)
    unit.length = until - at
    this.#arrive(this.#picture, at, from, bits)
  }

  #openSound(sound: Track, at: number, end: number, paths: readonly Path[]): void {
    const { recogniser, unit } = sound
    let evidence = sound.habits.opening(this.#reader, at)
    if (recogniser.selfDelimiting) {
      if (!recogniser.recognise(this.#reader, at, end, unit)) return
      evidence = Math.min(MOST_EVIDENCE, evidence + unit.evidence)
    }
    const bits = paths.map((path) => evidence + this.#turns.bits(path.last, path.apart, 1))
    if (recogniser.selfDelimiting) this.#arrive(sound, at, paths, bits)
    else this.#readings.addSound(open({ at, paths, bits, least: 1, continues: false, several: false }))
  }

  #openExtra(extra: Extra, at: number, paths: readonly Path[]): void {
    const { unit, rarity, habits } = extra
    const likely = habits.size(unit.length, 0)
    const evidence = Math.min(MOST_EVIDENCE, unit.evidence) + rarity + likely
    this.#arrive(
      extra,
      at,
      paths,
      paths.map(() => evidence),
    )
  }

  /** The track's `unit` at `at` tells its own end. */
  #arrive(track: Track, at: number, from: readonly Path[], bits: readonly number[]): void {
    const until = at + track.unit.length
    const closing = track.habits.closing(this.#reader.u8(until - 1))
    const arriving = this.#readings.arrivalsAt(until)
    for (let i = 0; i < from.length; i++) {
      const path = from[i]
      arriving.push(this.#step(path, track, at, until, path.score + bits[i] + closing))
    }
    if (arriving.length > 0) this.#readings.setArrivals(until, arriving)
  }
}
