import type { ByteReader } from '../../../bytes/reader.ts'
import type { Findings } from '../../../model/finding.ts'
import { type Box, bodyOf, versionOf } from './box.ts'
import { heldEntries } from './tables.ts'

/** Segment index box, ISO/IEC 14496-12:2022 §8.16.3: sizes and durations of the segments that follow it. */
export interface SegmentIndex {
  readonly track: number
  readonly timescale: number
  readonly earliest: number
  /** File offset of the first segment. */
  readonly start: number
  readonly sizes: Uint32Array
  readonly durations: Uint32Array
}

export function parseSegmentIndex(
  reader: ByteReader,
  box: Box,
  findings: Findings,
): SegmentIndex | undefined {
  const wide = versionOf(reader, box) === 1
  const at = bodyOf(box) + 4
  const entries = at + (wide ? 28 : 20)
  if (entries > box.end) return undefined
  const count = heldEntries(reader, box, entries, 12, reader.u16(entries - 2), findings, '8.16.3')
  const sizes = new Uint32Array(count)
  const durations = new Uint32Array(count)
  for (let i = 0; i < count; i++) {
    sizes[i] = reader.u32(entries + i * 12) & 0x7fff_ffff
    durations[i] = reader.u32(entries + i * 12 + 4)
  }
  return {
    track: reader.u32(at),
    timescale: reader.u32(at + 4),
    earliest: wide ? reader.u64(at + 8) : reader.u32(at + 8),
    start: box.end + (wide ? reader.u64(at + 16) : reader.u32(at + 12)),
    sizes,
    durations,
  }
}
