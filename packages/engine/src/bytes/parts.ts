import type { Monitor } from '../model/monitor.ts'
import { RangeWriter } from './range-writer.ts'
import type { ByteReader } from './reader.ts'
import type { ByteSink } from './sink.ts'

/** A piece of the result: a stretch of the damaged file, or new bytes. */
export type Part = { readonly offset: number; readonly length: number } | Uint8Array

/** Writes a result piece by piece. @throws EnvironmentError, AbortedError */
export async function writeParts(
  reader: ByteReader,
  parts: readonly Part[],
  sink: ByteSink,
  monitor: Monitor,
): Promise<void> {
  const total = parts.reduce((sum, { length }) => sum + length, 0)
  const writer = new RangeWriter(reader, sink, monitor, total)
  for (const part of parts) {
    if (part instanceof Uint8Array) writer.write(part)
    else await writer.copy(part.offset, part.length)
  }
  await writer.end()
}
