import type { ByteReader } from '../../bytes/reader.ts'
import { PICTURE_SIZES } from '../picture-sizes.ts'
import type { HevcConfig } from './hvcc.ts'
import { type KeyPicture, keyPictures, type UnitPlace } from './key-pictures.ts'
import { isReadable, SliceReader } from './slice-data/slice-reader.ts'
import type { Sps } from './sps.ts'
import type { CodedSize } from './write-sets.ts'

/** Key pictures that prove a size where there are as many. */
const PICTURES = 3
/** Bytes of slices read before no further picture is. */
const EFFORT = 4 << 20
/** Coded sizes are multiples of the smallest coding block; many encoders round up further. */
const STEPS = [8, 16, 32, 64]

/** How far a picture was read with some width, and the height that it was then taken to have. */
interface Stop {
  readonly height: number
  readonly units: number
}

/** A size with how well it reads. */
export interface ProvenSize extends CodedSize {
  /** Key pictures that read exactly, of those looked at. */
  readonly pictures: number
  /** None did not. */
  readonly all: boolean
}

/**
 * Reads key pictures with given parameter sets in all usual sizes, the sets' own first: the size with which they end exactly
 * where their bits end. Pictures that are damaged end so with no size: `PICTURES` that do are enough, or most where there are
 * few. `units` are the places of access units that hold them. Undefined when no size does, or none of the likelier ones while
 * pictures are large.
 */
export function proveSize(
  reader: ByteReader,
  units: readonly UnitPlace[],
  config: HevcConfig,
): ProvenSize | undefined {
  const [sps] = config.sps
  if (!sps) return undefined
  const pictures = keyPictures(reader, units, config).filter(({ pps }) => isReadable(sps, pps))
  const shortest = pictures.slice(0, PICTURES)
  const unit = 1 << sps.log2Ctb
  const stops = new Map(pictures.map((picture) => [picture, new Map<number, Stop>()]))
  let effort = 0
  for (const { codedWidth, codedHeight, ...shown } of sizesOf(sps)) {
    const size = { codedWidth, codedHeight, ...shown }
    const wide = Math.ceil(codedWidth / unit)
    const total = wide * Math.ceil(codedHeight / unit)
    const reads = (picture: KeyPicture): boolean => {
      const { bytes, facts, pps } = picture
      const last = stops.get(picture)?.get(codedWidth)
      // what is read of rows of units that both heights have whole does not depend on the height
      if (last && last.units < wide * Math.floor(Math.min(last.height, codedHeight) / unit)) return false
      if (effort > EFFORT) return false
      const reading = new SliceReader(sps, pps, codedWidth, codedHeight).read(bytes, facts)
      effort += reading.bytes
      stops.get(picture)?.set(codedWidth, { height: codedHeight, units: facts.address + reading.units })
      return reading.exact && reading.units === total
    }
    const read = shortest.some(reads) ? pictures.filter(reads).length : 0
    if (read >= PICTURES || read * 2 > pictures.length)
      return { ...size, pictures: read, all: read === pictures.length }
  }
  return undefined
}

/** Coded sizes that the set may be of, each once: its own, then the usual ones. */
function sizesOf({ codedWidth, codedHeight, width, height, log2MinCb }: Sps): CodedSize[] {
  const step = 1 << log2MinCb
  const sizes = new Map([[`${codedWidth}x${codedHeight}`, { codedWidth, codedHeight, width, height }]])
  for (const [w, h] of PICTURE_SIZES) {
    for (const multiple of STEPS.filter((side) => side >= step)) {
      const wide = Math.ceil(w / multiple) * multiple
      const high = Math.ceil(h / multiple) * multiple
      const name = `${wide}x${high}`
      if (!sizes.has(name)) sizes.set(name, { codedWidth: wide, codedHeight: high, width: w, height: h })
    }
  }
  return [...sizes.values()]
}

/** Whether some key picture of the units reads exactly with the record's sets in their own size. */
export function readsAs(reader: ByteReader, units: readonly UnitPlace[], config: HevcConfig): boolean {
  const [sps] = config.sps
  if (!sps) return false
  let effort = 0
  return keyPictures(reader, units, config).some(({ bytes, facts, pps }) => {
    if (!isReadable(sps, pps) || effort > EFFORT) return false
    const reading = new SliceReader(sps, pps, sps.codedWidth, sps.codedHeight).read(bytes, facts)
    effort += reading.bytes
    return reading.exact && reading.units === sps.picSizeInCtbs
  })
}
