import type { BitReader } from '../../bytes/bit-reader.ts'

/**
 * A short-term reference picture set, ITU-T H.265 (08/2021) §7.3.7: display order differences, and which the picture itself uses.
 */
export interface RefPicSet {
  readonly deltas: readonly number[]
  readonly used: readonly boolean[]
}

/** Pictures of the decoded picture buffer, at most. */
const MAX_PICTURES = 16

export const EMPTY_SET: RefPicSet = { deltas: [], used: [] }

/**
 * Reads set number `index` of `sets`; in slice headers `index` equals the number of sets. Undefined when the syntax is
 * broken.
 */
export function readRefPicSet(
  bits: BitReader,
  index: number,
  sets: readonly RefPicSet[],
  inSlice: boolean,
): RefPicSet | undefined {
  if (index > 0 && bits.bit() === 1) return readPredicted(bits, index, sets, inSlice)
  const negative = bits.ue()
  const positive = bits.ue()
  if (negative + positive > MAX_PICTURES) return undefined
  const deltas: number[] = []
  const used: boolean[] = []
  let delta = 0
  for (let i = 0; i < negative; i++) {
    delta -= bits.ue() + 1
    deltas.push(delta)
    used.push(bits.bit() === 1)
  }
  delta = 0
  for (let i = 0; i < positive; i++) {
    delta += bits.ue() + 1
    deltas.push(delta)
    used.push(bits.bit() === 1)
  }
  return bits.overrun ? undefined : { deltas, used }
}

/** §7.4.8, equations 7-61 and 7-62. Sets hold negative differences by falling order, then positive ones by rising order. */
function readPredicted(
  bits: BitReader,
  index: number,
  sets: readonly RefPicSet[],
  inSlice: boolean,
): RefPicSet | undefined {
  const back = inSlice ? bits.ue() + 1 : 1
  const source = sets[index - back]
  const negative = bits.bit() === 1
  const size = bits.ue() + 1
  if (!source || size > 32_768) return undefined
  const shift = negative ? -size : size
  const kept: { delta: number; used: boolean }[] = []
  for (let i = 0; i <= source.deltas.length; i++) {
    const used = bits.bit() === 1
    const keep = used || bits.bit() === 1
    const delta = (i < source.deltas.length ? source.deltas[i] : 0) + shift
    if (keep && delta !== 0) kept.push({ delta, used })
  }
  if (bits.overrun || kept.length > MAX_PICTURES) return undefined
  const below = kept.filter((picture) => picture.delta < 0).sort((a, b) => b.delta - a.delta)
  const above = kept.filter((picture) => picture.delta > 0).sort((a, b) => a.delta - b.delta)
  const all = [...below, ...above]
  return { deltas: all.map((picture) => picture.delta), used: all.map((picture) => picture.used) }
}
