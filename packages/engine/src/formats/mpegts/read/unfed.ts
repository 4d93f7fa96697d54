import type { ByteReader } from '../../../bytes/reader.ts'
import { BitReservoir } from '../../../codecs/mp3/bit-reservoir.ts'
import { SAMPLE_AFTER_HOLE, SAMPLE_DAMAGED, SAMPLE_UNFED } from '../../../model/sample-table.ts'
import type { Layout } from './packet.ts'
import { firstPayload } from './sniff.ts'
import type { PidStream } from './stream.ts'

/** Longest PES packet of sound, ISO/IEC 13818-1:2022 §2.4.3.7. */
const LONGEST = 1 << 16

/**
 * Marks the PES packets of MPEG sound whose frames begin with main data that was lost in front of them: those of Layer III may.
 */
export function markUnfed(reader: ByteReader, layout: Layout, stream: PidStream): void {
  const { table } = stream
  if (!table) return
  const { flags, length, size } = table
  const reservoir = new BitReservoir()
  for (let row = 0; row < length; row++) {
    const isHit = (flags[row] & SAMPLE_DAMAGED) !== 0
    if (isHit || flags[row] & SAMPLE_AFTER_HOLE) reservoir.lose()
    if (isHit || !reservoir.isLow) continue
    const bytes = firstPayload(reader, layout, stream, row, Math.min(size[row], LONGEST))
    if (!reservoir.take(bytes)) flags[row] |= SAMPLE_UNFED
  }
}
