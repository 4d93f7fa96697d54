/** A Huffman table as it is written: how many codes there are of each length from 1 to 16 bits, and their symbols in order. */
export interface HuffmanSpec {
  /** 0 for DC, 1 for AC. */
  readonly kind: 0 | 1
  readonly id: number
  readonly counts: Uint8Array
  readonly symbols: Uint8Array
}

const LENGTHS = 16
const MAX_SYMBOLS = 256

/**
 * Tables of a DHT body, ITU-T T.81 §B.2.4.2: none of an empty one, which some encoders write between scans. Undefined when it is
 * not one: too many codes for their lengths, or a body that does not end with a table.
 */
export function readHuffman(body: Uint8Array): HuffmanSpec[] | undefined {
  const specs: HuffmanSpec[] = []
  let at = 0
  while (at < body.length) {
    const kind = body[at] >> 4
    const id = body[at] & 15
    if (kind > 1 || id > 3 || at + 1 + LENGTHS > body.length) return undefined
    const counts = body.slice(at + 1, at + 1 + LENGTHS)
    const total = counts.reduce((sum, count) => sum + count, 0)
    at += 1 + LENGTHS
    if (total === 0 || total > MAX_SYMBOLS || at + total > body.length || !fits(counts)) return undefined
    specs.push({ kind: kind === 0 ? 0 : 1, id, counts, symbols: body.slice(at, at + total) })
    at += total
  }
  return specs
}

/** Whether the code lengths leave room for each other, T.81 Annex C. */
function fits(counts: Uint8Array): boolean {
  let room = 1
  for (const count of counts) {
    room = room * 2 - count
    if (room < 0) return false
  }
  return true
}

/** The body of a DHT segment that holds `specs`. */
export function writeHuffman(specs: readonly HuffmanSpec[]): Uint8Array {
  return Uint8Array.from(
    specs.flatMap(({ kind, id, counts, symbols }) => [(kind << 4) | id, ...counts, ...symbols]),
  )
}
