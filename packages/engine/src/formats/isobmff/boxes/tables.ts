import type { ByteReader } from '../../../bytes/reader.ts'
import type { Findings } from '../../../model/finding.ts'
import { type Box, bodyOf } from '../../../syntax/iso-boxes/box.ts'
import { tableMiscounted, tableTruncated } from '../findings.ts'

/**
 * How many entries of `entryBytes` each the table at `at` really holds, given the count it declares. More declared
 * than present is a finding, and what is present is used. Fewer declared than present is one too where the surplus is
 * no padding: then the box's size is believed, not the count.
 */
export function heldEntries(
  reader: ByteReader,
  box: Box,
  at: number,
  entryBytes: number,
  declared: number,
  findings: Findings,
  clause: string,
): number {
  const bytes = Math.max(0, box.end - at)
  const room = Math.floor(bytes / entryBytes)
  if (declared > room) {
    findings.add(tableTruncated(box.type, box.offset, declared, room, clause))
    return room
  }
  if (declared < room && bytes % entryBytes === 0 && isFilled(reader, at + declared * entryBytes, box.end)) {
    findings.add(tableMiscounted(box.type, box.offset, declared, room, clause))
    return room
  }
  return declared
}

/** Bytes of a table's surplus looked at. */
const SURPLUS_WINDOW = 64

/** True when the surplus behind a table's entries looks like entries: none of its 32-bit words is zero. */
function isFilled(reader: ByteReader, from: number, end: number): boolean {
  for (let at = from; at + 4 <= Math.min(end, from + SURPLUS_WINDOW); at += 4)
    if (reader.u32(at) === 0) return false
  return true
}

/** Values of runs: of 32 bits as a box has them, wider where the engine makes them. */
export type RunValues = Float64Array | Uint32Array | Int32Array

/** Runs of equal values: `counts[i]` samples have `values[i]`. The form of stts, ctts and sbgp. */
export interface Runs {
  readonly length: number
  readonly counts: Uint32Array
  readonly values: RunValues
}

/** A full box with a 32-bit entry count and entries of two 32-bit numbers, the second signed or not. */
export function parseRuns(
  reader: ByteReader,
  box: Box,
  signed: boolean,
  findings: Findings,
  clause: string,
): Runs {
  const at = bodyOf(box) + 8
  const declared = at <= box.end ? reader.u32(at - 4) : 0
  const length = heldEntries(reader, box, at, 8, declared, findings, clause)
  const counts = new Uint32Array(length)
  const values = signed ? new Int32Array(length) : new Uint32Array(length)
  for (let i = 0; i < length; i++) {
    counts[i] = reader.u32(at + i * 8)
    values[i] = signed ? reader.i32(at + i * 8 + 4) : reader.u32(at + i * 8 + 4)
  }
  return { length, counts, values }
}

/** Sum of the counts. */
export function runTotal(runs: Runs): number {
  let total = 0
  for (let i = 0; i < runs.length; i++) total += runs.counts[i]
  return total
}

/** A full box with a 32-bit entry count and 32-bit entries, e.g. stss. */
export function parseNumbers(reader: ByteReader, box: Box, findings: Findings, clause: string): Uint32Array {
  const at = bodyOf(box) + 8
  const declared = at <= box.end ? reader.u32(at - 4) : 0
  const length = heldEntries(reader, box, at, 4, declared, findings, clause)
  const numbers = new Uint32Array(length)
  for (let i = 0; i < length; i++) numbers[i] = reader.u32(at + i * 4)
  return numbers
}
