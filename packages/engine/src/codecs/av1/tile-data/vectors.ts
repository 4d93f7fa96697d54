import type { InterFrame } from '../headers/inter-frame.ts'
import * as kinds from '../symbols/inter-symbols.ts'
import type { SymbolDecoder } from '../symbols/symbol-decoder.ts'

/** How exactly vectors of a frame are coded: in whole samples, or in eighths. */
type Exactness = Pick<InterFrame, 'integer' | 'precise'>

/**
 * read_mv, AV1 specification (2019-01-08) §5.11.31: adds what is coded to the vector at `at`: its row, then its column, in
 * eighths of a sample.
 */
export function addVector(decoder: SymbolDecoder, frame: Exactness, vectors: Int32Array, at: number): void {
  const joint = decoder.symbol(kinds.VECTOR_JOINT.at, 4)
  if (joint >= 2) vectors[at] += readPart(decoder, frame, 0)
  if (joint % 2 === 1) vectors[at + 1] += readPart(decoder, frame, 1)
}

/** read_mv_component. */
function readPart(decoder: SymbolDecoder, { integer, precise }: Exactness, way: number): number {
  const sign = decoder.symbol(kinds.VECTOR_SIGN.at + 2 * way, 2)
  const kind = decoder.symbol(kinds.VECTOR_CLASS.at + 11 * way, 11)
  let whole = 0
  let size = 0
  if (kind === 0) whole = decoder.symbol(kinds.VECTOR_CLASS0_BIT.at + 2 * way, 2)
  else {
    for (let i = 0; i < kind; i++) whole |= decoder.symbol(kinds.VECTOR_BIT.at + 2 * (10 * way + i), 2) << i
    size = 2 << (kind + 2)
  }
  const fractions =
    kind === 0 ? kinds.VECTOR_CLASS0_FRACTION.at + 4 * (2 * way + whole) : kinds.VECTOR_FRACTION.at + 4 * way
  const fraction = integer ? 3 : decoder.symbol(fractions, 4)
  const last = kind === 0 ? kinds.VECTOR_CLASS0_PRECISE.at : kinds.VECTOR_PRECISE.at
  const eighth = precise ? decoder.symbol(last + 2 * way, 2) : 1
  size += ((whole << 3) | (fraction << 1) | eighth) + 1
  return sign === 1 ? -size : size
}
