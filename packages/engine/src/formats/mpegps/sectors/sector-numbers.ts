import type { ByteReader } from '../../../bytes/reader.ts'
import type { Findings } from '../../../model/finding.ts'
import {
  isNearNumber,
  isSync,
  SECTOR_BYTES,
  SECTOR_HEADER_BYTES,
  sectorNumber,
} from '../../../syntax/cdxa/sector.ts'
import { sectorsDoubled, sectorsMissing } from '../findings.ts'
import { HIT, MISSING, type SectorMap } from './sector-map.ts'

/** Sectors one behind the other that show that they are numbered. */
const SETTLED = 3
/** Number of the first sector of a track where nothing tells: two seconds of lead-in. */
const USUAL_FIRST = 150

/** What the numbers of sectors on the disc tell: which of them are missing, and which stand in the file twice. */
export class SectorNumbers {
  readonly #reader: ByteReader
  readonly #map: SectorMap
  readonly #findings: Findings
  /** Missing ones that may still be told of: no more than the file has. */
  #left: number
  /** Sectors in a row that were numbered one behind the other. */
  #counted = 0

  /** `isComplete`: the head tells that all sectors are there, and none too many. */
  constructor(reader: ByteReader, map: SectorMap, findings: Findings, isComplete: boolean) {
    this.#reader = reader
    this.#map = map
    this.#findings = findings
    this.#left = isComplete ? 0 : Math.floor(reader.size / SECTOR_BYTES)
  }

  /** Whether a sector has its number right; where those in front do not count up nobody knows. */
  isRight(bytes: Uint8Array, number: number): boolean {
    return sectorNumber(bytes) === number || !this.#isCounting
  }

  /** Whether the sector at `at` has the number that is due. */
  joinsAt(at: number): boolean {
    return this.#isCounting && this.#left > 0 && this.#told(at) === this.#map.due
  }

  /** The number of the first of `count` sectors in front of the one at `at`. */
  inFrontOf(at: number, count: number): number {
    const { due } = this.#map
    return due >= 0 ? due : Math.max(0, this.#first(at) - count)
  }

  /** Whether the sector at `at` stands farther in front as well, byte for byte; it is told. */
  isDoubled(at: number): boolean {
    const { length, due } = this.#map
    const told = this.#told(at)
    const other = length - (due - told)
    if (!this.#isCounting || this.#left === 0 || told < 0 || told >= due || other < 0) return false
    if (this.#map.number(other) !== told || !this.#isSame(at, this.#map.offset(other))) return false
    this.#findings.add(sectorsDoubled(at))
    return true
  }

  /** The number of the sector at `at`; those missing in front of it are put into the map. */
  take(at: number): number {
    const { due } = this.#map
    const told = this.#told(at)
    const next = this.#told(at + SECTOR_BYTES)
    if (due < 0) return this.#first(at)
    if (told === due) {
      this.#counted++
      return due
    }
    // what is told there was hit, or is no number
    if (told < 0 || next === due + 1 || (next < 0 && this.#isNearDue(at))) return due
    const missing = told - due
    if (this.#isCounting && next === told + 1 && missing > 0 && missing <= this.#left) {
      this.#left -= missing
      this.#findings.add(sectorsMissing(at, missing))
      for (let number = due; number < told; number++) this.#map.push(at, number, HIT | MISSING)
    } else this.#counted = 0
    return told
  }

  get #isCounting(): boolean {
    return this.#counted >= SETTLED
  }

  /** The first one's number, by its own address, or those of the next two. */
  #first(at: number): number {
    const [told, next, third] = [0, 1, 2].map((sector) => this.#told(at + sector * SECTOR_BYTES))
    if (next > 0 && third === next + 1) {
      this.#counted = SETTLED
      return next - 1
    }
    return told < 0 ? USUAL_FIRST : told
  }

  #told(at: number): number {
    const head = this.#reader.bytes(at, SECTOR_HEADER_BYTES)
    return head.length === SECTOR_HEADER_BYTES && isSync(head, 0) ? sectorNumber(head) : -1
  }

  /** Whether one turned bit makes a sector's number of the one that is due. */
  #isNearDue(at: number): boolean {
    return this.#isCounting && isNearNumber(this.#reader.bytes(at, SECTOR_HEADER_BYTES), this.#map.due)
  }

  #isSame(one: number, other: number): boolean {
    const bytes = this.#reader.bytes(one, SECTOR_BYTES).slice()
    const others = this.#reader.bytes(other, SECTOR_BYTES)
    return bytes.length === others.length && bytes.every((byte, i) => byte === others[i])
  }
}
