import type { InputFile, Probe } from '../format.ts'
import { beginsAsAvi } from './read/header.ts'
import { Places } from './read/places.ts'

const CERTAIN = 100
/** Chunk headers that lead from one to the next, and what so many of them are worth. */
const CHAINED = 3
const CHAIN_SCORE = 70
/** Bytes searched at head, a quarter, the middle and three quarters of a file. */
const WINDOW = 96 * 1024

/** Names an AVI file by its first bytes, else by data chunks that lead from one to the next. */
export function probe({ reader }: InputFile): Probe {
  if (beginsAsAvi(reader)) return { score: CERTAIN, reasons: ['head: RIFF of type AVI'] }
  const places = new Places(reader)
  for (const share of [0, 0.25, 0.5, 0.75]) {
    const from = Math.floor(reader.size * share)
    const until = Math.min(reader.size, from + WINDOW)
    const at = places.search(from, until)
    if (at < until && chain(reader.size, places, (offset) => reader.u32le(offset), at) >= CHAINED)
      return { score: CHAIN_SCORE, reasons: [`at ${at}: chunks of streams in a row`] }
  }
  return { score: 0, reasons: ['neither a head nor chunks of streams'] }
}

/** How many chunks of data follow each other from `at` on. */
function chain(size: number, places: Places, u32le: (offset: number) => number, at: number): number {
  let count = 0
  for (let next = at; next >= 0 && next < size && count < CHAINED; count++) {
    if (places.at(next) !== 'data') break
    next = places.behind(next + 8 + u32le(next + 4))
  }
  return count
}
