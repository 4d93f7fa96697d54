import type { ByteReader } from '../../bytes/reader.ts'
import type { Region } from '../../bytes/regions.ts'
import { zeroRuns } from '../../bytes/zero-runs.ts'
import type { Monitor } from '../../model/monitor.ts'

/** Zeros in a row that are looked at. */
const LEAST = 512
/** Bytes of a row that have to say something where zeros begin or end within it. */
const BESIDE = 32

/**
 * Stretches of zeros that were never written. Black looks the same: only what breaks off in the midst of a row, where the row
 * beside goes on bright, is told from it.
 */
export async function holesOf(
  reader: ByteReader,
  { offset, length }: Region,
  stride: number,
  monitor: Monitor,
): Promise<readonly Region[]> {
  const end = Math.min(offset + length, reader.size)
  const runs = await zeroRuns(reader, offset, end, Math.max(LEAST, stride), monitor)
  return runs.filter((run) => {
    const last = run.offset + run.length
    const column = (run.offset - offset) % stride
    const begins = bright(reader, run.offset - stride, stride - column)
    const ends = bright(reader, last + stride - ((last - offset) % stride), (last - offset) % stride)
    const opens = run.offset === offset || (run.offset - stride >= offset && column > 0 && begins)
    const closes = last === end || ends
    return opens && closes && !(run.offset === offset && last === end)
  })
}

/** Whether most of some bytes say something. */
function bright(reader: ByteReader, from: number, length: number): boolean {
  const bytes = reader.bytes(from, length)
  return bytes.length >= BESIDE && bytes.filter((byte) => byte !== 0).length * 4 > bytes.length * 3
}
