import { SAMPLE_KEY, type SampleTable } from '../../model/sample-table.ts'
import type { Hole } from '../carving/assembler.ts'
import type { Lane } from '../carving/lane.ts'
import type { KeyDistances } from './key-distances.ts'
import { type KeyRhythm, keyRhythm, type LostKey } from './key-rhythm.ts'

/** Rows on each side of a hole whose sizes tell what was in it. */
const NEIGHBOURS = 12
/** As many of them are looked for beyond a key unit, where another scene may begin. */
const LEAST_NEIGHBOURS = 4
/** Rows looked at for those. */
const MOST_PASSED = 64

/** Sizes differ by this share of their mean at the least; so much may a stretch's mean differ from its neighbours'. */
const FLOOR = 0.05
const DRIFT = 0.05
/** In nats: whole units before the hole are likelier than fragments. */
const FRAGMENT_COST = 1
/** In nats: a new scene at a lost key picture that nothing else speaks of, and one that was not due. */
const SCENE_COST = 1
const UNDUE_COST = 2
/** In nats: bytes may be gone besides those of the hole, and foreign ones may have come into it. */
const REMOVED_COST = 8
const INSERTED_COST = 8

/** What a hole's bytes may have held, as one lane's neighbours tell. */
export interface LaneBytes {
  readonly lane: Lane
  /** Seconds of a unit. */
  readonly unitSeconds: number
  /** First row behind the hole. */
  readonly row: number
}

interface Sizes {
  readonly mean: number
  readonly variance: number
}

/** The picture next to the hole: 0 bytes for none. */
interface Piece {
  readonly bytes: number
  /** What such a picture has as a whole. */
  readonly whole: Sizes
}

/**
 * What a hole's bytes and the spacing of key pictures say of the pictures and the sound in it. Sizes are those of the units
 * around: a new scene begins with a key picture, so that pictures before a lost one resemble those before the hole, and those
 * behind it the ones behind.
 */
export class HoleBytes {
  readonly keys: KeyRhythm
  readonly #hole: number
  readonly #before: Sizes
  readonly #after: Sizes
  readonly #key: Sizes
  /** Of pictures before and behind the hole alike. */
  readonly #mixed: Sizes
  readonly #sound: Sizes
  readonly #soundSeconds: number
  readonly #unitSeconds: number
  readonly #pieces: readonly Piece[]
  /** Bytes a second of the lanes beside pictures and sound. */
  readonly #otherRate: number

  /** `keys`: of the pictures, around the hole. */
  constructor(
    hole: Hole,
    pictures: LaneBytes,
    sound: LaneBytes | undefined,
    others: readonly LaneBytes[],
    keys: KeyDistances,
  ) {
    const { table } = pictures.lane
    const { row } = pictures
    const isKey = (at: number): boolean => (table.flags[at] & SAMPLE_KEY) !== 0
    const before = pieceBefore(hole, table, row)
    this.#hole = hole.length
    this.#unitSeconds = pictures.unitSeconds
    this.keys = keyRhythm(table, row, keys)
    const suspect = before > 0
    const near =
      this.keys.spacing === 1 ? amongKeys(table, row, suspect) : neighbours(table, row, suspect, keys)
    this.#before = near.before
    this.#after = near.after
    this.#key = near.key
    this.#mixed = both(near)
    const whole = (key: boolean): Sizes => (key ? this.#key : this.#mixed)
    this.#pieces = [
      { bytes: before, whole: whole(row > 0 && isKey(row - 1)) },
      { bytes: pieceBehind(hole, table, row), whole: whole(row < table.length && isKey(row)) },
    ]
    this.#sound = sound ? both(neighbours(sound.lane.table, sound.row, false)) : NOTHING
    this.#soundSeconds = sound?.unitSeconds ?? 0
    this.#otherRate = others.reduce((sum, other) => {
      const { mean } = both(neighbours(other.lane.table, other.row, false))
      return other.unitSeconds > 0 ? sum + mean / other.unitSeconds : sum
    }, 0)
  }

  /** Mean bytes of a unit of sound near the hole. */
  get soundBytes(): number {
    return this.#sound.mean
  }

  /** Pictures that the hole has room for, sound and all; 0 when nothing is known of sizes. */
  get room(): number {
    const key = this.keys.spacing > 0 ? Math.max(0, this.#key.mean - this.#mixed.mean) / this.keys.spacing : 0
    const sound = this.#soundSeconds > 0 ? (this.#sound.mean * this.#unitSeconds) / this.#soundSeconds : 0
    const each = this.#mixed.mean + key + sound + this.#otherRate * this.#unitSeconds
    return each > 0 ? this.#hole / each : 0
  }

  /**
   * Unlikelihood, in nats, that the hole lies within one picture whose pieces the rows on both sides are, and took sound besides.
   */
  costWithin(sound: number): number {
    const [{ bytes: before, whole: size }, { bytes: behind }] = this.#pieces
    const variance = size.variance + (size.mean * FLOOR) ** 2 + sound * this.#sound.variance + 1
    return unlikelihood(this.#hole + before + behind - size.mean - sound * this.#sound.mean, variance)
  }

  /** Unlikelihood of a guess, in nats, up to a constant. */
  cost(pictures: number, sound: number, key: LostKey): number {
    const hole = this.#hole
    const usual = this.#mixed.mean
    const keys = this.keys.lost(pictures, key)
    const parted = typeof key === 'number'
    const ordinary = pictures - keys
    const behindKey = parted ? Math.min(key, ordinary) : ordinary / 2
    const rest =
      keys * this.#key.mean + sound * this.#sound.mean + pictures * this.#unitSeconds * this.#otherRate
    const fixed = keys * this.#key.variance + sound * this.#sound.variance + (usual * FLOOR) ** 2 + 1
    const apart = this.#before.mean - this.#after.mean
    const before = ordinary - behindKey
    const mean = this.#meanOf(before, ordinary) + rest
    const loose = parted ? 0 : (apart * ordinary) / 3.5
    const variance = this.#varianceOf(before, ordinary, fixed, loose)
    let bytes = unlikelihood(hole - mean, variance)
    // the hole may begin or end within a picture whose other piece is the row next to it
    for (const { bytes: piece, whole } of this.#pieces) {
      if (piece === 0 || piece >= whole.mean) continue
      const joined = hole + piece - whole.mean - mean
      bytes = Math.min(bytes, unlikelihood(joined, variance + whole.variance) + FRAGMENT_COST)
    }
    if (ordinary > 0) {
      // a cut makes a picture as large as a key picture that is none
      const larger = this.#key.mean - usual
      const cut = unlikelihood(hole - mean - larger, variance + this.#key.variance)
      bytes = Math.min(bytes, cut + SCENE_COST + UNDUE_COST)
    }
    if (key !== 'none' && apart !== 0 && ordinary > 0) {
      // another lost key picture, before the last one, began the scene behind the hole
      const fitting = (hole - rest - ordinary * this.#after.mean) / apart
      const most = parted ? ordinary - behindKey : ordinary
      const other = Math.min(Math.max(fitting, 0), most)
      const spread = Math.max(variance, this.#varianceOf(other, ordinary, fixed, 0))
      const cut = keys > 1 ? SCENE_COST : SCENE_COST + UNDUE_COST
      const missed = hole - (this.#meanOf(other, ordinary) + rest)
      bytes = Math.min(bytes, unlikelihood(missed, spread) + cut)
    }
    // more is gone than the hole is long, or less
    const known = Math.min(mean, hole)
    const off = Math.abs(mean - hole) / (known + usual)
    const cause = mean > hole ? REMOVED_COST : INSERTED_COST
    if (known + usual > 0) bytes = Math.min(bytes, Math.log(variance) / 2 + cause + off)
    return bytes + this.keys.cost(pictures, key)
  }

  /** Bytes of ordinary pictures, so many of them like those before the hole. */
  #meanOf(before: number, ordinary: number): number {
    return before * this.#before.mean + (ordinary - before) * this.#after.mean
  }

  /** The same by their variance, with what else varies and `loose` bytes of doubt. */
  #varianceOf(before: number, ordinary: number, fixed: number, loose: number): number {
    const spread = before * this.#before.variance + (ordinary - before) * this.#after.variance
    return fixed + spread + (this.#meanOf(before, ordinary) * DRIFT) ** 2 + loose * loose
  }
}

/** Unlikelihood of missing the expected bytes by `miss`, in nats, under a normal distribution. */
function unlikelihood(miss: number, variance: number): number {
  return (miss * miss) / (2 * variance) + Math.log(variance) / 2
}

/** Bytes of the picture that ends where the hole begins, 0 when another lane's unit does. */
function pieceBefore(hole: Hole, table: SampleTable, row: number): number {
  const last = row - 1
  return last >= 0 && table.offset[last] + table.size[last] === hole.offset ? table.size[last] : 0
}

/** Bytes of the picture that begins where the hole ends, 0 when another lane's unit does. */
function pieceBehind(hole: Hole, table: SampleTable, row: number): number {
  return row < table.length && table.offset[row] === hole.offset + hole.length ? table.size[row] : 0
}

const NOTHING: Sizes = { mean: 0, variance: 0 }

interface Neighbours {
  readonly before: Sizes
  readonly after: Sizes
  readonly key: Sizes
}

/**
 * Sizes of units around `row`; `suspect`: the unit right before it may be a fragment and is no witness. `keys` are around, if
 * those count.
 */
function neighbours(table: SampleTable, row: number, suspect: boolean, keys?: KeyDistances): Neighbours {
  const before: number[] = []
  const after: number[] = []
  const key: number[] = []
  const look = (i: number, into: number[]): boolean => {
    const each = table.size[i] / table.count[i]
    if ((table.flags[i] & SAMPLE_KEY) === 0) into.push(each)
    else key.push(each)
    const enough = (table.flags[i] & SAMPLE_KEY) !== 0 && into.length >= LEAST_NEIGHBOURS
    return !enough && into.length < NEIGHBOURS && key.length < NEIGHBOURS * 2
  }
  for (let i = row - (suspect ? 2 : 1); i >= Math.max(0, row - MOST_PASSED) && look(i, before); i--);
  for (let i = row; i < Math.min(table.length, row + MOST_PASSED) && look(i, after); i++);
  if (before.length + after.length === 0) {
    const all = spread(key)
    return { before: all, after: all, key: all }
  }
  const others = spread([...before, ...after])
  return {
    before: before.length >= LEAST_NEIGHBOURS ? spread(before) : others,
    after: after.length >= LEAST_NEIGHBOURS ? spread(after) : others,
    key: key.length > 1 ? spread(key) : ((keys && keySizes(table, row, keys)) ?? others),
  }
}

/** As `neighbours`, where every picture is a key picture: a scene may begin with any, and the nearest on each side tell. */
function amongKeys({ size, length }: SampleTable, row: number, suspect: boolean): Neighbours {
  const last = suspect ? row - 1 : row
  const all = spread([
    ...size.subarray(Math.max(0, last - LEAST_NEIGHBOURS), Math.max(0, last)),
    ...size.subarray(row, Math.min(length, row + LEAST_NEIGHBOURS)),
  ])
  return { before: all, after: all, key: all }
}

/** Sizes of the nearest key units; undefined where there are none. */
function keySizes(table: SampleTable, row: number, keys: KeyDistances): Sizes | undefined {
  const behind = keys.firstFrom(row)
  const sizes: number[] = []
  for (let i = behind; i < keys.end && sizes.length < 2; i++) sizes.push(table.size[keys.key(i)])
  for (let i = behind - 1; i >= keys.first && sizes.length < 4; i--) sizes.push(table.size[keys.key(i)])
  return sizes.length > 0 ? spread(sizes) : undefined
}

function both({ before, after }: { readonly before: Sizes; readonly after: Sizes }): Sizes {
  return { mean: (before.mean + after.mean) / 2, variance: (before.variance + after.variance) / 2 }
}

function spread(values: readonly number[]): Sizes {
  if (values.length === 0) return NOTHING
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length
  return { mean, variance }
}
