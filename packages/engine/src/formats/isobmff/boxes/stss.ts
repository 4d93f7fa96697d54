import type { ByteReader } from '../../../bytes/reader.ts'
import type { Findings } from '../../../model/finding.ts'
import { type Box, bodyOf } from '../../../syntax/iso-boxes/box.ts'
import type { BoxWriter } from '../../../syntax/iso-boxes/box-writer.ts'
import { parseNumbers } from './tables.ts'

/**
 * Sync sample box, ISO/IEC 14496-12:2022 §8.6.2, and QuickTime's partial sync samples (`stps`): sample numbers from 1. A box that
 * has room for entries and counts none has zeros as its entries.
 */
export function parseSyncSamples(reader: ByteReader, box: Box, findings: Findings): Uint32Array {
  const numbers = parseNumbers(reader, box, findings, '8.6.2')
  const room = Math.floor((box.end - bodyOf(box) - 8) / 4)
  return numbers.length === 0 && room > 0 ? new Uint32Array(room) : numbers
}

/**
 * True when a table of sync samples cannot be that of so many samples: numbers rise from 1 to at most theirs, and half of them or
 * more do not, or one behind the first is zero. (Some writers count from zero.)
 */
export function isImpossible(numbers: Uint32Array, samples: number): boolean {
  if (numbers.length === 0 || samples === 0) return false
  if (numbers.subarray(1).includes(0)) return true
  let last = 0
  let possible = 0
  for (const number of numbers) {
    if (number <= last || number > samples) continue
    last = number
    possible++
  }
  return possible * 2 <= numbers.length
}

export function writeSyncSamples(writer: BoxWriter, samples: Uint32Array): void {
  writer.fullBox('stss', 0, 0, () => {
    writer.u32(samples.length)
    for (const sample of samples) writer.u32(sample)
  })
}
