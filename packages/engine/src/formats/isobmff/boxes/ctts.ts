import type { ByteReader } from '../../../bytes/reader.ts'
import type { Findings } from '../../../model/finding.ts'
import { type Box, versionOf } from '../../../syntax/iso-boxes/box.ts'
import { parseRuns, type Runs } from './tables.ts'

/** Composition time to sample box, ISO/IEC 14496-12:2022 §8.6.1.3. */
export interface CompositionOffsets {
  readonly version: number
  /** Composition minus decoding time in ticks; signed. */
  readonly runs: Runs
}

/**
 * Offsets are unsigned in version 0, but QuickTime and many cameras write signed ones there: values above 2^31 are
 * read as negative in both versions.
 */
export function parseCompositionOffsets(
  reader: ByteReader,
  box: Box,
  findings: Findings,
): CompositionOffsets {
  return { version: versionOf(reader, box), runs: parseRuns(reader, box, true, findings, '8.6.1.3') }
}
