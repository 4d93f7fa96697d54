import { filling, isSpoiled } from '../nal/filling.ts'
import { unescaped, upToStartCode } from '../nal/rbsp.ts'
import type { PictureReader, PictureReading } from '../picture-reading.ts'
import type { AvcConfig } from './avcc.ts'
import { IDR, PPS, SLICE, SPS } from './nal-types.ts'
import { type Pps, parsePps } from './pps.ts'
import { CabacSliceReader } from './slice-data/cabac-slice.ts'
import { CavlcSliceReader } from './slice-data/cavlc-slice.ts'
import type { PictureLayout, SliceReading } from './slice-data/picture-layout.ts'
import type { InterSlice } from './slice-data/prediction.ts'
import { SliceHeader } from './slice-header.ts'
import { parseSps, type Sps } from './sps.ts'

/** Parameter sets that a stream may bring along. */
const MAX_SETS = 64
/** Bytes of the shortest NAL unit: an end of sequence is a header alone. */
const SHORTEST = 1
const B = 1
/** Types beyond switch between streams. */
const I = 2
/** chroma_format_idc of the highest format that is read. */
const CHROMA_422 = 2

/** Macroblocks of one picture, or of two fields, that were read. */
interface Progress {
  read: number
  of: number
}

/** Reads pictures behind lengths, slice by slice, to see whether their bits are what they are taken for. */
export class H264PictureReader implements PictureReader {
  sliceType = -1
  readonly #lengthSize: number
  readonly #sps = new Map<number, Sps>()
  readonly #pps = new Map<number, Pps>()
  readonly #sets = { sps: (id: number) => this.#sps.get(id), pps: (id: number) => this.#pps.get(id) }

  constructor({ lengthSize, sps, pps }: AvcConfig) {
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
    const progress = { read: 0, of: 0 }
    for (const nal of units) {
      const type = nal[0] & 31
      if (type === SPS || type === PPS) this.#learn(nal, type)
      else if (type === SLICE || type === IDR) {
        const reading = this.#slice(nal, progress)
        if (reading !== 'whole') return reading
      } else if (type > SLICE && type < IDR) return 'unread'
    }
    return progress.read > 0 && progress.read === progress.of ? 'whole' : 'broken'
  }

  #learn(nal: Uint8Array, type: number): void {
    const set = type === SPS ? parseSps(nal) : undefined
    if (set && this.#sps.size < MAX_SETS) this.#sps.set(set.id, set)
    const picture = type === PPS ? parsePps(nal) : undefined
    if (picture && this.#pps.size < MAX_SETS) this.#pps.set(picture.id, picture)
  }

  #slice(nal: Uint8Array, progress: Progress): PictureReading {
    const header = new SliceHeader()
    const bytes = unescaped(upToStartCode(nal))
    const parsed = header.parse(bytes, bytes.length, this.#sets)
    const { sps, pps, field } = header
    if (!sps || !pps || !isReadable(sps, pps)) return 'unread'
    if (!parsed) return 'broken'
    this.sliceType = header.type
    const pairs = sps.mbaff && !field
    if (header.type > I || header.redundant > 0 || (pairs && !header.intra)) return 'unread'
    const layout: PictureLayout = {
      width: sps.widthInMbs,
      height: field ? sps.heightInMbs / 2 : sps.heightInMbs,
      transform8x8: pps.transform8x8,
      chromaFormat: sps.chromaFormat,
      bitDepthLuma: sps.bitDepthLuma,
      bitDepthChroma: sps.bitDepthChroma,
      field,
      pairs,
    }
    const size = layout.width * layout.height
    // the second field's slices begin anew
    const begun = field && progress.read >= size ? progress.read - size : progress.read
    const firstMb = header.firstMb * (pairs ? 2 : 1)
    // slices follow each other without a gap
    if (firstMb !== begun) return 'broken'
    const { exact, macroblocks } = this.#reading(header, bytes, layout, firstMb, pps)
    progress.read += macroblocks
    progress.of = field && progress.read > size ? 2 * size : size
    return exact ? 'whole' : 'torn'
  }

  #reading(
    header: SliceHeader,
    bytes: Uint8Array,
    layout: PictureLayout,
    firstMb: number,
    pps: Pps,
  ): SliceReading {
    const { dataBit, qp, references0, references1, cabacInit, sps } = header
    const inter: InterSlice | undefined = header.intra
      ? undefined
      : {
          bidirectional: header.type === B,
          references: [references0, references1],
          cabacInit,
          direct8x8: sps?.direct8x8 ?? false,
        }
    const most = layout.width * layout.height
    if (!pps.cabac)
      return new CavlcSliceReader(layout).read(bytes, dataBit, bytes.length, firstMb, most, inter)
    return new CabacSliceReader(layout).read(bytes, dataBit / 8, bytes.length, firstMb, qp, most, inter)
  }
}

function isReadable(sps: Sps, pps: Pps): boolean {
  return sps.chromaFormat <= CHROMA_422 && pps.sliceGroups === 1
}
