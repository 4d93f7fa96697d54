import { bodyOf, readBox } from '../../syntax/iso-boxes/box.ts'
import type { InputFile, Probe } from '../format.ts'
import { findUuid, UUID } from './read/uuids.ts'

/** Bytes in which Canon's boxes are looked for where the type in front is gone. */
const LOOK = 512 * 1024

/** The file type or Canon's box in `moov` is certain; its preview's box is where both are gone. */
export function probe({ reader }: InputFile): Probe {
  const first = readBox(reader, 0, reader.size)
  if (first?.type === 'ftyp' && reader.fourcc(bodyOf(first)) === 'crx ')
    return { score: 99, reasons: ['head: ftyp crx'] }
  for (const uuid of [UUID.canon, UUID.preview]) {
    const at = findUuid(reader, uuid, 0, LOOK)
    if (at >= 0) return { score: 97, reasons: [`Canon's box at ${at}`] }
  }
  return { score: 0, reasons: [] }
}
