import type { ByteReader } from '../../../bytes/reader.ts'
import type { Findings } from '../../../model/finding.ts'
import { type Box, bodyOf } from '../../../syntax/iso-boxes/box.ts'
import type { BoxWriter } from '../../../syntax/iso-boxes/box-writer.ts'
import { heldEntries } from './tables.ts'

/** Chunk offset boxes `stco` and `co64`, ISO/IEC 14496-12:2022 §8.7.5: file offsets of chunks. */
export function parseChunkOffsets(reader: ByteReader, box: Box, findings: Findings): Float64Array {
  const at = bodyOf(box) + 8
  const declared = at <= box.end ? reader.u32(at - 4) : 0
  const wide = box.type === 'co64'
  const length = heldEntries(reader, box, at, wide ? 8 : 4, declared, findings, '8.7.5')
  const offsets = new Float64Array(length)
  for (let i = 0; i < length; i++) offsets[i] = wide ? reader.u64(at + i * 8) : reader.u32(at + i * 4)
  return offsets
}

/** Writes a table of zeros to be filled in by `patchChunkOffsets`. @returns the position of its first entry. */
export function reserveChunkOffsets(writer: BoxWriter, count: number, wide: boolean): number {
  let position = 0
  writer.fullBox(wide ? 'co64' : 'stco', 0, 0, () => {
    writer.u32(count)
    position = writer.length
    writer.zeros(count * (wide ? 8 : 4))
  })
  return position
}

/** Fills in the offsets, each moved by `base`. */
export function patchChunkOffsets(
  writer: BoxWriter,
  position: number,
  offsets: Float64Array,
  base: number,
  wide: boolean,
): void {
  for (let i = 0; i < offsets.length; i++) {
    if (wide) writer.patch64(position + i * 8, offsets[i] + base)
    else writer.patch32(position + i * 4, offsets[i] + base)
  }
}
