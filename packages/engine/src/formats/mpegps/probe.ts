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
/** Score of a file that begins with such a chain, as none of another format does: no other need be asked. */
const FROM_FIRST = 95
const CERTAIN = 92
const LIKELY = 55
const SOME = 20

/** Judges by chains of packs and packets in windows from head to tail. */
export function probe({ reader }: InputFile): Probe {
  if (readItem(reader, 0)?.code === PACK && chainAt(reader, 0).length === CHAIN)
    return { score: FROM_FIRST, reasons: ['packs and packets from the first byte on'] }
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
    const chain = chainAt(reader, start)
    longest = Math.max(longest, chain.length)
    at = Math.max(at, Math.min(chain.end, end - 1))
  }
  return longest
}

/** How many items follow one on the other from `start` on, up to `CHAIN`, and where the last of them ends. */
function chainAt(reader: ByteReader, start: number): { readonly length: number; readonly end: number } {
  let length = 0
  let end = start
  for (let item = readItem(reader, end); item && length < CHAIN; item = readItem(reader, end)) {
    end += item.length
    if (end > reader.size) break
    length++
  }
  return { length, end }
}
