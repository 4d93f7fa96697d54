import type { ByteReader } from '../../../bytes/reader.ts'

/** A raw picture's headers in the payload, and how long they say it is. */
export interface CrxStream {
  /** Bytes of the headers in front. */
  readonly header: number
  /** Bytes of it all. */
  readonly length: number
  readonly tiles: number
}

const TILE = [0xff01, 0xff11] as const
const PLANE = [0xff02, 0xff12] as const
const BAND = [0xff03, 0xff13] as const
/** Headers of one picture: tiles of four planes of ten bands. */
const MOST_HEADERS = 4_096
const SHORT = 8
const LONG = 16
/** Behind a header's first eight bytes: the length field counts what follows it. */
const FRONT = 4
const MOST_BYTES = 2 ** 32

/**
 * The headers of Canon's raw codec at an offset: tiles that hold planes that hold bands, each with its bytes; undefined where
 * they are none or do not add up. Canon CR3 as described by L. Clévy, "crx codec structures".
 */
export function readCrx(reader: ByteReader, start: number): CrxStream | undefined {
  let at = start
  let tiles = 0
  let planes = 0
  let bands = 0
  let total = 0
  let tileLeft = 0
  let planeLeft = 0
  for (let count = 0; count < MOST_HEADERS && at + SHORT + FRONT <= reader.size; count++) {
    const sign = reader.u16(at)
    const size = reader.u16(at + 2)
    const bytes = reader.u32(at + FRONT)
    if (size !== SHORT && size !== LONG) break
    if (isOne(TILE, sign)) {
      tiles++
      total += bytes
      tileLeft = bytes
    } else if (isOne(PLANE, sign)) {
      planes++
      tileLeft -= bytes
      planeLeft = bytes
    } else if (isOne(BAND, sign)) {
      bands++
      planeLeft -= bytes
    } else break
    if (tiles === 0 || tileLeft < 0 || planeLeft < 0 || total > MOST_BYTES) return undefined
    at += FRONT + size
  }
  if (tiles === 0 || planes < tiles || bands < planes) return undefined
  return { header: at - start, length: at - start + total, tiles }
}

function isOne(signs: readonly number[], sign: number): boolean {
  return signs.includes(sign)
}

/** Whether a raw picture's first header may stand here: cheap to refuse. */
export function mayBeCrx(bytes: Uint8Array, at: number): boolean {
  const second = bytes[at + 1]
  const size = bytes[at + 3]
  return (second === 1 || second === 0x11) && bytes[at + 2] === 0 && (size === SHORT || size === LONG)
}
