import type { ByteReader } from '../../bytes/reader.ts'
import { type Framing, type SetVisitor, searchSets } from '../nal/set-search.ts'
import { buildAvcC } from './avcc.ts'
import { PPS, SPS } from './nal-types.ts'
import { type Pps, parsePps } from './pps.ts'
import { parseSps, type Sps } from './sps.ts'
import { frameRate } from './vui.ts'

/** Parameter sets as they stand in the payload itself, with how often and in which framing. */
export interface InBandSets<S, P> {
  readonly sps: S
  /** Picture parameter sets that name this sequence parameter set, near it, by id. */
  readonly pps: readonly P[]
  readonly framing: Framing
  /** Places where the sequence parameter set stands. */
  readonly count: number
  /** The first of them. */
  readonly offset: number
}

/** level_idc values of ITU-T H.264 (08/2021) Table A-1, and 9 for 1b in some profiles. */
const LEVELS: ReadonlySet<number> = new Set([
  9, 10, 11, 12, 13, 20, 21, 22, 30, 31, 32, 40, 41, 42, 50, 51, 52, 60, 61, 62,
])
/** Picture parameter sets lie this near behind their sequence parameter set: camera blocks pad between them. */
const NEAR = 1024
/** Different sequence parameter sets kept: hostile bytes may hold thousands. */
const MOST_SETS = 32
const MOST_PICTURE_SETS = 16
/** Pictures smaller than a thumbnail are chance. */
const SMALLEST = 32

const HEADERS = new Uint8Array(256)
for (const ref of [1, 2, 3]) {
  HEADERS[(ref << 5) | SPS] = 1
  HEADERS[(ref << 5) | PPS] = 1
}

/** Collects parameter sets over several stretches of a file. */
export class InBandH264 {
  readonly #found = new Map<
    string,
    { sps: Sps; pps: Map<number, Pps>; framing: Framing; count: number; offset: number }
  >()

  /** What stood last where one may be, by its framing: most often it stands there again. */
  readonly #last = new Map<Framing, { readonly nal: Uint8Array; readonly sps: Sps | undefined }>()

  /** Searches [from, end); time in proportion to its bytes. */
  search(reader: ByteReader, from: number, end: number): void {
    searchSets(reader, [{ offset: from, length: end - from }], [this.visitor()])
  }

  /** Who collects them in a search of stretches by rising offset. */
  visitor(): SetVisitor {
    let last: { entry: { pps: Map<number, Pps> }; spsId: number; framing: Framing; end: number } | undefined
    // the profile before the level is not zero, so that no emulation prevention byte stands there
    const mayBe = (bytes: Uint8Array, at: number, offset: number): boolean =>
      (bytes[at] & 31) === SPS ? LEVELS.has(bytes[at + 3]) : last !== undefined && offset <= last.end + NEAR
    const visit = (nal: Uint8Array, offset: number, framing: Framing): boolean => {
      if (nal[nal.length - 1] === 0) return false
      if ((nal[0] & 31) === SPS) {
        const sps = this.#parsed(nal, framing)
        if (!sps) return false
        const entry = this.#note(sps, framing, offset)
        if (entry) last = { entry, spsId: sps.id, framing, end: offset + nal.length }
        return entry !== undefined
      }
      if (!last || last.framing !== framing) return false
      const pps = parsePps(nal)
      if (!pps || pps.spsId !== last.spsId) return false
      const { pps: known } = last.entry
      if (!known.has(pps.id) && known.size < MOST_PICTURE_SETS) known.set(pps.id, pps)
      last.end = offset + nal.length
      return true
    }
    return { headers: HEADERS, mayBe, visit }
  }

  /** What was found, most often seen first; only sets that have both kinds. */
  sets(): InBandSets<Sps, Pps>[] {
    return [...this.#found.values()]
      .filter(({ pps }) => pps.size > 0)
      .map(({ pps, ...rest }) => ({ ...rest, pps: [...pps.values()].sort((a, b) => a.id - b.id) }))
      .sort((a, b) => b.count - a.count || a.offset - b.offset)
  }

  /** A plausible sequence parameter set. */
  #parsed(nal: Uint8Array, framing: Framing): Sps | undefined {
    const last = this.#last.get(framing)
    if (last && isSame(nal, last.nal)) return last.sps
    const parsed = parseSps(nal)
    const sps = parsed && isPlausible(parsed) ? parsed : undefined
    this.#last.set(framing, { nal: nal.slice(), sps })
    return sps
  }

  #note(sps: Sps, framing: Framing, offset: number): { pps: Map<number, Pps> } | undefined {
    const key = `${framing}:${sps.bytes.join()}`
    const known = this.#found.get(key)
    if (known) {
      known.count++
      return known
    }
    if (this.#found.size >= MOST_SETS) return undefined
    const entry = { sps, pps: new Map<number, Pps>(), framing, count: 1, offset }
    this.#found.set(key, entry)
    return entry
  }
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

function isPlausible(sps: Sps): boolean {
  return (
    (sps.constraints & 3) === 0 &&
    sps.width >= SMALLEST &&
    sps.height >= SMALLEST &&
    sps.maxNumRefFrames <= 16
  )
}

/** The codec configuration, size and rate that parameter sets in the payload stand for. */
export function configurationOf(sets: InBandSets<Sps, Pps>, lengthSize: 1 | 2 | 4) {
  return {
    config: buildAvcC([sets.sps], sets.pps, lengthSize),
    width: sets.sps.width,
    height: sets.sps.height,
    rate: frameRate(sets.sps.vui),
    look: sets.sps.vui,
  }
}
