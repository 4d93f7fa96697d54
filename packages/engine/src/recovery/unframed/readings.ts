import type { ByteReader } from '../../bytes/reader.ts'
import { Allowance } from '../../model/allowance.ts'
import { filtered, type Open } from './begun-unit.ts'
import { HOLE, type Path, throughAncestor } from './path.ts'

/** Bits that it costs to call bytes a hole. */
const HOLE_COST = 16
/** A reading this many bits below the best is given up. */
const BEAM = 32
/** Pictures whose end is looked for at once. */
const MOST_OPEN = 16
/** Sound units whose ends are looked for at once: bytes that might all begin one stay cheap. */
const MOST_SOUNDS = 32
/**
 * Readings weighed for every byte of a window, recordings of cameras make at most a third of one. In the rest of a window that
 * takes more, bytes that look like units everywhere, only the best reading is followed, with so many units open at once.
 */
const READINGS_A_BYTE = 1
const HURRIED_OPEN = 2
/**
 * Bytes that the beginnings of pictures may stand for by their evidence: of any file, and for each byte of this one. Noise offers
 * one for each byte, and recordings, whose pictures take more than their evidence, half of one. Behind more the best reading
 * alone is followed.
 */
const OFFERED = 1 << 22
const OFFERED_A_BYTE = 2
/** Steps of all searches that such a byte takes. */
const OFFER_PRICE = 1 / 4

/** All readings of the bytes so far that go on: units that have begun, those that end at known places, and a hole. */
export class Readings {
  #sounds: Open[] = []
  #pictures: Open[] = []
  /** Readings by the place where their last unit ends. */
  readonly #arrivals = new Map<number, Path[]>()
  /** Bits of the best of those readings, by the same place. */
  readonly #arrivalBest = new Map<number, number>()
  #changes = 0
  #walks = 0
  #hole: Path | undefined
  readonly #offered: Allowance
  /** Beginnings of pictures were offered too often. */
  #crowded = false
  /** Readings that may still be weighed in this window. */
  #left = 0
  #hurried = false

  constructor({ size, work }: ByteReader) {
    this.#offered = new Allowance(OFFERED + OFFERED_A_BYTE * size, work, OFFER_PRICE)
  }

  /** Sound units that have begun, by rising offset. */
  get sounds(): readonly Open[] {
    return this.#sounds
  }

  /** Pictures that have begun. */
  get pictures(): readonly Open[] {
    return this.#pictures
  }

  /** The best reading by which nothing is recognised since its start; undefined where there is none. */
  get hole(): Path | undefined {
    return this.#hole
  }

  /** The readings that may be weighed in this window are used up: the best alone is followed. */
  get hurried(): boolean {
    return this.#hurried
  }

  /** In a hurry, and all that goes on ends at known places: others are of no interest. */
  get isAwaited(): boolean {
    return this.#hurried && this.#arrivals.size > 0 && this.#sounds.length + this.#pictures.length === 0
  }

  /** Forgets all readings but `paths`, which end at `at`, and `hole`. */
  begin(at: number, paths: Path[], hole: Path | undefined): void {
    this.#sounds = []
    this.#pictures = []
    this.#changes++
    this.#arrivals.clear()
    this.#arrivalBest.clear()
    if (paths.length > 0) this.setArrivals(at, paths)
    this.#hole = hole
  }

  /** A window of so many bytes begins. */
  beginWindow(bytes: number): void {
    this.#left = this.#crowded ? 0 : bytes * READINGS_A_BYTE
    this.#hurried = false
  }

  /** Notes that a picture may begin such as chance offers once in so many bytes. */
  spend(bytes: number): void {
    this.#crowded = !this.#offered.take(bytes)
  }

  /** Notes that readings were weighed; behind as many as a window may take the best alone is kept. */
  weigh(readings: number): void {
    this.#left -= readings
    if (this.#left >= 0 || this.#hurried) return
    this.#hurried = true
    const best = this.best()
    this.#pictures = this.#pictures.filter((open) => open.best === best).slice(0, 1)
    this.#sounds =
      this.#pictures.length > 0 ? [] : this.#sounds.filter((open) => open.best === best).slice(0, 1)
    let found = this.#pictures.length + this.#sounds.length > 0
    for (const [place, score] of [...this.#arrivalBest]) {
      const keep = !found && score === best
      found ||= keep
      if (keep) continue
      this.#changes++
      this.#arrivals.delete(place)
      this.#arrivalBest.delete(place)
    }
  }

  /** Notes that readings were weighed, without a look at whether they were too many. */
  count(readings: number): void {
    this.#left -= readings
  }

  /** The best of all readings that go on. */
  best(): number {
    let best = this.#hole?.score ?? Number.NEGATIVE_INFINITY
    for (const open of this.#pictures) best = Math.max(best, open.best)
    for (const open of this.#sounds) best = Math.max(best, open.best)
    for (const score of this.#arrivalBest.values()) best = Math.max(best, score)
    return best
  }

  /** Bits below which a reading is given up. */
  get least(): number {
    return this.best() - BEAM
  }

  /** The first place from `at` on where the last unit of readings is known to end; infinite where none does. */
  nextArrival(at: number): number {
    let next = Number.POSITIVE_INFINITY
    for (const place of this.#arrivals.keys()) if (place >= at && place < next) next = place
    return next
  }

  /** Counts the changes of those places. */
  get changes(): number {
    return this.#changes
  }

  /** Whether there are readings whose last unit is known to end at `at`. */
  arrivesAt(at: number): boolean {
    return this.#arrivals.has(at)
  }

  /** The readings whose last unit is known to end at `at`. */
  arrivalsAt(at: number): Path[] {
    return this.#arrivals.get(at) ?? []
  }

  /** Those readings, which from now on are the caller's. */
  takeArrivals(at: number): Path[] {
    const paths = this.arrivalsAt(at)
    this.#changes++
    this.#arrivals.delete(at)
    this.#arrivalBest.delete(at)
    return paths
  }

  /** Makes `paths`, one at least, the readings whose last unit ends at `at`. */
  setArrivals(at: number, paths: Path[]): void {
    let best = Number.NEGATIVE_INFINITY
    for (const { score } of paths) best = Math.max(best, score)
    this.#changes++
    this.#arrivals.set(at, paths)
    this.#arrivalBest.set(at, best)
  }

  /** From the best reading at `at` on nothing may be recognised. */
  fall(path: Path, at: number): void {
    const score = path.score - HOLE_COST
    if (this.#hole && score <= this.#hole.score) return
    this.#hole = { ...path, before: path, lane: HOLE, start: at, end: at, score, last: HOLE, soundBytes: 0 }
  }

  /** The reading by which nothing is recognised up to `at`: since the hole began, or else since the best one's last unit. */
  holeTo(at: number): Path | undefined {
    if (this.#hole && this.#hole.start <= at) return { ...this.#hole, end: at }
    let best: Path | undefined
    for (const { path } of this.live()) if (path.end <= at && (!best || path.score > best.score)) best = path
    if (!best) return undefined
    const score = best.score - HOLE_COST
    return { ...best, before: best, lane: HOLE, start: best.end, end: at, score, last: HOLE, soundBytes: 0 }
  }

  /** A picture begins. */
  addPicture(picture: Open): void {
    this.#pictures.push(picture)
  }

  /** Forgets these pictures. */
  dropPictures(dropped: readonly Open[]): void {
    if (dropped.length > 0) this.#pictures = this.#pictures.filter((open) => !dropped.includes(open))
  }

  /** Forgets open pictures that other readings have left behind. */
  prune(): void {
    const least = this.least
    this.#pictures = this.#pictures.filter(({ best }) => best >= least)
    const most = this.#hurried ? HURRIED_OPEN : MOST_OPEN
    if (this.#pictures.length > most)
      this.#pictures = this.#pictures.sort((a, b) => b.best - a.best).slice(0, most)
  }

  /** A sound unit begins; the worst is forgotten where too many have. */
  addSound(sound: Open): void {
    this.#sounds.push(sound)
    if (this.#sounds.length > (this.#hurried ? HURRIED_OPEN : MOST_SOUNDS)) this.#forgetSound()
  }

  #forgetSound(): void {
    let worst = 0
    for (let i = 1; i < this.#sounds.length; i++)
      if (this.#sounds[i].best < this.#sounds[worst].best) worst = i
    this.#sounds.splice(worst, 1)
  }

  /** Forgets sound units that began more than `longest` bytes before `at`. */
  dropSounds(at: number, longest: number): void {
    const [oldest] = this.#sounds
    if (oldest && at - oldest.at > longest)
      this.#sounds = this.#sounds.filter((open) => at - open.at <= longest)
  }

  /** Forgets the readings that do not lead through `decided`. */
  keepThrough(decided: Path): void {
    const keep = throughAncestor(decided, ++this.#walks)
    this.#sounds = this.#sounds.flatMap((begun) => filtered(begun, keep))
    this.#pictures = this.#pictures.flatMap((begun) => filtered(begun, keep))
    for (const [place, paths] of [...this.#arrivals]) {
      const kept = paths.filter(keep)
      this.#changes++
      this.#arrivals.delete(place)
      this.#arrivalBest.delete(place)
      if (kept.length > 0) this.setArrivals(place, kept)
    }
    if (this.#hole && !keep(this.#hole)) {
      this.#hole = undefined
      this.fall(decided, decided.end)
    }
  }

  /** All readings that go on, with their bits: for units that have begun, those for their starts included. */
  live(): { path: Path; score: number }[] {
    const live: { path: Path; score: number }[] = []
    for (const open of [...this.#sounds, ...this.#pictures])
      for (const [i, path] of open.paths.entries()) live.push({ path, score: path.score + open.bits[i] })
    for (const paths of this.#arrivals.values())
      for (const path of paths) live.push({ path, score: path.score })
    if (this.#hole) live.push({ path: this.#hole, score: this.#hole.score })
    return live
  }
}
