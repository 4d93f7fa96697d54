import type { InputFile, Probe } from '../format.ts'
import { lookedAt } from '../looked-at.ts'
import { packetDistance } from './read/grid.ts'
import { GUID, guidAt, INDEXES } from './read/guids.ts'

/** Bytes looked at at head, middle and tail, each. */
const WINDOW = 128 * 1024

/** Judges whether a file is ASF: by its header, or by packets that lie in a row at head, middle or tail. */
export function probe({ reader }: InputFile): Probe {
  const first = guidAt(reader, 0)
  if (first === GUID.header) return { score: 98, reasons: ['head: a header object'] }
  if (first === GUID.data || INDEXES.has(first))
    return { score: 90, reasons: ['head: a data or index object'] }
  for (const { place, from } of lookedAt(reader.size, WINDOW, ['head', 'tail', 'middle'])) {
    const size = packetDistance(reader, from, from + WINDOW)
    if (size > 0) return { score: 85, reasons: [`${place}: packets of ${size} bytes`] }
  }
  return { score: 0, reasons: ['no header and no row of packets'] }
}
