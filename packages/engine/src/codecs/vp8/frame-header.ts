import { BoolDecoder } from '../bool-decoder.ts'

const EVEN = 128
/** Bytes in which the fields up to the number of partitions always lie. */
const FIELDS_BYTES = 64

/**
 * log2_nbr_of_dct_partitions, RFC 6386 §9.2 to §9.5 and §19.2, from the beginning of the first partition; undefined when it
 * breaks off.
 */
export function dctPartitions(first: Uint8Array, key: boolean): number | undefined {
  const bools = new BoolDecoder(first.subarray(0, FIELDS_BYTES))
  // a colour space but for one is reserved; the type of clamping is free
  if (key && (bools.bool(EVEN) !== 0 || bools.bool(EVEN) > 1)) return undefined
  readSegmentation(bools)
  // filter type, level and sharpness
  bools.literal(1 + 6 + 3)
  if (bools.bool(EVEN) === 1 && bools.bool(EVEN) === 1) {
    for (let delta = 0; delta < 8; delta++) if (bools.bool(EVEN) === 1) bools.literal(6 + 1)
  }
  const partitions = 1 << bools.literal(2)
  return bools.overrun ? undefined : partitions
}

/** update_segmentation(), §9.3. */
function readSegmentation(bools: BoolDecoder): void {
  if (bools.bool(EVEN) === 0) return
  const map = bools.bool(EVEN) === 1
  if (bools.bool(EVEN) === 1) {
    bools.literal(1)
    for (const bits of [7, 6]) {
      for (let segment = 0; segment < 4; segment++) if (bools.bool(EVEN) === 1) bools.literal(bits + 1)
    }
  }
  for (let i = 0; map && i < 3; i++) if (bools.bool(EVEN) === 1) bools.literal(8)
}
