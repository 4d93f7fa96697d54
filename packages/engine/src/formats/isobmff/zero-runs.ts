import type { ByteReader } from '../../bytes/reader.ts'
import type { Monitor } from '../../model/monitor.ts'
import type { Region } from './regions.ts'

const PIECE = 1024 * 1024

/** True when every byte of [from, to) is zero. Stops at the first that is not. */
export function isZero(reader: ByteReader, from: number, to: number): boolean {
  const end = Math.min(to, reader.size)
  for (let at = from; at < end; at += PIECE) {
    const bytes = reader.bytes(at, Math.min(PIECE, end - at))
    for (let i = 0; i < bytes.length; i++) if (bytes[i] !== 0) return false
  }
  return true
}

/** Zeros in the middle of a coded picture that no encoder writes. */
const HOLE = 512

/**
 * True when [offset, offset + size) holds `HOLE` zero bytes in a row that are neither its end (padding) nor stuffing in
 * front of a start code, ISO/IEC 13818-2 §5.2.3.
 */
export function hasZeroHole(reader: ByteReader, offset: number, size: number): boolean {
  const end = Math.min(offset + size, reader.size)
  const step = HOLE >> 1
  for (let at = offset + step; at < end; at += step) {
    if (reader.u8(at) !== 0) continue
    let from = at
    while (from > offset && reader.u8(from - 1) === 0) from--
    let to = at + 1
    while (to < end && reader.u8(to) === 0) to++
    if (to - from >= HOLE && to < end && reader.u8(to) !== 1) return true
    at = Math.max(at, to - step)
  }
  return false
}

/** Runs of zeros found are multiples of what a disk or card loses at once. */
export const ZERO_RUN = 4096
/** Distance of the bytes probed: every run of `ZERO_RUN` contains several. */
const STEP = 1024

/**
 * Finds runs of at least `ZERO_RUN` zero bytes in the regions: payload of any codec but silence and black in raw
 * formats has none. Looks at one byte in a thousand until one is zero.
 */
export async function findZeroRuns(
  reader: ByteReader,
  regions: readonly Region[],
  monitor: Monitor,
): Promise<Region[]> {
  const runs: Region[] = []
  for (const region of regions) {
    const end = region.offset + region.length
    let clear = region.offset
    for (let at = region.offset + STEP; at < end; at += STEP) {
      if (reader.u8(at) === 0) {
        let from = at
        while (from > clear && reader.u8(from - 1) === 0) from--
        let to = at + 1
        while (to < end && reader.u8(to) === 0) {
          to++
          if ((to & 0xff_ffff) === 0) await monitor.pause()
        }
        if (to - from >= ZERO_RUN) runs.push({ offset: from, length: to - from })
        clear = to
        at += Math.floor((to - at) / STEP) * STEP
      }
      if ((at & 0x3f_ffff) < STEP) await monitor.pause()
    }
  }
  return runs
}
