import type { ByteReader } from '../../bytes/reader.ts'
import { isZero } from '../../bytes/zeros.ts'
import { type Recogniser, Unit } from '../../codecs/recogniser.ts'
import { SAMPLE_KEY, type SampleTable } from '../../model/sample-table.ts'
import { hasZeroHole, isDense } from '../zero-holes.ts'

/** Samples, spread over the track, whose headers are looked at. */
const SAMPLES = 64
/** Bits of structure that headers must have on average: fewer are chance. */
const TELLING = 8
/** Share of the samples that must have headers somewhere, where it is seen that the index is off; all of them where it is not. */
const KNOWN = 0.8
/** Samples found elsewhere from which on that is no chance. */
const DISPLACED = 2
/** Key pictures that are looked for, bytes before and behind their places in which they are, and places looked at there. */
const KEYS = 4
const SEARCH_SPAN = 1 << 20
const PLACES = 16

/**
 * Checks samples by their headers, for codecs whose pictures do not tell their length (VP9). Undefined where some of the track's
 * samples have none and nothing speaks for their being displaced: then the recogniser does not know them well enough.
 */
export function headerChecker(
  reader: ByteReader,
  recogniser: Recogniser,
  table: SampleTable,
  shifts: readonly number[],
): HeaderChecker | undefined {
  const checker = new HeaderChecker(reader, recogniser)
  const rows = spread(table)
  if (rows.length < 2) return undefined
  const missed = rows.filter((row) => !checker.fitsAt(table, row, 0))
  const displaced = missed.length === 0 ? [] : [...shifts, ...keyShifts(reader, recogniser, table)]
  const found = missed.filter((row) => displaced.some((shift) => checker.fitsAt(table, row, shift)))
  const known = rows.length - missed.length + found.length
  const isKnown = missed.length === 0 || (found.length >= DISPLACED && known >= KNOWN * rows.length)
  return isKnown && checker.evidence >= TELLING * known ? checker : undefined
}

function spread({ length, size }: SampleTable): number[] {
  const rows: number[] = []
  const step = Math.max(1, Math.floor(length / SAMPLES))
  for (let row = 0; row < length; row += step) if (size[row] > 0) rows.push(row)
  return rows
}

/** Shifts by which some of the key pictures come to lie where one begins. */
function keyShifts(reader: ByteReader, recogniser: Recogniser, table: SampleTable): number[] {
  const keys: number[] = []
  for (let row = 0; row < table.length; row++) if (table.flags[row] & SAMPLE_KEY) keys.push(row)
  const shifts = new Set<number>()
  for (let nth = 0; nth < Math.min(KEYS, keys.length); nth++) {
    const expected = table.offset[keys[Math.floor((nth * keys.length) / Math.min(KEYS, keys.length))]]
    const end = Math.min(reader.size, expected + SEARCH_SPAN)
    let at = Math.max(0, expected - SEARCH_SPAN)
    for (let place = 0; place < PLACES && at < end; place++) {
      at = recogniser.search(reader, at, end)
      if (at < end) shifts.add(at - expected)
      at++
    }
  }
  return [...shifts]
}

/** A `SampleChecker` that knows headers alone. */
class HeaderChecker {
  readonly bits = 20
  readonly leads = true
  readonly certain = false
  // nothing of a sample's length is known
  readonly weight = 10
  readonly exact = false
  readonly measuredBits = 0
  readonly findsKeys = true
  /** Bits of all headers that were looked at by `fitsAt`. */
  evidence = 0
  readonly #reader: ByteReader
  readonly #recogniser: Recogniser
  readonly #unit = new Unit()

  constructor(reader: ByteReader, recogniser: Recogniser) {
    this.#reader = reader
    this.#recogniser = recogniser
  }

  /** Whether a sample has a header where a shift puts it; what it proves is counted. */
  fitsAt({ offset, size }: SampleTable, row: number, shift: number): boolean {
    const fits = this.fits(offset[row] + shift, size[row])
    if (fits) this.evidence += this.#unit.evidence
    return fits
  }

  fits(offset: number, size: number): boolean {
    if (offset < 0 || offset + size > this.#reader.size) return false
    return this.#recogniser.recognise(this.#reader, offset, offset + size, this.#unit)
  }

  intact(offset: number, size: number): boolean {
    return !isDense(this.#recogniser.codec) || !hasZeroHole(this.#reader, offset, size)
  }

  measure(): number {
    return 0
  }

  search(from: number, end: number): number {
    return this.#recogniser.search(this.#reader, from, end)
  }

  usable(offset: number, size: number): number {
    return isZero(this.#reader, offset, offset + size) ? 0 : size
  }
}
