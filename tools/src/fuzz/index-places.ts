import { topBoxes } from './top-boxes.ts'

/** Bytes [start, end) of a healthy file. */
export interface Place {
  readonly start: number
  readonly end: number
}

/** Share of a file at either end, and most bytes of it, in which containers keep what tells of the rest. */
const END_SHARE = 0.1
const END_BYTES = 4096

/** Where a healthy file keeps its index: the movie and its fragments in ISO media, both ends of everything else. */
export function indexPlaces(bytes: Uint8Array): readonly Place[] {
  const boxes = topBoxes(bytes).filter(({ type }) => type === 'moov' || type === 'moof')
  if (boxes.length > 0) return boxes
  const length = Math.min(END_BYTES, Math.ceil(bytes.length * END_SHARE))
  return [
    { start: 0, end: length },
    { start: bytes.length - length, end: bytes.length },
  ]
}
