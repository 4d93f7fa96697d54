import { VPS } from './nal-types.ts'

/** A video parameter set, ITU-T H.265 (08/2021) §7.3.2.1: its id and its bytes, which is all that finding pictures needs. */
export interface Vps {
  readonly id: number
  /** The NAL unit as it stood in the stream, header included. */
  readonly bytes: Uint8Array
}

/** vps_reserved_0xffff_16bits behind the ids and the layer counts. */
const RESERVED = 0xff

/** Parses a VPS NAL unit; undefined when it breaks the syntax. */
export function parseVps(nal: Uint8Array): Vps | undefined {
  if (nal.length < 18 || nal[0] >> 1 !== VPS || (nal[0] & 1) !== 0 || nal[1] >> 3 !== 0) return undefined
  if (nal[4] !== RESERVED || nal[5] !== RESERVED) return undefined
  return { id: nal[2] >> 4, bytes: nal.slice() }
}
