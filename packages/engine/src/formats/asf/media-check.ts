import type { ByteReader } from '../../bytes/reader.ts'
import type { Monitor } from '../../model/monitor.ts'
import { partsOf } from './read/media-objects.ts'
import type { PayloadTable } from './read/packet-table.ts'
import { holdsZeros, isDense } from './read/payload-zeros.ts'
import type { StreamObjects } from './recording.ts'

/** Of a healthy stream so many pictures hold none. */
const LEAST_SHARE = 0.8
const OBJECTS_A_TURN = 256

/** The first payloads of pictures that hold zeros which no encoder writes. */
export async function checkMedia(
  reader: ByteReader,
  payloads: PayloadTable,
  objects: readonly StreamObjects[],
  monitor: Monitor,
): Promise<ReadonlySet<number>> {
  const damaged = new Set<number>()
  for (const { stream, rows } of objects) {
    if (!isDense(stream)) continue
    const hit: number[] = []
    for (let i = 0; i < rows.length; i++) {
      if (i % OBJECTS_A_TURN === 0) {
        monitor.progress('diagnose', i / rows.length)
        await monitor.pause()
      }
      if (hasZeros(reader, payloads, rows[i])) hit.push(rows[i])
    }
    if (hit.length <= rows.length * (1 - LEAST_SHARE)) for (const row of hit) damaged.add(row)
  }
  return damaged
}

function hasZeros(reader: ByteReader, payloads: PayloadTable, first: number): boolean {
  for (const row of partsOf(payloads, first)) if (holdsZeros(reader, payloads, row)) return true
  return false
}
