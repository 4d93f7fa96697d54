import type { ByteReader } from '../../../bytes/reader.ts'
import type { Findings } from '../../../model/finding.ts'
import { type Box, bodyOf, versionOf } from '../../../syntax/iso-boxes/box.ts'
import type { BoxWriter } from '../../../syntax/iso-boxes/box-writer.ts'
import { heldEntries } from './tables.ts'

/** One entry of an edit list, ISO/IEC 14496-12:2022 §8.6.6. */
export interface Edit {
  /** In ticks of the movie's timescale; 0 means "to the end" in fragmented files. */
  readonly duration: number
  /** Composition time in the media's ticks where the edit starts, or −1 for an empty edit. */
  readonly mediaTime: number
  /** 16.16 fixed point; 0x10000 is normal speed, 0 a dwell. */
  readonly rate: number
}

export const NORMAL_RATE = 0x1_0000
/** Edits of one track; hand-cut films have hundreds. */
const MAX_EDITS = 100_000

export function parseEditList(reader: ByteReader, box: Box, findings: Findings): Edit[] {
  const wide = versionOf(reader, box) === 1
  const at = bodyOf(box) + 8
  const declared = at <= box.end ? reader.u32(at - 4) : 0
  const entry = wide ? 20 : 12
  const length = Math.min(heldEntries(reader, box, at, entry, declared, findings, '8.6.6'), MAX_EDITS)
  const edits: Edit[] = []
  for (let i = 0; i < length; i++) {
    const from = at + i * entry
    const high = reader.i32(from + 8)
    edits.push({
      duration: wide ? reader.u64(from) : reader.u32(from),
      mediaTime: wide ? high * 0x1_0000_0000 + reader.u32(from + 12) : reader.i32(from + 4),
      rate: reader.i32(from + (wide ? 16 : 8)),
    })
  }
  return edits
}

export function writeEditList(writer: BoxWriter, edits: readonly Edit[]): void {
  const wide = edits.some((edit) => edit.duration > 0xffff_ffff || edit.mediaTime > 0x7fff_ffff)
  writer.box('edts', () => {
    writer.fullBox('elst', wide ? 1 : 0, 0, () => {
      writer.u32(edits.length)
      for (const edit of edits) {
        writer.number(edit.duration, wide)
        if (wide) writer.i64(edit.mediaTime)
        else writer.i32(edit.mediaTime)
        writer.i32(edit.rate)
      }
    })
  })
}
