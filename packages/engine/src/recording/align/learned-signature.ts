import type { ByteReader } from '../../bytes/reader.ts'
import { isZero } from '../../bytes/zeros.ts'
import { SAMPLE_KEY, type SampleTable } from '../../model/sample-table.ts'
import type { TrackDescription } from '../../model/track.ts'

/** Bytes at the start of a sample that are compared. */
const WIDTH = 12
/** Samples compared; spread over the track. */
const SAMPLES = 200
/** Samples that must agree. */
const MINIMUM = 5
/** Bytes other than zero that must agree at least. */
const LEAST = 2
/** Bytes other than zero that must agree in a telling signature. */
const TELLING = 5
/** Most bits a signature may speak with: equal first bytes also occur in zeros and other chance. */
const MAX_BITS = 24

/** Positions and values of bytes that samples agree in. */
interface Pattern {
  readonly at: readonly number[]
  readonly value: readonly number[]
}

const NOTHING: Pattern = { at: [], value: [] }

/**
 * What all samples of a track begin with, for codecs without a recogniser: magic numbers of ProRes, DNxHD, DV,
 * JPEG, start codes. Learned from the index; a track whose samples agree in nothing has no signature. Key pictures may begin
 * otherwise than those between them.
 */
export class LearnedSignature {
  #pattern = NOTHING
  readonly #keyPatterns: Pattern[] = []
  readonly bits: number

  /** @param shifts by which parts of the index may be off; without it the samples must agree where the index has them. */
  constructor(reader: ByteReader, track: TrackDescription, table: SampleTable, shifts?: readonly number[]) {
    const usable = (track.kind === 'video' || track.kind === 'audio') && track.codec !== 'pcm'
    if (usable) {
      const { keys, others } = apart(table)
      const rows = others.length > 0 ? others : keys
      const quarter = Math.floor(rows.length / 4)
      const parts = [rows, rows.slice(0, quarter), rows.slice(rows.length - quarter)]
      this.#better(learn(reader, table, rows, 0, MINIMUM), LEAST)
      // Few neighbours may share what the others do not: where nothing speaks of shifts, much must agree.
      const least = shifts && shifts.length > 0 ? LEAST : TELLING
      const all = shifts ? [0, ...shifts] : []
      for (const shift of all) {
        for (const part of parts) {
          const pattern = common(reader, table, rows, learn(reader, table, part, shift, MINIMUM), all)
          if (pattern.at.length > 0 && isCommon(reader, table, rows, pattern, all))
            this.#better(pattern, part === rows ? LEAST : least)
        }
      }
      if (others.length > 0 && this.#pattern !== NOTHING) {
        for (const shift of [0, ...(shifts ?? [])]) {
          const pattern = learn(reader, table, keys, shift, 1)
          if (informative(pattern) >= LEAST) this.#keyPatterns.push(pattern)
        }
      }
    }
    this.bits = informative(this.#pattern) < LEAST ? 0 : Math.min(MAX_BITS, this.#pattern.at.length * 8)
  }

  /** True when enough bytes agree to believe a sample whose codec's recogniser does not know it. */
  get telling(): boolean {
    return informative(this.#pattern) >= TELLING
  }

  /** Takes a pattern that says at least `least`, and more than the one before. */
  #better(pattern: Pattern, least: number): void {
    const said = informative(pattern)
    if (said >= least && said > informative(this.#pattern)) this.#pattern = pattern
  }

  matches(reader: ByteReader, offset: number, size: number): boolean {
    if (this.bits === 0) return false
    return (
      stands(reader, offset, size, this.#pattern) ||
      this.#keyPatterns.some((pattern) => stands(reader, offset, size, pattern))
    )
  }

  search(reader: ByteReader, from: number, end: number): number {
    if (this.bits === 0) return end
    const { at, value } = this.#pattern
    for (let place = from; place < end; place++) {
      if (reader.u8(place + at[0]) === value[0] && stands(reader, place, WIDTH, this.#pattern)) return place
    }
    return end
  }
}

/** Rows of key samples and of others. */
function apart(table: SampleTable): { keys: number[]; others: number[] } {
  const keys: number[] = []
  const others: number[] = []
  for (let row = 0; row < table.length; row++) (table.flags[row] & SAMPLE_KEY ? keys : others).push(row)
  return { keys, others }
}

/** Whether a sample agrees with a pattern as far as it reaches. */
function stands(reader: ByteReader, offset: number, size: number, { at, value }: Pattern): boolean {
  return at.every((position, i) => position >= size || reader.u8(offset + position) === value[i])
}

/** Share of a track's samples that must begin as some of them do for that to be what they all begin with. */
const COMMON = 0.9

/** Those bytes of a pattern that nearly all samples have: neighbours may share more than what all begin with. */
function common(
  reader: ByteReader,
  table: SampleTable,
  rows: readonly number[],
  { at, value }: Pattern,
  shifts: readonly number[],
): Pattern {
  const single = (i: number): Pattern => ({ at: [at[i]], value: [value[i]] })
  const kept = [...at.keys()].filter((i) => isCommon(reader, table, rows, single(i), shifts))
  return { at: kept.map((i) => at[i]), value: kept.map((i) => value[i]) }
}

/** Whether nearly all samples that are not zeros agree with a pattern where they lie at one of some shifts. */
function isCommon(
  reader: ByteReader,
  table: SampleTable,
  rows: readonly number[],
  pattern: Pattern,
  shifts: readonly number[],
): boolean {
  const step = Math.max(1, Math.floor(rows.length / SAMPLES))
  let seen = 0
  let agreeing = 0
  for (let i = 0; i < rows.length; i += step) {
    const [offset, size] = [table.offset[rows[i]], table.size[rows[i]]]
    if (size < WIDTH || offset < 0 || offset + WIDTH > reader.size) continue
    if (isZero(reader, offset, offset + WIDTH)) continue
    seen++
    if (shifts.some((shift) => offset + shift >= 0 && stands(reader, offset + shift, size, pattern)))
      agreeing++
  }
  return agreeing >= seen * COMMON
}

/** Bytes that zeros would not have. */
function informative({ value }: Pattern): number {
  return value.filter((byte) => byte !== 0).length
}

/** What the samples of these rows, off by `shift`, agree in; nothing where fewer than `minimum` can be read. */
function learn(
  reader: ByteReader,
  table: SampleTable,
  rows: readonly number[],
  shift: number,
  minimum: number,
): Pattern {
  const step = Math.max(1, Math.floor(rows.length / SAMPLES))
  const counts = Array.from({ length: WIDTH }, () => new Map<number, number>())
  let seen = 0
  for (let i = 0; i < rows.length; i += step) {
    const offset = table.offset[rows[i]] + shift
    if (table.size[rows[i]] < WIDTH || offset < 0 || offset + WIDTH > reader.size) continue
    seen++
    for (let position = 0; position < WIDTH; position++) {
      const byte = reader.u8(offset + position)
      counts[position].set(byte, (counts[position].get(byte) ?? 0) + 1)
    }
  }
  if (seen < minimum) return NOTHING
  const at: number[] = []
  const value: number[] = []
  for (let position = 0; position < WIDTH; position++) {
    for (const [byte, count] of counts[position]) {
      if (count < seen) continue
      at.push(position)
      value.push(byte)
    }
  }
  return { at, value }
}
