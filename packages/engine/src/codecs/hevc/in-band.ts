import type { ByteReader } from '../../bytes/reader.ts'
import type { InBandSets } from '../h264/in-band.ts'
import { type Framing, type SetVisitor, searchSets } from '../nal/set-search.ts'
import { buildHvcC } from './hvcc.ts'
import { PPS, SPS, VPS } from './nal-types.ts'
import { type Pps, parsePps } from './pps.ts'
import { parseSps, type Sps } from './sps.ts'
import { parseVps, type Vps } from './vps.ts'
import { frameRate } from './vui.ts'

/** Sets of HEVC: a sequence has a video parameter set, too. */
export interface InBandHevcSets extends InBandSets<Sps, Pps> {
  readonly vps: Vps | undefined
}

/** Sets of one sequence lie this near each other. */
const NEAR = 1024
const MOST_SETS = 32
const MOST_PICTURE_SETS = 16
const SMALLEST = 32

const HEADERS = new Uint8Array(256)
for (const type of [VPS, SPS, PPS]) HEADERS[type << 1] = 1

interface Entry {
  sps: Sps
  vps: Vps | undefined
  pps: Map<number, Pps>
  framing: Framing
  count: number
  offset: number
}

/** Collects parameter sets over several stretches of a file. */
export class InBandHevc {
  readonly #found = new Map<string, Entry>()

  /** Searches [from, end); time in proportion to its bytes. */
  search(reader: ByteReader, from: number, end: number): void {
    searchSets(reader, [{ offset: from, length: end - from }], [this.visitor()])
  }

  /** Who collects them in a search of stretches by rising offset. */
  visitor(): SetVisitor {
    let vps: { set: Vps; end: number } | undefined
    let last: { entry: Entry; framing: Framing; end: number } | undefined
    // the base layer's lowest sub-layer: nuh_layer_id 0, nuh_temporal_id_plus1 1
    const mayBe = (bytes: Uint8Array, at: number): boolean => bytes[at + 1] === 1
    const visit = (nal: Uint8Array, offset: number, framing: Framing): boolean => {
      if (nal[nal.length - 1] === 0) return false
      const type = nal[0] >> 1
      if (type === VPS) {
        const set = parseVps(nal)
        if (set) vps = { set, end: offset + nal.length }
        return set !== undefined
      }
      if (type === SPS) {
        const sps = parseSps(nal)
        if (!sps || sps.width < SMALLEST || sps.height < SMALLEST) return false
        const near = vps && vps.set.id === sps.vpsId && offset <= vps.end + NEAR ? vps.set : undefined
        const entry = this.#note(sps, near, framing, offset)
        if (entry) last = { entry, framing, end: offset + nal.length }
        return entry !== undefined
      }
      if (!last || last.framing !== framing || offset > last.end + NEAR) return false
      const pps = parsePps(nal)
      if (!pps || pps.spsId !== last.entry.sps.id) return false
      const { pps: known } = last.entry
      if (!known.has(pps.id) && known.size < MOST_PICTURE_SETS) known.set(pps.id, pps)
      last.end = offset + nal.length
      return true
    }
    return { headers: HEADERS, mayBe, visit }
  }

  /** What was found, most often seen first; only sets that have both kinds. */
  sets(): InBandHevcSets[] {
    return [...this.#found.values()]
      .filter(({ pps }) => pps.size > 0)
      .map(({ pps, ...rest }) => ({ ...rest, pps: [...pps.values()].sort((a, b) => a.id - b.id) }))
      .sort((a, b) => b.count - a.count || a.offset - b.offset)
  }

  #note(sps: Sps, vps: Vps | undefined, framing: Framing, offset: number): Entry | undefined {
    const key = `${framing}:${sps.bytes.join()}`
    const known = this.#found.get(key)
    if (known) {
      known.count++
      known.vps ??= vps
      return known
    }
    if (this.#found.size >= MOST_SETS) return undefined
    const entry: Entry = { sps, vps, pps: new Map(), framing, count: 1, offset }
    this.#found.set(key, entry)
    return entry
  }
}

/** The codec configuration, size and rate that parameter sets in the payload stand for. */
export function configurationOf(sets: InBandHevcSets, lengthSize: 1 | 2 | 4) {
  return {
    config: buildHvcC(sets.vps ? [sets.vps] : [], [sets.sps], sets.pps, lengthSize),
    width: sets.sps.width,
    height: sets.sps.height,
    rate: frameRate(sets.sps.vui),
    look: sets.sps.vui,
  }
}
