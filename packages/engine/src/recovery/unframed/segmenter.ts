import type { ByteReader } from '../../bytes/reader.ts'
import type { Monitor } from '../../model/monitor.ts'
import type { Hole, Region } from '../assembler.ts'
import type { Lane, LaneGroup } from '../lane.ts'
import type { Interleave } from '../learn.ts'
import { type Extra, extrasOf, fillHoles } from './extras.ts'
import { UnitHabits } from './habits.ts'
import { filtered, type Open, open } from './open.ts'
import { bestPaths, HOLE, leadsThrough, type Path, stepsTo } from './path.ts'
import { startsLike, type Teacher, type Track, trackOf } from './track.ts'
import { type Entry, Turns } from './turns.ts'
import { UnitWriter } from './writer.ts'

/** Codecs whose packets carry no length in MP4, and those that may lie beside them. */
const UNFRAMED = new Set(['vp8', 'vp9', 'opus'])
const PICTURES = new Set(['vp8', 'vp9', 'av1', 'h264', 'hevc'])
const SOUNDS = new Set(['opus', 'aac'])

/** Bits that it costs to call bytes a hole, and to come back from it: chance offers such units now and then. */
const HOLE_COST = 16
const RETURN_COST = 18
/** Bits that it costs to say of the first bytes that they are a unit of which only the size is known. */
const VAGUE_COST = 4
/** Bits that it costs to call the last unit cut off. */
const CUT_COST = 14
/** Evidence of one unit counts up to here: more would outweigh everything around it. */
const MOST_EVIDENCE = 40
/** A reading this many bits below the best is given up. */
const BEAM = 32
/** Pictures whose end is looked for at once. */
const MOST_OPEN = 16
/** Sound units whose ends are looked for at once: bytes that might all begin one stay cheap. */
const MOST_SOUNDS = 32
/**
 * Readings weighed for every byte of a window, recordings of cameras make at most a third of one. In the rest of a window that takes
 * more, bytes that look like units everywhere, only the best reading is followed, with so many units open at once.
 */
const READINGS_A_BYTE = 1
const HURRIED_OPEN = 2
/** Sound units are at most this much longer than the sample's longest. */
const LONGER = 2
/** Bytes scanned between two pauses, and bytes behind which nothing is decided yet. */
const PAUSE_BYTES = 1 << 20
const UNDECIDED_BYTES = 1 << 17
const WINDOW = 1 << 16
const OPENING_BYTES = 3
/** Bytes read beforehand to learn the recording's own habits, how often, and the units that teach them. */
const REHEARSAL_BYTES = 2 << 20
const REHEARSALS = 2
const FEWEST_UNITS = 40

/** Zeros that a unit may end with. */
const CLOSING_ZEROS = 1

/** First bytes that may open a unit, as bits. */
const SOUND_STARTS = 1
const PICTURE_STARTS = 2
const EXTRA_STARTS = 4

/**
 * Whether these tracks are the segmenter's: pictures and sound of which one carries no length, or such pictures alone, with any tracks
 * that are neither.
 */
export function isUnframed(lanes: readonly Lane[]): boolean {
  const codecs = lanes.map(({ description }) => description.codec)
  if (!codecs.some((codec) => UNFRAMED.has(codec))) return false
  const pictures = codecs.filter((codec) => PICTURES.has(codec))
  const sounds = codecs.filter((codec) => SOUNDS.has(codec))
  const others = lanes.filter(isExtra).length
  return (
    pictures.length === 1 && sounds.length <= 1 && pictures.length + sounds.length + others === codecs.length
  )
}

function isExtra({ description }: Lane): boolean {
  return description.kind === 'data' || description.kind === 'text'
}

/**
 * Finds units that carry no length of their own, by the likeliest reading of all bytes together (Viterbi, IEEE Trans. Inf.
 * Theory 13, 1967): how units begin and end, how long they usually are, and whose turn it is by the clocks. Time grows with the bytes.
 */
export class Segmenter {
  readonly #reader: ByteReader
  readonly #writer: UnitWriter
  readonly #picture: Track
  readonly #sound: Track | undefined
  readonly #extras: readonly Extra[]
  /** Gives what is left between units to tracks that have no syntax. */
  readonly #fillHoles: () => void
  readonly #turns: Turns
  readonly #entries: readonly Entry[]
  readonly #starts = new Uint8Array(256)
  readonly #longestSound: number
  #sounds: Open[] = []
  #pictures: Open[] = []
  /** Readings by the place where their last unit ends. */
  readonly #arrivals = new Map<number, Path[]>()
  /** Bits of the best of those readings, by the same place. */
  readonly #arrivalBest = new Map<number, number>()
  #hole: Path | undefined
  #written: Path | undefined
  /** Where the region begins. */
  #from = 0
  /** Habits seen while nothing is written yet. */
  #lessons: Map<Track, UnitHabits> | undefined
  #rehearsed = false
  /** Readings that may still be weighed in this window. */
  #left = 0
  /** They are used up. */
  #hurried = false

  constructor(
    reader: ByteReader,
    lanes: readonly Lane[],
    groups: readonly LaneGroup[],
    sample: Teacher,
    interleave: Interleave,
  ) {
    this.#reader = reader
    const others = lanes.filter(isExtra)
    const tracks = lanes
      .filter((lane) => !isExtra(lane))
      .map((lane) => trackOf(lane, groups[lane.group], sample))
    const picture = tracks.find(({ lane }) => PICTURES.has(lane.description.codec))
    if (!picture) throw new Error('no pictures among the tracks')
    const sound = tracks.find((track) => track !== picture)
    this.#picture = picture
    this.#sound = sound
    const order = sound ? [picture, sound] : [picture]
    const extras = extrasOf(others, interleave.lanes, sample)
    this.#extras = extras
    this.#fillHoles = () => fillHoles(this.#writer.holes, extras, interleave.lanes, sample)
    this.#writer = new UnitWriter(reader, lanes, [...order, ...extras], interleave)
    this.#turns = new Turns(
      order.map(({ lane }) => sample.tracks[lane.index]),
      order.map(
        ({ lane }) => interleave.lanes[lane.index].unitDuration / lane.description.timescale || 1 / 50,
      ),
    )
    this.#entries = this.#turns.entries()
    const probe = sample.tracks[picture.lane.index].table
    for (let byte = 0; byte < 256; byte++) {
      if (sound?.habits.begins(byte)) this.#starts[byte] |= SOUND_STARTS
      if (probe.length === 0 || startsLike(picture.habits, byte)) this.#starts[byte] |= PICTURE_STARTS
      if (extras.some(({ habits, vague }) => !vague && habits.begins(byte)))
        this.#starts[byte] |= EXTRA_STARTS
    }
    let longest = 0
    if (sound) {
      const { table } = sample.tracks[sound.lane.index]
      for (let row = 0; row < table.length; row++) longest = Math.max(longest, table.size[row])
    }
    this.#longestSound = longest * LONGER
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
    if (!this.#rehearsed && end - region.offset >= WINDOW)
      this.#rehearse({ offset: region.offset, length: end - region.offset })
    this.#begin(region.offset)
    let pauseAt = region.offset + PAUSE_BYTES
    for (let from = region.offset; from < end; from += WINDOW) {
      const until = this.#settle(from - UNDECIDED_BYTES)
      if (from >= pauseAt) {
        await onProgress(from - region.offset, until)
        await monitor.pause()
        pauseAt = from + PAUSE_BYTES
      }
      this.#scan(from, end)
    }
    this.#finish(end)
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
    const end = region.offset + Math.min(region.length, REHEARSAL_BYTES)
    for (let round = 0; round < REHEARSALS; round++) {
      this.#lessons = new Map()
      this.#begin(region.offset)
      for (let from = region.offset; from < end; from += WINDOW) this.#scan(from, end)
      this.#finish(end)
      for (const [track, habits] of this.#lessons) if (habits.units >= FEWEST_UNITS) track.habits = habits
    }
    this.#lessons = undefined
  }

  #scan(from: number, end: number): void {
    const bytes = this.#reader.bytes(from, Math.min(WINDOW, end - from)).slice()
    this.#left = bytes.length * READINGS_A_BYTE
    this.#hurried = false
    for (let i = 0; i < bytes.length; i++) {
      const starts = this.#starts[bytes[i]]
      if (starts !== 0 || this.#arrivals.has(from + i)) this.#visit(from + i, starts, end)
    }
  }

  #begin(at: number): void {
    this.#sounds = []
    this.#pictures = []
    this.#arrivals.clear()
    this.#arrivalBest.clear()
    this.#written = undefined
    this.#from = at
    const start = { before: undefined, lane: HOLE, start: at, end: at, last: HOLE, soundBytes: 0 }
    const paths = [{ ...start, score: 0, apart: 0 }]
    for (const { apart, bits } of this.#entries) paths.push({ ...start, score: bits, apart })
    this.#setArrivals(at, paths)
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
    this.#hole = { ...start, score: -1, apart: 0 }
  }

  /** Notes that readings were weighed; behind as many as a window may take the best alone is kept. */
  #weigh(readings: number): void {
    this.#left -= readings
    if (this.#left >= 0 || this.#hurried) return
    this.#hurried = true
    const best = this.#best()
    this.#pictures = this.#pictures.filter((open) => open.best === best).slice(0, 1)
    this.#sounds =
      this.#pictures.length > 0 ? [] : this.#sounds.filter((open) => open.best === best).slice(0, 1)
    let found = this.#pictures.length + this.#sounds.length > 0
    for (const [place, score] of [...this.#arrivalBest]) {
      const keep = !found && score === best
      found ||= keep
      if (keep) continue
      this.#arrivals.delete(place)
      this.#arrivalBest.delete(place)
    }
  }

  /** In a hurry, and all that goes on ends at known places: others are of no interest. */
  get #isAwaited(): boolean {
    return this.#hurried && this.#arrivals.size > 0 && this.#sounds.length + this.#pictures.length === 0
  }

  /** A place where a unit may begin, or where one certainly ends. */
  #visit(at: number, starts: number, end: number): void {
    if (this.#isAwaited && !this.#arrivals.has(at)) return
    const { recogniser, unit } = this.#picture
    const picture = (starts & PICTURE_STARTS) !== 0 && recogniser.recognise(this.#reader, at, end, unit)
    const sound = (starts & SOUND_STARTS) !== 0 ? this.#sound : undefined
    const extras = (starts & EXTRA_STARTS) !== 0 ? this.#extrasAt(at, end) : []
    if (!picture && !sound && extras.length === 0 && !this.#arrivals.has(at)) return
    const paths = this.#pathsTo(at)
    if (paths.length > 0) this.#fall(paths[0], at)
    for (const extra of extras) this.#openExtra(extra, at, paths)
    if (picture) this.#openPicture(at, paths)
    if (sound && paths.length > 0) this.#openSound(sound, at, end, paths)
  }

  /** The tracks beside pictures and sound of which a unit seems to begin at `at`. */
  #extrasAt(at: number, end: number): Extra[] {
    return this.#extras.filter(
      ({ habits, recogniser, unit, vague }) =>
        !vague && habits.begins(this.#reader.u8(at)) && recogniser.recognise(this.#reader, at, end, unit),
    )
  }

  /** All readings by which a unit ends at `at`, but for those left behind. */
  #pathsTo(at: number): Path[] {
    const least = this.#best() - BEAM
    const paths = this.#arrivals.get(at) ?? []
    this.#arrivals.delete(at)
    this.#arrivalBest.delete(at)
    this.#weigh(1 + paths.length + this.#sounds.length + this.#pictures.length)
    const sound = this.#sound
    if (sound && this.#sounds.length > 0) {
      const [oldest] = this.#sounds
      if (at - oldest.at > this.#longestSound)
        this.#sounds = this.#sounds.filter((open) => at - open.at <= this.#longestSound)
      for (const open of this.#sounds) {
        if (open.at < at && open.best >= least && this.#isSound(sound, open.at, at))
          this.#close(open, sound, at, least, paths)
      }
    }
    for (const open of this.#pictures) {
      if (open.at < at && !open.continues && open.best >= least)
        this.#close(open, this.#picture, at, least, paths)
    }
    if (paths.length === 0) return paths
    const kept = bestPaths(paths, least, (path) => this.#turns.about(path.apart) * 4 + path.last + 1)
    return this.#hurried ? kept.slice(0, 1) : kept
  }

  #isSound(sound: Track, at: number, until: number): boolean {
    return sound.recogniser.recognise(this.#reader, at, until, sound.unit)
  }

  /** The readings in which the open unit ends at `end`. */
  #close(open: Open, track: Track, end: number, least: number, into: Path[]): void {
    const size = end - open.at
    if (size < open.least) return
    this.#left -= open.paths.length
    const isSound = track === this.#sound
    let ending = track.habits.closing(this.#reader.u8(end - 1))
    if (open.several) ending += track.recogniser.closing?.(this.#reader, open.at, end) ?? 0
    let soundBytes = -1
    let likely = isSound ? 0 : track.habits.size(size, 0)
    for (const [i, before] of open.paths.entries()) {
      const begun = before.score + open.bits[i] + ending
      if (begun < least) continue
      if (isSound && before.soundBytes !== soundBytes) {
        soundBytes = before.soundBytes
        likely = track.habits.size(size, soundBytes)
      }
      if (begun + likely >= least) into.push(this.#step(before, track, open.at, end, begun + likely))
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
    }
  }

  /** The best of all readings that go on. */
  #best(): number {
    let best = this.#hole?.score ?? Number.NEGATIVE_INFINITY
    for (const open of this.#pictures) best = Math.max(best, open.best)
    for (const open of this.#sounds) best = Math.max(best, open.best)
    for (const score of this.#arrivalBest.values()) best = Math.max(best, score)
    return best
  }

  /** From the best reading at `at` on nothing may be recognised. */
  #fall(path: Path, at: number): void {
    const score = path.score - HOLE_COST
    if (this.#hole && score <= this.#hole.score) return
    this.#hole = { ...path, before: path, lane: HOLE, start: at, end: at, score, last: HOLE, soundBytes: 0 }
  }

  /** `unit` of the pictures' track describes the picture at `at`. */
  #openPicture(at: number, paths: readonly Path[]): void {
    const { unit, habits } = this.#picture
    const pending = this.#pictures.filter((open) => open.continues && open.at < at)
    const opening = habits.opening(this.#reader.bytes(at, OPENING_BYTES))
    const evidence = Math.min(MOST_EVIDENCE, unit.evidence + opening)
    if (evidence < 0) return
    const least = this.#best() - BEAM - evidence
    const from: Path[] = []
    const bits: number[] = []
    const add = (path: Path, more: number): void => {
      if (path.score + more < least) return
      from.push(path)
      bits.push(evidence + more)
    }
    for (const path of paths) add(path, this.#turns.bits(path.last, path.apart, 0))
    if (this.#hole && this.#hole.start <= at && !(this.#hurried && paths.length > 0)) {
      const hole = { ...this.#hole, end: at }
      const entries = this.#hurried ? this.#entries.slice(0, 1) : this.#entries
      for (const { apart, bits: usual } of entries) add({ ...hole, apart }, usual - RETURN_COST)
    }
    this.#left -= paths.length + from.length
    if (unit.lengthKnown) {
      this.#arrive(this.#picture, at, from, bits)
      return
    }
    if (from.length > 0)
      this.#pictures.push(
        open({ at, paths: from, bits, least: unit.leastLength, continues: unit.continues, several: false }),
      )
    if (pending.length > 0) this.#pictures = this.#pictures.filter((open) => !pending.includes(open))
    for (const begun of pending) {
      const more = begun.bits.map((each) => each + evidence)
      const least = at - begun.at + unit.leastLength
      this.#pictures.push(open({ ...begun, bits: more, least, continues: unit.continues, several: true }))
    }
    this.#prune()
  }

  #openSound(sound: Track, at: number, end: number, paths: readonly Path[]): void {
    const { recogniser, unit } = sound
    let evidence = sound.habits.opening(this.#reader.bytes(at, OPENING_BYTES))
    if (recogniser.selfDelimiting) {
      if (!recogniser.recognise(this.#reader, at, end, unit)) return
      evidence = Math.min(MOST_EVIDENCE, evidence + unit.evidence)
    }
    const bits = paths.map((path) => evidence + this.#turns.bits(path.last, path.apart, 1))
    if (recogniser.selfDelimiting) this.#arrive(sound, at, paths, bits)
    else {
      this.#sounds.push(open({ at, paths, bits, least: 1, continues: false, several: false }))
      if (this.#sounds.length > (this.#hurried ? HURRIED_OPEN : MOST_SOUNDS)) this.#forgetSound()
    }
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

  #forgetSound(): void {
    let worst = 0
    for (let i = 1; i < this.#sounds.length; i++)
      if (this.#sounds[i].best < this.#sounds[worst].best) worst = i
    this.#sounds.splice(worst, 1)
  }

  /** The track's `unit` at `at` tells its own end. */
  #arrive(track: Track, at: number, from: readonly Path[], bits: readonly number[]): void {
    const until = at + track.unit.length
    const closing = track.habits.closing(this.#reader.u8(until - 1))
    const arriving = this.#arrivals.get(until) ?? []
    for (const [i, path] of from.entries())
      arriving.push(this.#step(path, track, at, until, path.score + bits[i] + closing))
    if (arriving.length > 0) this.#setArrivals(until, arriving)
  }

  #setArrivals(at: number, paths: Path[]): void {
    let best = Number.NEGATIVE_INFINITY
    for (const { score } of paths) best = Math.max(best, score)
    this.#arrivals.set(at, paths)
    this.#arrivalBest.set(at, best)
  }

  /** Forgets open pictures that other readings have left behind. */
  #prune(): void {
    const least = this.#best() - BEAM
    this.#pictures = this.#pictures.filter(({ best }) => best >= least)
    const most = this.#hurried ? HURRIED_OPEN : MOST_OPEN
    if (this.#pictures.length > most)
      this.#pictures = this.#pictures.sort((a, b) => b.best - a.best).slice(0, most)
  }

  /** Decides on what lies before `until`, by the best reading so far. Returns the offset before which all is decided. */
  #settle(until: number): number {
    const live = this.#live()
    let at: Path | undefined = live.reduce((a, b) => (b.score > a.score ? b : a)).path
    while (at && at.end > until) at = at.before
    if (!at || at === this.#written) return this.#written?.end ?? this.#from
    const decided = at
    for (const step of stepsTo(decided, this.#written)) this.#write(step)
    decided.before = undefined
    this.#written = decided
    const keep = (path: Path): boolean => leadsThrough(path, decided)
    this.#sounds = this.#sounds.flatMap((begun) => filtered(begun, keep))
    this.#pictures = this.#pictures.flatMap((begun) => filtered(begun, keep))
    for (const [place, paths] of [...this.#arrivals]) {
      const kept = paths.filter(keep)
      this.#arrivals.delete(place)
      this.#arrivalBest.delete(place)
      if (kept.length > 0) this.#setArrivals(place, kept)
    }
    if (this.#hole && !keep(this.#hole)) {
      this.#hole = undefined
      this.#fall(decided, decided.end)
    }
    return decided.end
  }

  #live(): { path: Path; score: number }[] {
    const live: { path: Path; score: number }[] = []
    for (const open of [...this.#sounds, ...this.#pictures])
      for (const [i, path] of open.paths.entries()) live.push({ path, score: path.score + open.bits[i] })
    for (const paths of this.#arrivals.values())
      for (const path of paths) live.push({ path, score: path.score })
    if (this.#hole) live.push({ path: this.#hole, score: this.#hole.score })
    return live
  }

  #finish(end: number): void {
    // a zero behind the last unit may be its own or filler
    const filler = this.#reader.u8(end - 1) === 0 ? this.#pathsTo(end - 1) : []
    const paths = [...filler, ...this.#pathsTo(end)]
    if (this.#hole) paths.push({ ...this.#hole, end })
    for (const begun of [...this.#pictures, ...this.#sounds])
      for (const [i, before] of begun.paths.entries()) {
        const score = before.score + begun.bits[i] - CUT_COST
        paths.push({ ...before, before, lane: HOLE, start: begun.at, end, score })
      }
    if (paths.length === 0) return
    const best = paths.reduce((a, b) => (b.score > a.score ? b : a))
    for (const step of stepsTo(best, this.#written)) this.#write(step)
  }

  #write(step: Path): void {
    if (!this.#lessons) {
      this.#writer.write(step)
      return
    }
    if (step.lane === HOLE || step.end === step.start) return
    const track = this.#sound?.lane.index === step.lane ? this.#sound : this.#picture
    if (track.lane.index !== step.lane) return
    // pictures that end where others begin may swallow them; the sample's sizes bound nothing, the recording's own do
    const habits = this.#lessons.get(track) ?? new UnitHabits(track === this.#picture)
    habits.learn(this.#reader, step.start, step.end - step.start)
    this.#lessons.set(track, habits)
  }
}
