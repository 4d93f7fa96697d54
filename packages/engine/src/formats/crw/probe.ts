import type { InputFile, Probe } from '../format.ts'
import { headlessHeap } from './find-heap.ts'
import { HEADER_BYTES, headerBytesOf, readHeap, recordOf, TAG } from './read.ts'

/** The signature is certain, and so is a heap with a raw picture that fills the file. */
export function probe({ reader }: InputFile): Probe {
  if (headerBytesOf(reader) !== undefined) return { score: 99, reasons: ['signature'] }
  const heap = readHeap(reader, HEADER_BYTES, reader.size)
  if ((heap && recordOf(heap, TAG.raw)) || headlessHeap(reader))
    return { score: 95, reasons: ['a heap with a raw picture'] }
  return { score: 0, reasons: [] }
}
