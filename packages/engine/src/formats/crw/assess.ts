import type { Limits } from '../../bytes/limits.ts'
import type { ByteReader } from '../../bytes/reader.ts'
import type { Region } from '../../bytes/regions.ts'
import { Findings } from '../../model/finding.ts'
import type { Monitor } from '../../model/monitor.ts'
import { codeOf, findHit } from './check-code.ts'
import { heapInFront } from './find-heap.ts'
import { codeHit, directoryLost, foreignTail, headerLost, rawHit } from './findings.ts'
import {
  HEADER_BYTES,
  type Heap,
  headerBytesOf,
  type Record,
  rawLayout,
  readHeap,
  recordOf,
  type Sensor,
  sensorOf,
  TAG,
} from './read.ts'

export interface Assessment {
  readonly findings: Findings
  readonly headed: boolean
  readonly heap: Heap | undefined
  readonly raw: Record | undefined
  readonly sensor: Sensor | undefined
  /** Stretches of the raw picture that are zeros, or no code. */
  readonly holes: readonly Region[]
  /** Bytes of its lowest bits, which stand in front, uncoded. */
  readonly lowBits: number
  readonly healthy: boolean
}

/** Reads a file and holds its heaps against the bytes. */
export async function assess(reader: ByteReader, limits: Limits, monitor: Monitor): Promise<Assessment> {
  const findings = new Findings(limits.findings)
  await monitor.pause()
  const header = headerBytesOf(reader)
  if (header === undefined) findings.add(headerLost())
  const start = header ?? HEADER_BYTES
  const whole = readHeap(reader, start, reader.size)
  const heap = whole ?? heapInFront(reader, start)
  if (heap && !whole) findings.add(foreignTail(heap.end, reader.size - heap.end))
  const raw = heap && recordOf(heap, TAG.raw)
  const sensor = heap && raw && sensorOf(reader, heap)
  if (!sensor) findings.add(directoryLost(Math.max(0, reader.size - 4)))
  const layout = heap && raw ? await rawLayout(reader, heap, raw, monitor) : undefined
  const zeros = layout?.holes ?? []
  for (const { offset, length } of zeros) findings.add(rawHit(offset, length))
  const code = heap && raw && zeros.length === 0 && codeOf(reader, heap, raw, layout?.lowBits ?? 0, 0)
  const hit = code ? await findHit(reader, code, monitor) : undefined
  if (hit) findings.add(codeHit(hit.offset, hit.length))
  const holes = hit ? [hit] : zeros
  monitor.progress('diagnose', 1)
  return {
    findings,
    headed: header !== undefined,
    heap,
    raw,
    sensor,
    holes,
    lowBits: layout?.lowBits ?? 0,
    healthy: findings.healthy,
  }
}
