import { createHash } from 'node:crypto'
import { DEFAULT_LIMITS } from '../../../../src/bytes/limits.ts'
import { ByteReader } from '../../../../src/bytes/reader.ts'
import { MemorySource } from '../../../../src/bytes/source.ts'
import { assess } from '../../../../src/formats/asf/assess.ts'
import { COMPRESSED, DROPPED, OBJECT_START } from '../../../../src/formats/asf/read/packet-table.ts'
import { SILENT } from '../../../../src/model/monitor.ts'

export function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 16)
}

/** Whole media objects of a file as `stream time key bytes`, without those of which a payload holds several. */
export async function objectsOf(bytes: Uint8Array): Promise<string[]> {
  const { scan } = await assess(new ByteReader(new MemorySource(bytes)), DEFAULT_LIMITS, SILENT)
  if (!scan) return []
  const { payloads } = scan
  const open = new Map<number, number[]>()
  const objects: string[] = []
  for (let row = 0; row < payloads.length; row++) {
    if (payloads.flags[row] & (DROPPED | COMPRESSED)) continue
    const stream = payloads.stream[row]
    if (payloads.flags[row] & OBJECT_START) open.set(stream, [])
    const parts = open.get(stream)
    const from = payloads.offset[row] + payloads.header[row]
    parts?.push(...bytes.subarray(from, from + payloads.size[row]))
    if (parts?.length === payloads.objectSize[row])
      objects.push(
        `${stream} ${payloads.time[row]} ${payloads.flags[row] & 1} ${digest(Uint8Array.from(parts))}`,
      )
  }
  return objects
}
