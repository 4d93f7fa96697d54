import type { ByteReader } from '../../bytes/reader.ts'
import type { Region } from '../../bytes/regions.ts'
import { zeroRuns } from '../../bytes/zero-runs.ts'
import type { Monitor } from '../../model/monitor.ts'

/** Zeros in a row that entropy-coded sensor data does not come to. */
const LEAST_CODED = 512
/** Zeros in a row that are looked at in values without coding. */
const LEAST_PLAIN = 4_096
/** Bytes beside such a stretch: a dark part of a photo fades, one that was never written breaks off. */
const BESIDE = 64

/** Stretches of zeros in entropy-coded sensor data: they were never written, or hit. */
export function codedHoles(
  reader: ByteReader,
  { offset, length }: Region,
  monitor: Monitor,
): Promise<readonly Region[]> {
  return zeroRuns(reader, offset, offset + length, LEAST_CODED, monitor)
}

/** Stretches of zeros in uncoded sensor values that begin and end amid values that are none of darkness. */
export async function plainHoles(
  reader: ByteReader,
  { offset, length }: Region,
  monitor: Monitor,
): Promise<readonly Region[]> {
  const runs = await zeroRuns(reader, offset, offset + length, LEAST_PLAIN, monitor)
  const end = Math.min(offset + length, reader.size)
  return runs.filter((run) => {
    const before = bright(reader, Math.max(offset, run.offset - BESIDE), run.offset)
    const after = bright(reader, run.offset + run.length, Math.min(end, run.offset + run.length + BESIDE))
    return before !== false && after !== false && (before || after)
  })
}

/** Whether most bytes of a stretch say something; undefined where there is none. */
function bright(reader: ByteReader, from: number, to: number): boolean | undefined {
  if (to <= from) return undefined
  const bytes = reader.bytes(from, to - from)
  return bytes.filter((byte) => byte !== 0).length * 2 > bytes.length
}

/** What stands where sensor data is missing: no zeros, which would pass for a part that was never written. */
export const FILLER = { coded: 0xaa, plain: 1 } as const
