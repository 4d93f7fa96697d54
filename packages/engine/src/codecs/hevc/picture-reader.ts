import { filling, isSpoiled } from '../nal/filling.ts'
import { unescaped, upToStartCode } from '../nal/rbsp.ts'
import type { PictureReader, PictureReading } from '../picture-reading.ts'
import type { HevcConfig } from './hvcc.ts'
import { PPS, SPS, VCL_LAST } from './nal-types.ts'
import { type Pps, parsePps } from './pps.ts'
import { isReadable, type SliceFacts, SliceReader } from './slice-data/slice-reader.ts'
import { SliceHeader } from './slice-header.ts'
import { parseSps, type Sps } from './sps.ts'

/** Parameter sets that a stream may bring along. */
const MAX_SETS = 64
/** Bytes of the shortest NAL unit: an end of sequence is a header alone. */
const SHORTEST = 2
const B = 0
const I = 2

/** Reads pictures of the base layer behind lengths, slice by slice, to see whether their bits are what they are taken for. */
export class HevcPictureReader implements PictureReader {
  sliceType = -1
  readonly #lengthSize: number
  readonly #sps = new Map<number, Sps>()
  readonly #pps = new Map<number, Pps>()
  readonly #header = new SliceHeader()
  #reader: { readonly sps: Sps; readonly pps: Pps; readonly slices: SliceReader } | undefined

  constructor({ lengthSize, sps, pps }: HevcConfig) {
    this.#lengthSize = lengthSize
    for (const set of sps) this.#sps.set(set.id, set)
    for (const set of pps) this.#pps.set(set.id, set)
  }

  read(sample: Uint8Array): PictureReading {
    const units = filling(sample, this.#lengthSize, SHORTEST)
    if (!units) return 'broken'
    const reading = this.#units(units)
    return (reading === 'torn' || reading === 'unread') && isSpoiled(units) ? 'spoiled' : reading
  }

  #units(units: readonly Uint8Array[]): PictureReading {
    let read = 0
    let wanted = 0
    for (const nal of units) {
      const type = (nal[0] >> 1) & 63
      const layer = ((nal[0] & 1) << 5) | (nal[1] >> 3)
      if (layer > 0) continue
      if (type === SPS || type === PPS) this.#learn(nal, type)
      if (type > VCL_LAST) continue
      const slice = this.#slice(nal)
      if (typeof slice === 'string') return slice
      // slices follow each other without a gap
      if (slice.address !== read) return 'broken'
      read += slice.units
      wanted = slice.of
    }
    return read > 0 && read === wanted ? 'whole' : 'broken'
  }

  #learn(nal: Uint8Array, type: number): void {
    const set = type === SPS ? parseSps(nal) : undefined
    if (set && this.#sps.size < MAX_SETS) this.#sps.set(set.id, set)
    const picture = type === PPS ? parsePps(nal) : undefined
    if (picture && this.#pps.size < MAX_SETS) this.#pps.set(picture.id, picture)
  }

  #slice(nal: Uint8Array): { address: number; units: number; of: number } | PictureReading {
    const header = this.#header
    const bytes = unescaped(upToStartCode(nal))
    const sets = { sps: (id: number) => this.#sps.get(id), pps: (id: number) => this.#pps.get(id) }
    const parsed = header.parse(bytes, bytes.length, sets)
    const { sps, pps } = header
    if (!sps || !pps) return 'unread'
    if (!isReadable(sps, pps) || pps.dependentSlices || header.dependent) return 'unread'
    if (!parsed) return 'broken'
    this.sliceType = header.type
    const { dataByte: start, address, qp, saoLuma, saoChroma } = header
    const facts: SliceFacts = { start, end: bytes.length, address, qp, saoLuma, saoChroma }
    const { references0, references1, zeroVectors1, cabacInit, mergeCandidates, type } = header
    const inter = {
      bidirectional: type === B,
      ...{ references0, references1, zeroVectors1, cabacInit, mergeCandidates },
    }
    const reading = this.#slices(sps, pps).read(bytes, type === I ? facts : { ...facts, inter })
    return reading.exact ? { address, units: reading.units, of: sps.picSizeInCtbs } : 'torn'
  }

  #slices(sps: Sps, pps: Pps): SliceReader {
    if (this.#reader?.sps !== sps || this.#reader.pps !== pps)
      this.#reader = { sps, pps, slices: new SliceReader(sps, pps, sps.codedWidth, sps.codedHeight) }
    return this.#reader.slices
  }
}
