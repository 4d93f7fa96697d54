import type { ByteReader } from '../../bytes/reader.ts'
import type { HevcConfig } from './hvcc.ts'
import { type KeyPicture, keyPictures, type UnitPlace } from './key-pictures.ts'
import { isReadable, SliceReader } from './slice-data/slice-reader.ts'
import type { Sps } from './sps.ts'

/** Bits of a sample in cameras' pictures. */
export const BIT_DEPTHS = [8, 10] as const
export type BitDepth = (typeof BIT_DEPTHS)[number]
/** Bytes of slices read before no further picture is: one large picture tells as much as many small ones. */
const EFFORT = 1 << 19
/**
 * Offsets that tell anything by their mean, and the means up to which they are of 8 bits, and from which on of 10, where steps
 * are a quarter.
 */
const FEWEST_OFFSETS = 32
const MOST_OF_8 = 1.6
const LEAST_OF_10 = 2.2

/**
 * How many bits samples have, by key pictures that read exactly with the record's sets in all else. Blocks are coded alike
 * whatever the depth, but for the offsets of samples (ITU-T H.265 (08/2021) §7.4.9.3.2), which go up to 7 in 8 bits and to 31 in
 * more: large ones read right with their own depth alone, and usual ones are small in 8 bits. Undefined where they do not tell,
 * or the sets are of neither depth.
 */
export function toldDepth(
  reader: ByteReader,
  units: readonly UnitPlace[],
  config: HevcConfig,
): BitDepth | undefined {
  const [sps] = config.sps
  if (
    !sps?.sao ||
    sps.bitDepthLuma !== sps.bitDepthChroma ||
    !BIT_DEPTHS.some((depth) => depth === sps.bitDepthLuma)
  )
    return undefined
  const [as8, as10] = [new Reading(8, sps), new Reading(10, sps)]
  for (const picture of keyPictures(reader, units, config)) {
    if (as8.bytes + as10.bytes > EFFORT) break
    as8.read(picture)
    as10.read(picture)
  }
  if (as8.pictures !== as10.pictures) return as8.pictures > as10.pictures ? 8 : 10
  if (as10.offsets < FEWEST_OFFSETS) return undefined
  const mean = as10.offsetSum / as10.offsets
  return mean <= MOST_OF_8 ? 8 : mean >= LEAST_OF_10 ? 10 : undefined
}

/** Key pictures read as samples of one depth. */
class Reading {
  readonly #sps: Sps
  /** Pictures that read exactly, their offsets that are not 0, and what those add up to. */
  pictures = 0
  offsets = 0
  offsetSum = 0
  /** Bytes read. */
  bytes = 0

  constructor(depth: BitDepth, sps: Sps) {
    this.#sps = { ...sps, bitDepthLuma: depth, bitDepthChroma: depth }
  }

  read({ bytes, facts, pps }: KeyPicture): void {
    const sps = this.#sps
    if (!isReadable(sps, pps)) return
    const reading = new SliceReader(sps, pps, sps.codedWidth, sps.codedHeight).read(bytes, facts)
    this.bytes += reading.bytes
    if (!reading.exact || reading.units !== sps.picSizeInCtbs) return
    this.pictures++
    this.offsets += reading.offsets.count
    this.offsetSum += reading.offsets.sum
  }
}
