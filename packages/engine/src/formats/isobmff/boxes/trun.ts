import type { ByteReader } from '../../../bytes/reader.ts'
import type { Findings } from '../../../model/finding.ts'
import { type Box, bodyOf, flagsOf } from './box.ts'
import { heldEntries } from './tables.ts'

/** Track run box, ISO/IEC 14496-12:2022 §8.8.8. Columns are undefined where the run leaves a field to the defaults. */
export interface TrackRun {
  readonly count: number
  /** From the fragment's base to the first sample, in bytes. */
  readonly dataOffset: number | undefined
  readonly firstFlags: number | undefined
  readonly durations: Uint32Array | undefined
  readonly sizes: Uint32Array | undefined
  readonly flags: Uint32Array | undefined
  readonly compositions: Int32Array | undefined
}

/** Samples of a run without a column of its own: a second of the busiest audio, times a thousand. */
const MAX_UNBACKED = 100_000

export function parseTrackRun(reader: ByteReader, box: Box, findings: Findings): TrackRun | undefined {
  const has = flagsOf(reader, box)
  let at = bodyOf(box) + 4
  if (at + 4 > box.end) return undefined
  const declared = reader.u32(at)
  at += 4
  const dataOffset = has & 0x1 ? reader.i32(at) : undefined
  if (has & 0x1) at += 4
  const firstFlags = has & 0x4 ? reader.u32(at) : undefined
  if (has & 0x4) at += 4
  const fields = [0x100, 0x200, 0x400, 0x800].filter((bit) => (has & bit) !== 0)
  const entry = fields.length * 4
  const count =
    entry === 0
      ? Math.min(declared, MAX_UNBACKED)
      : heldEntries(reader, box, at, entry, declared, findings, '8.8.8')
  const column = (bit: number): Uint32Array | undefined => {
    const field = fields.indexOf(bit)
    if (field < 0) return undefined
    const values = new Uint32Array(count)
    for (let i = 0; i < count; i++) values[i] = reader.u32(at + i * entry + field * 4)
    return values
  }
  const durations = column(0x100)
  const sizes = column(0x200)
  const flags = column(0x400)
  const offsets = column(0x800)
  // Version 0 offsets are unsigned by the letter, but writers put negative ones there: both are read as signed.
  const compositions = offsets === undefined ? undefined : new Int32Array(offsets.buffer)
  return { count, dataOffset, firstFlags, durations, sizes, flags, compositions }
}
