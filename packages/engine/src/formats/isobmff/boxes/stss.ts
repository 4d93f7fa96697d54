import type { ByteReader } from '../../../bytes/reader.ts'
import type { Findings } from '../../../model/finding.ts'
import type { Box } from '../../../syntax/iso-boxes/box.ts'
import type { BoxWriter } from '../../../syntax/iso-boxes/box-writer.ts'
import { parseNumbers } from './tables.ts'

/** Sync sample box, ISO/IEC 14496-12:2022 §8.6.2, and QuickTime's partial sync samples (`stps`): sample numbers from 1. */
export function parseSyncSamples(reader: ByteReader, box: Box, findings: Findings): Uint32Array {
  return parseNumbers(reader, box, findings, '8.6.2')
}

export function writeSyncSamples(writer: BoxWriter, samples: Uint32Array): void {
  writer.fullBox('stss', 0, 0, () => {
    writer.u32(samples.length)
    for (const sample of samples) writer.u32(sample)
  })
}
