import type { ByteReader } from '../../../bytes/reader.ts'
import type { Findings } from '../../../model/finding.ts'
import { type Box, bodyOf, versionOf } from './box.ts'
import { heldEntries } from './tables.ts'

/** Track fragment random access box, ISO/IEC 14496-12:2022 §8.8.10: where key samples' fragments start. */
export interface FragmentRandomAccess {
  readonly track: number
  readonly times: Float64Array
  readonly fragments: Float64Array
}

export function parseFragmentRandomAccess(
  reader: ByteReader,
  box: Box,
  findings: Findings,
): FragmentRandomAccess | undefined {
  const wide = versionOf(reader, box) === 1
  const at = bodyOf(box) + 16
  if (at > box.end) return undefined
  const lengths = reader.u32(at - 8)
  const extra = ((lengths >> 4) & 3) + ((lengths >> 2) & 3) + (lengths & 3) + 3
  const entry = (wide ? 16 : 8) + extra
  const count = heldEntries(reader, box, at, entry, reader.u32(at - 4), findings, '8.8.10')
  const times = new Float64Array(count)
  const fragments = new Float64Array(count)
  for (let i = 0; i < count; i++) {
    const from = at + i * entry
    times[i] = wide ? reader.u64(from) : reader.u32(from)
    fragments[i] = wide ? reader.u64(from + 8) : reader.u32(from + 4)
  }
  return { track: reader.u32(at - 12), times, fragments }
}
