import type { ByteReader } from '../../../bytes/reader.ts'
import type { Allowance } from '../../../model/allowance.ts'
import type { Findings } from '../../../model/finding.ts'
import { type Box, bodyOf } from '../../../syntax/iso-boxes/box.ts'
import type { BoxWriter } from '../../../syntax/iso-boxes/box-writer.ts'
import { badValue } from '../findings.ts'
import { heldEntries } from './tables.ts'

/** Sample size boxes, ISO/IEC 14496-12:2022 §8.7.3: one size for all, or a size for each. */
export interface SampleSizes {
  /** Bytes of every sample, or 0 when `sizes` has them. */
  readonly constant: number
  /** Samples the box declares. */
  readonly count: number
  readonly sizes: Uint32Array
  /** The box says twice that it has more entries than are there, by its size and their number: `sizes` has the first samples'. */
  readonly cut?: true
}

const NONE = new Uint32Array(0)

/** `compact` are the sizes that boxes with fields of less than 32 bits may have: they claim two for every byte. */
export function parseSampleSizes(
  reader: ByteReader,
  box: Box,
  compact: Allowance,
  findings: Findings,
): SampleSizes {
  const at = bodyOf(box) + 12
  if (at > box.end) {
    heldEntries(reader, box, at, 4, 1, findings, '8.7.3')
    return { constant: 0, count: 0, sizes: NONE }
  }
  const declared = reader.u32(at - 4)
  if (box.type === 'stz2') return parseCompact(reader, box, declared, compact, findings)
  const constant = reader.u32(at - 8)
  if (constant !== 0) return { constant, count: declared, sizes: NONE }
  const length = heldEntries(reader, box, at, 4, declared, findings, '8.7.3.2')
  const sizes = new Uint32Array(length)
  for (let i = 0; i < length; i++) sizes[i] = reader.u32(at + i * 4)
  const cut = length < declared && reader.u32(box.offset) === at + declared * 4 - box.offset
  return { constant, count: declared, sizes, ...(cut ? { cut } : {}) }
}

function parseCompact(
  reader: ByteReader,
  box: Box,
  declared: number,
  compact: Allowance,
  findings: Findings,
): SampleSizes {
  const at = bodyOf(box) + 12
  const bits = reader.u8(at - 5)
  if (bits !== 4 && bits !== 8 && bits !== 16) {
    findings.add(badValue('stz2', box.offset, `field size ${bits}`, '8.7.3.3', 'error'))
    return { constant: 0, count: declared, sizes: NONE }
  }
  const length = Math.min(declared, Math.floor(((box.end - at) * 8) / bits))
  if (length < declared) heldEntries(reader, box, at, bits / 8, declared, findings, '8.7.3.3')
  if (!compact.take(length)) {
    findings.add(badValue('stz2', box.offset, `${length} sizes`, '8.7.3.3', 'error'))
    return { constant: 0, count: declared, sizes: NONE }
  }
  const sizes = new Uint32Array(length)
  for (let i = 0; i < length; i++) {
    if (bits === 16) sizes[i] = reader.u16(at + i * 2)
    else if (bits === 8) sizes[i] = reader.u8(at + i)
    else sizes[i] = (reader.u8(at + (i >> 1)) >> (i % 2 === 0 ? 4 : 0)) & 15
  }
  return { constant: 0, count: declared, sizes }
}

/** Writes `stsz`; `sizes` is read only when `constant` is 0. */
export function writeSampleSizes(
  writer: BoxWriter,
  constant: number,
  count: number,
  sizes: Uint32Array,
): void {
  writer.fullBox('stsz', 0, 0, () => {
    writer.u32(constant)
    writer.u32(count)
    if (constant === 0) for (let i = 0; i < count; i++) writer.u32(sizes[i])
  })
}
