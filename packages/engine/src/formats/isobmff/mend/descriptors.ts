import type { Findings } from '../../../model/finding.ts'
import { headerMended } from '../findings.ts'
import type { Patches } from './patched-source.ts'

const ES_DESCRIPTOR = 3
const DECODER_CONFIG = 4
/** What a DecoderConfigDescriptor holds: DecoderSpecificInfo, and profile and level of other streams. */
const IN_CONFIG: readonly number[] = [5, 0x14]
/** Bytes of a DecoderConfigDescriptor before the descriptors in it. */
const CONFIG_FACTS = 13
/** Bytes of an `esds` box that are looked at: real ones have some dozens. */
const MAX_BYTES = 512

/** One descriptor, ISO/IEC 14496-1:2010 §8.3.3. */
interface Descriptor {
  readonly tag: number
  readonly start: number
  readonly end: number
}

type Bytes = (offset: number) => number

/**
 * Mends a flipped bit in the lengths or tags of the descriptors of an `esds` box whose body behind version and flags is [from,
 * end), ISO/IEC 14496-1:2010 §7.2.6.5: where one reaches past the one it lies in, or is none that belongs there, and flipping a
 * single bit makes all fit exactly.
 */
export function mendDescriptors(patches: Patches, from: number, end: number, findings: Findings): void {
  if (end - from > MAX_BYTES) return
  const bytes: Bytes = (offset) => patches.u8(offset)
  if (shape(bytes, from, end) !== 'hit') return
  const found: { offset: number; value: number }[] = []
  for (let offset = from; offset < end; offset++) {
    for (let bit = 0; bit < 8; bit++) {
      const value = bytes(offset) ^ (1 << bit)
      if (shape((at) => (at === offset ? value : bytes(at)), from, end) === 'exact')
        found.push({ offset, value })
    }
  }
  if (found.length !== 1) return
  const [{ offset, value }] = found
  findings.add(headerMended(offset, `${bytes(offset)} in 'esds'`, `${value}`))
  patches.put8(offset, value)
}

/**
 * How the descriptors nest: `hit` when one ends behind the one it lies in or does not belong there, `exact` when all fill each
 * other up.
 */
function shape(bytes: Bytes, from: number, end: number): 'exact' | 'loose' | 'hit' {
  const stream = read(bytes, from, end)
  if (!stream) return 'loose'
  if (stream.tag !== ES_DESCRIPTOR || stream.end > end) return 'hit'
  const flags = bytes(stream.start + 2)
  // dependsOn_ES_ID, a URL or OCR_ES_Id stand in no media file
  if ((flags & 0xe0) !== 0) return 'hit'
  const config = read(bytes, stream.start + 3, stream.end)
  if (!config) return 'loose'
  if (config.tag !== DECODER_CONFIG || config.end > stream.end) return 'hit'
  const inner = filled(bytes, config.start + CONFIG_FACTS, config.end, IN_CONFIG)
  if (inner !== 'exact') return inner
  const outer = filled(bytes, config.end, stream.end)
  return outer === 'exact' && stream.end !== end ? 'loose' : outer
}

/** Whether descriptors, of these tags alone and none empty where there are any given, fill [from, end) up. */
function filled(
  bytes: Bytes,
  from: number,
  end: number,
  tags?: readonly number[],
): 'exact' | 'loose' | 'hit' {
  let at = from
  while (at < end) {
    const next = read(bytes, at, end)
    if (!next) return 'loose'
    if (next.end > end) return 'hit'
    if (tags && (!tags.includes(next.tag) || next.end === next.start)) return 'hit'
    at = next.end
  }
  return at === end ? 'exact' : 'hit'
}

/** Tag and extent of the descriptor at an offset; the length takes 1 to 4 bytes of 7 bits. Undefined when its head is cut. */
function read(bytes: Bytes, offset: number, end: number): Descriptor | undefined {
  let length = 0
  for (let at = offset + 1; at < end && at <= offset + 4; at++) {
    const byte = bytes(at)
    length = length * 128 + (byte & 0x7f)
    if ((byte & 0x80) === 0) return { tag: bytes(offset), start: at + 1, end: at + 1 + length }
  }
  return undefined
}
