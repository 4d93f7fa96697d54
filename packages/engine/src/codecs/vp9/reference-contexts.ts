import { type Blocks, INTRA_FRAME } from './blocks.ts'

/**
 * Contexts of the symbols that name references, by the blocks above and to the left (-1 where there is none): VP9 specification
 * v0.6 §9.3.2.
 */

const LAST = 1
const GOLDEN = 2
const ALTREF = 3

/** CompFixedRef and CompVarRef, §7.3.7. */
export interface CompoundReferences {
  readonly fixed: number
  readonly variable: readonly [number, number]
  /** Which of a block's two references the fixed one is. */
  readonly fixedIndex: number
}

/** setup_compound_reference_mode, by the sign biases of the references 1 to 3. */
export function compoundReferences(signBias: readonly number[]): CompoundReferences {
  const fixed =
    signBias[LAST] === signBias[GOLDEN] ? ALTREF : signBias[LAST] === signBias[ALTREF] ? GOLDEN : LAST
  const [a, b] = [LAST, GOLDEN, ALTREF].filter((reference) => reference !== fixed)
  return { fixed, variable: [a, b], fixedIndex: signBias[fixed] }
}

/** Of comp_mode. */
export function compoundModeContext(blocks: Blocks, above: number, left: number, fixed: number): number {
  const { first, second } = blocks
  if (above < 0 && left < 0) return 1
  if (above < 0 || left < 0) {
    const edge = Math.max(above, left)
    return second[edge] > INTRA_FRAME ? 3 : Number(first[edge] === fixed)
  }
  const both = [above, left].filter((edge) => second[edge] > INTRA_FRAME).length
  if (both === 2) return 4
  if (both === 0) return Number(first[above] === fixed) ^ Number(first[left] === fixed)
  const single = second[above] > INTRA_FRAME ? left : above
  return 2 + Number(first[single] === fixed || first[single] === INTRA_FRAME)
}

/** Of comp_ref. */
export function compoundReferenceContext(
  blocks: Blocks,
  above: number,
  left: number,
  { fixed, variable, fixedIndex }: CompoundReferences,
): number {
  const { first, second } = blocks
  const [var0, var1] = variable
  /** The one reference of a block, or the one of two that varies. */
  const varying = (edge: number): number =>
    second[edge] > INTRA_FRAME && fixedIndex === 0 ? second[edge] : first[edge]
  if (above < 0 && left < 0) return 2
  if (above < 0 || left < 0) {
    const edge = Math.max(above, left)
    if (first[edge] === INTRA_FRAME) return 2
    return (second[edge] > INTRA_FRAME ? 4 : 3) * Number(varying(edge) !== var1)
  }
  const aboveIntra = first[above] === INTRA_FRAME
  const leftIntra = first[left] === INTRA_FRAME
  if (aboveIntra && leftIntra) return 2
  if (aboveIntra || leftIntra) return 1 + 2 * Number(varying(aboveIntra ? left : above) !== var1)
  const ofAbove = varying(above)
  const ofLeft = varying(left)
  if (ofAbove === ofLeft && ofAbove === var1) return 0
  const aboveSingle = second[above] <= INTRA_FRAME
  const leftSingle = second[left] <= INTRA_FRAME
  if (aboveSingle && leftSingle) {
    if ((ofAbove === fixed && ofLeft === var0) || (ofLeft === fixed && ofAbove === var0)) return 4
    return ofAbove === ofLeft ? 3 : 1
  }
  if (aboveSingle || leftSingle) {
    const [compound, single] = leftSingle ? [ofAbove, ofLeft] : [ofLeft, ofAbove]
    if (compound === var1 && single !== var1) return 1
    return single === var1 && compound !== var1 ? 2 : 4
  }
  return ofAbove === ofLeft ? 4 : 2
}

/** Of single_ref_p1. */
export function firstReferenceContext(blocks: Blocks, above: number, left: number): number {
  const { first, second } = blocks
  if (above < 0 && left < 0) return 2
  const aboveIntra = above < 0 || first[above] === INTRA_FRAME
  const leftIntra = left < 0 || first[left] === INTRA_FRAME
  if (aboveIntra && leftIntra) return 2
  if (aboveIntra || leftIntra) {
    const edge = aboveIntra ? left : above
    if (second[edge] <= INTRA_FRAME) return 4 * Number(first[edge] === LAST)
    return 1 + Number(first[edge] === LAST || second[edge] === LAST)
  }
  const aboveCompound = second[above] > INTRA_FRAME
  const leftCompound = second[left] > INTRA_FRAME
  const [above0, above1, left0, left1] = [first[above], second[above], first[left], second[left]]
  if (aboveCompound && leftCompound)
    return 1 + Number(above0 === LAST || above1 === LAST || left0 === LAST || left1 === LAST)
  if (aboveCompound || leftCompound) {
    const single = aboveCompound ? left0 : above0
    const [compound0, compound1] = aboveCompound ? [above0, above1] : [left0, left1]
    return (single === LAST ? 3 : 0) + Number(compound0 === LAST || compound1 === LAST)
  }
  return 2 * Number(above0 === LAST) + 2 * Number(left0 === LAST)
}

/** Of single_ref_p2. */
export function secondReferenceContext(blocks: Blocks, above: number, left: number): number {
  const { first, second } = blocks
  if (above < 0 && left < 0) return 2
  if (above < 0 || left < 0) {
    const edge = Math.max(above, left)
    const compound = second[edge] > INTRA_FRAME
    if (first[edge] === INTRA_FRAME || (first[edge] === LAST && !compound)) return 2
    if (!compound) return 4 * Number(first[edge] === GOLDEN)
    return 3 * Number(first[edge] === GOLDEN || second[edge] === GOLDEN)
  }
  const aboveIntra = first[above] === INTRA_FRAME
  const leftIntra = first[left] === INTRA_FRAME
  if (aboveIntra && leftIntra) return 2
  if (aboveIntra || leftIntra) {
    const edge = aboveIntra ? left : above
    if (second[edge] <= INTRA_FRAME) return first[edge] === LAST ? 3 : 4 * Number(first[edge] === GOLDEN)
    return 1 + 2 * Number(first[edge] === GOLDEN || second[edge] === GOLDEN)
  }
  const aboveCompound = second[above] > INTRA_FRAME
  const leftCompound = second[left] > INTRA_FRAME
  const [above0, above1, left0, left1] = [first[above], second[above], first[left], second[left]]
  if (aboveCompound && leftCompound) {
    if (above0 !== left0 || above1 !== left1) return 2
    return 3 * Number(above0 === GOLDEN || above1 === GOLDEN)
  }
  if (aboveCompound || leftCompound) {
    const single = aboveCompound ? left0 : above0
    const [compound0, compound1] = aboveCompound ? [above0, above1] : [left0, left1]
    const golden = Number(compound0 === GOLDEN || compound1 === GOLDEN)
    if (single === GOLDEN) return 3 + golden
    return single === ALTREF ? golden : 1 + 2 * golden
  }
  if (above0 === LAST && left0 === LAST) return 3
  if (above0 === LAST || left0 === LAST) return 4 * Number((above0 === LAST ? left0 : above0) === GOLDEN)
  return 2 * Number(above0 === GOLDEN) + 2 * Number(left0 === GOLDEN)
}
