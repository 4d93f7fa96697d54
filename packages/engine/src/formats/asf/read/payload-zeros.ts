import type { ByteReader } from '../../../bytes/reader.ts'
import { isZero } from '../../../bytes/zeros.ts'
import { hasZeroHole } from '../../../recording/zero-holes.ts'
import type { AsfStream } from './header.ts'
import { LOOKED_AT, type PayloadTable, ZEROS } from './packet-table.ts'

/** Codecs whose pictures hold no long runs of zeros. */
const DENSE: ReadonlySet<string> = new Set([
  ...['wmv1', 'wmv2', 'wmv3', 'vc1', 'msmpeg4v1', 'msmpeg4v2', 'msmpeg4v3', 'mpeg4', 'h264'],
])
/** Zeros with which no part of a picture ends: what fills a packet up lies outside of them. */
const ZERO_TAIL = 64

/** Zeros at its end with which hardly any picture ends by itself, while up to two in five end with one. */
const OWN_ZEROS = 2

/** Whether zeros show that a stream's payloads were hit. */
export function isDense({ codec }: AsfStream): boolean {
  return DENSE.has(codec)
}

/** Looks at a payload's bytes, which are in memory when it is found, and notes what `holdsZeros` says. */
export function noteZeros(reader: ByteReader, payloads: PayloadTable, row: number): void {
  payloads.flags[row] |= lookForZeros(reader, payloads, row) ? LOOKED_AT | ZEROS : LOOKED_AT
}

/** Whether a payload holds zeros that no encoder writes. */
export function holdsZeros(reader: ByteReader, payloads: PayloadTable, row: number): boolean {
  const flags = payloads.flags[row]
  return flags & LOOKED_AT ? (flags & ZEROS) !== 0 : lookForZeros(reader, payloads, row)
}

/** Whether a payload ends in zeros that go on behind it. */
export function goesOnInZeros(reader: ByteReader, payloads: PayloadTable, row: number): boolean {
  const end = payloads.offset[row] + payloads.header[row] + payloads.size[row]
  return payloads.size[row] >= OWN_ZEROS && isZero(reader, end - OWN_ZEROS, end + ZERO_TAIL)
}

/** Zeros at the end of a payload. */
export function zerosAtEnd(reader: ByteReader, payloads: PayloadTable, row: number): number {
  const end = payloads.offset[row] + payloads.header[row] + payloads.size[row]
  let zeros = 0
  while (zeros < payloads.size[row] && reader.u8(end - 1 - zeros) === 0) zeros++
  return zeros
}

function lookForZeros(reader: ByteReader, payloads: PayloadTable, row: number): boolean {
  const offset = payloads.offset[row] + payloads.header[row]
  const size = payloads.size[row]
  return endsInZeros(reader, offset, size) || hasZeroHole(reader, offset, size)
}

function endsInZeros(reader: ByteReader, offset: number, size: number): boolean {
  if (size < ZERO_TAIL) return false
  const end = offset + size
  for (let at = end - 1; at >= end - ZERO_TAIL; at--) if (reader.u8(at) !== 0) return false
  return true
}
