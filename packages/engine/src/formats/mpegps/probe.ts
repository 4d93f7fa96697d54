import type { ByteReader } from '../../bytes/reader.ts'
import { nextStartCode } from '../../codecs/nal/start-code.ts'
import type { InputFile, Probe } from '../format.ts'
import { PACK, readItem } from './read/item.ts'
import { hasSectors } from './sectors/find-sectors.ts'

/** Bytes looked at in each place. */
const WINDOW = 64 * 1024
const PLACES = 5
/** Items that follow one on the other by which a file is taken for one. */
const CHAIN = 6
const SHORT_CHAIN = 2
const CERTAIN = 92
const LIKELY = 55
const SOME = 20

/** Judges by chains of packs and packets in windows from head to tail. */
export function probe({ reader }: InputFile): Probe {
  let longest = 0
  for (let place = 0; place < PLACES && longest < CHAIN; place++) {
    const from = Math.floor((Math.max(0, reader.size - WINDOW) * place) / (PLACES - 1))
    longest = Math.max(longest, chainIn(reader, from, Math.min(reader.size, from + WINDOW)))
  }
  if (longest < CHAIN && longest >= SHORT_CHAIN && hasSectors(reader))
    return { score: CERTAIN, reasons: ['sectors of a Video CD with packs in them'] }
  const reasons = [`chains of up to ${longest} packs and packets`]
  const score =
    longest >= CHAIN ? CERTAIN : longest > SHORT_CHAIN ? LIKELY : longest === SHORT_CHAIN ? SOME : 0
  return { score, reasons }
}

/** The longest chain from a pack on that begins in [from, end). */
function chainIn(reader: ByteReader, from: number, end: number): number {
  let longest = 0
  let at = from
  while (longest < CHAIN) {
    const start = nextStartCode(reader, at, end)
    if (start >= end) break
    at = start + 3
    if (reader.u8(start + 3) !== PACK) continue
    let length = 0
    let next = start
    for (let item = readItem(reader, next); item && length < CHAIN; item = readItem(reader, next)) {
      next += item.length
      if (next > reader.size) break
      length++
    }
    longest = Math.max(longest, length)
    at = Math.max(at, Math.min(next, end - 1))
  }
  return longest
}
