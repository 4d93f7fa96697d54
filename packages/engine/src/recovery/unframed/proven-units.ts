import type { ByteReader } from '../../bytes/reader.ts'
import { Unit, type UnitReader } from '../../codecs/recogniser.ts'
import { Allowance } from '../../model/allowance.ts'
import { countBelow } from '../../model/bisect.ts'
import { startsLike, type Track } from './taught-lane.ts'

/** Steps of reading: of any file, and for each byte of this one. Recordings take one or two. */
const STEPS = 1 << 20
const STEPS_A_BYTE = 2.5
/** Steps of all searches that a byte read symbol by symbol takes. */
const BYTE_PRICE = 5
/** Starts that are looked at: of any file, for each byte of this one, and for each start that noise of its length offers. */
const LOOKS = 1 << 18
const LOOKS_A_BYTE = 1 / 4
const LOOKS_A_START = 1.5
/** Places whose looks are remembered: more than are read beforehand for habits, and ahead. */
const REMEMBERED = 9 << 18
/** Evidence of a start from which on it is worth while to read what may begin there. */
const WORTHY_EVIDENCE = 14
const WINDOW = 1 << 14
/** Bytes read ahead, so that where a unit ends shows where it began. */
const AHEAD = 1 << 17

/** A unit that was read, `whole` or but for its first part. */
interface Found {
  readonly start: number
  readonly end: number
  readonly whole: boolean
}

/** Units whose bytes, read symbol by symbol, show that they are whole and where they end. */
export class ProvenUnits {
  readonly #reader: ByteReader
  readonly #track: Track
  readonly #units: UnitReader | undefined
  readonly #looks: Allowance
  readonly #unit = new Unit()
  /** First bytes that may begin one. */
  readonly #begins = new Uint8Array(256)
  /** By place, 1 where none begins; of the last places before `#at`, in turns. */
  #nones = new Uint8Array(0)
  /** By rising offset, apart from each other. */
  readonly #starts: number[] = []
  readonly #ends: number[] = []
  /** False where all but the first part was read. */
  readonly #whole: boolean[] = []
  /** Where the region ends, and before which offset all of it was read. */
  #end = 0
  #at = 0
  /** Where the first one began behind the last that was read, which goes on with another and was hit; -1 for none. */
  #begun = -1
  /** Those before it were read, too: where they were not, chance ends one now and then, and it takes two in a row. */
  #linked = false
  #single: Found | undefined

  constructor(reader: ByteReader, track: Track) {
    this.#reader = reader
    this.#track = track
    const allowance = new Allowance(STEPS + STEPS_A_BYTE * reader.size, reader.work, BYTE_PRICE)
    this.#units = track.recogniser.unitReader?.(allowance)
    let starts = 0
    for (let byte = 0; byte < 256; byte++) {
      this.#begins[byte] = track.habits.units === 0 || startsLike(track.habits, byte) ? 1 : 0
      starts += this.#begins[byte]
    }
    const share = Math.min(LOOKS_A_BYTE, (LOOKS_A_START * starts) / this.#begins.length)
    this.#looks = new Allowance(LOOKS + share * reader.size)
  }

  /** True where a start was looked for and none is, or too many were looked for. */
  isNone(at: number): boolean {
    return at < this.#at && at >= this.#at - this.#nones.length && this.#nones[at % this.#nones.length] === 1
  }

  /** Begins a region, unless it was begun before. */
  begin(from: number, end: number): void {
    if (from < this.#at) return
    this.#at = from
    this.#end = end
    this.#begun = -1
    this.#linked = false
    this.#single = undefined
  }

  /** Reads the units that begin before `until`, and some behind it; none is found any more that begins before `from`. */
  advance(from: number, until: number): void {
    this.#advance(from, Math.min(this.#end, until + AHEAD))
  }

  #advance(least: number, until: number): void {
    if (this.#units && this.#nones.length === 0)
      this.#nones = new Uint8Array(Math.min(REMEMBERED, this.#reader.size))
    while (this.#units && this.#at < until) {
      const from = this.#at
      const bytes = this.#reader.bytes(from, Math.min(WINDOW, until - from)).slice()
      for (let i = 0; i < bytes.length && this.#at < from + bytes.length; i++) {
        const at = from + i
        if (at < this.#at || this.#begins[bytes[i]] === 0) continue
        this.#forget(at)
        this.#at = at + 1
        const found =
          this.#looks.take() && this.#track.recogniser.recognise(this.#reader, at, this.#end, this.#unit)
        if (!found) this.#nones[at % this.#nones.length] = 1
        else this.#read(this.#units, at, least)
      }
      this.#forget(from + bytes.length)
      this.#at = Math.max(this.#at, from + bytes.length)
    }
  }

  /** Of the places from `#at` up to `until` nothing is known. */
  #forget(until: number): void {
    const places = this.#nones.length
    for (let at = Math.max(this.#at, until - places); at < until; at++) this.#nones[at % places] = 0
  }

  /** A start was found at `at`. */
  #read(units: UnitReader, at: number, least: number): void {
    if (this.#unit.evidence < WORTHY_EVIDENCE) return
    const { continues, key } = this.#unit
    const end = units.read(this.#reader, at, this.#end)
    if (end === 0) {
      if (continues && this.#begun < 0) this.#begun = at
      units.pass()
      this.#linked = false
      this.#single = undefined
      return
    }
    units.accept()
    const isRest = units.closing > 0 && this.#begun >= 0
    const unit = isRest
      ? { start: this.#begun, end: end + units.closing, whole: false }
      : { start: at, end, whole: true }
    this.#forget(end)
    this.#at = end
    this.#begun = -1
    if (!this.#linked && !key && !this.#single) {
      this.#single = unit
      return
    }
    if (this.#single) this.#add(this.#single, least)
    this.#add(unit, least)
    this.#single = undefined
    this.#linked = true
  }

  #add({ start, end, whole }: Found, least: number): void {
    if (start < least) return
    this.#starts.push(start)
    this.#ends.push(end)
    this.#whole.push(whole)
  }

  /** Where the one that begins at `at` ends; 0 when none does. */
  endOf(at: number): number {
    const last = this.#seek(at)
    return last >= 0 && this.#starts[last] === at ? this.#ends[last] : 0
  }

  /** Whether one lies there, and is whole. */
  proves(start: number, end: number): boolean {
    const last = this.#seek(start)
    return last >= 0 && this.#starts[last] === start && this.#ends[last] === end && this.#whole[last]
  }

  /** Whether `at` lies within one, behind its start. */
  isWithin(at: number): boolean {
    const last = this.#seek(at)
    return last >= 0 && this.#starts[last] < at && at < this.#ends[last]
  }

  /** Number of the last one that begins at or before `at`, -1 when there is none. */
  #seek(at: number): number {
    return countBelow(this.#starts, at + 1, this.#starts.length) - 1
  }
}
