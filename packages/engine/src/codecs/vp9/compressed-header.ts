import type { BoolDecoder } from '../bool-decoder.ts'
import {
  BLOCK_KIND_PLACES,
  CONTEXTS,
  FIRST_CONTEXTS,
  PLACES,
  type Probabilities,
  placeOf,
} from './probabilities.ts'
import {
  COMP_MODE,
  COMP_REF,
  INTER_MODE,
  INTERP_FILTER,
  IS_INTER,
  MV_BITS,
  MV_CLASS,
  MV_CLASS0_BIT,
  MV_CLASS0_FRACTION,
  MV_CLASS0_HP,
  MV_FRACTION,
  MV_HP,
  MV_JOINT,
  MV_SIGN,
  PARTITION,
  SINGLE_REF,
  SKIP,
  type Symbols,
  TX_SIZES,
  Y_MODE,
} from './symbols.ts'
import type { UncompressedHeader } from './uncompressed-header.ts'

/** Probability that one of the stored probabilities stays as it is, of 256: VP9 specification v0.6 §6.3.4. */
const STAYS = 252
/** tx_mode values of §7.3.1, and the largest transform of each. */
const ALLOW_32X32 = 3
export const TX_MODE_SELECT = 4
export const LARGEST_OF_MODE = Uint8Array.of(0, 1, 2, 3, 3)
/** reference_select and reference_mode of §7.3.7. */
export const SINGLE_REFERENCE = 0
const COMPOUND_REFERENCE = 1
export const REFERENCE_MODE_SELECT = 2
/** Bits of decode_term_subexp by its range, its base, and from where on the longest takes one more: §6.3.5. */
const DELTA_BITS = [4, 4, 5, 7]
const DELTA_BASE = [0, 16, 32, 64]
const LONG_DELTA = 65

/**
 * Longer than any: it changes fewer than 2048 probabilities, each by a symbol of seven bits at most and eleven even ones of two
 * at most, and ends with the padding that `BoolDecoder.padded` allows.
 */
const MOST_BYTES = 1 << 13

/** What a compressed header says beside probabilities. */
export interface CompressedHeader {
  /** 0 to 3: transforms of up to 4x4 to 32x32; 4: each block says. */
  readonly txMode: number
  readonly referenceMode: number
}

/**
 * Reads a compressed header, §6.3, and changes `probabilities` by what it says. Undefined when it breaks its syntax or does not
 * fill the decoder's bytes but for zeros, as it must.
 */
export function readCompressedHeader(
  bools: BoolDecoder,
  header: UncompressedHeader,
  probabilities: Probabilities,
): CompressedHeader | undefined {
  if (bools.bits > 8 * MOST_BYTES || bools.bool(128) !== 0) return undefined
  const txMode = readTransforms(bools, header.lossless, probabilities)
  const { symbols } = probabilities
  readDeltas(bools, symbols, SKIP)
  const referenceMode = header.intra ? SINGLE_REFERENCE : readInter(bools, header, symbols)
  return bools.padded() ? { txMode, referenceMode } : undefined
}

/** read_tx_mode, tx_mode_probs and read_coef_probs. @returns tx_mode */
function readTransforms(bools: BoolDecoder, lossless: boolean, probabilities: Probabilities): number {
  let mode = lossless ? 0 : bools.literal(2)
  if (mode === ALLOW_32X32) mode += bools.literal(1)
  if (mode === TX_MODE_SELECT) for (const kind of TX_SIZES) readDeltas(bools, probabilities.symbols, kind)
  for (let size = 0; size <= LARGEST_OF_MODE[mode]; size++) {
    if (bools.overrun) return mode
    if (bools.literal(1) === 1) readCoefficients(bools, probabilities.coefficients, size)
  }
  return mode
}

/** read_coef_probs, §6.3.7, of one transform size. */
function readCoefficients(bools: BoolDecoder, coefficients: Uint8Array, size: number): void {
  const from = placeOf(size, 0, 0)
  const end = from + PLACES / 4
  for (let kind = from; kind < end && !bools.overrun; kind += BLOCK_KIND_PLACES) {
    readRow(bools, coefficients, 3 * kind, 3 * (kind + FIRST_CONTEXTS))
    readRow(bools, coefficients, 3 * (kind + CONTEXTS), 3 * (kind + BLOCK_KIND_PLACES))
  }
}

/** The part of frames that have references. @returns reference_mode */
function readInter(bools: BoolDecoder, header: UncompressedHeader, symbols: Uint8Array): number {
  readDeltas(bools, symbols, INTER_MODE)
  if (header.switchableFilter) readDeltas(bools, symbols, INTERP_FILTER)
  readDeltas(bools, symbols, IS_INTER)
  let mode = SINGLE_REFERENCE
  if (header.compoundAllowed && bools.literal(1) === 1)
    mode = bools.literal(1) === 1 ? REFERENCE_MODE_SELECT : COMPOUND_REFERENCE
  if (mode === REFERENCE_MODE_SELECT) readDeltas(bools, symbols, COMP_MODE)
  if (mode !== COMPOUND_REFERENCE) readDeltas(bools, symbols, SINGLE_REF)
  if (mode !== SINGLE_REFERENCE) readDeltas(bools, symbols, COMP_REF)
  readDeltas(bools, symbols, Y_MODE)
  readDeltas(bools, symbols, PARTITION)
  readVectors(bools, symbols, header.highPrecision)
  return mode
}

/** diff_update_prob, §6.3.4, of all probabilities of a kind. */
function readDeltas(bools: BoolDecoder, symbols: Uint8Array, kind: Symbols): void {
  readRow(bools, symbols, kind.at, kind.at + kind.rows * kind.nodes)
}

/** The same of those from `from` up to `end`, most of which stay as they are. */
function readRow(bools: BoolDecoder, probabilities: Uint8Array, from: number, end: number): void {
  for (let at = firstChanged(bools, from, end); at < end; at = firstChanged(bools, at + 1, end))
    readDelta(bools, probabilities, at)
}

/**
 * By range, how many that stay it takes until the range is less than half and a bit is shifted in, and the last split of these:
 * the smallest, so that all of them stay where the value is below it.
 */
const STEPS_TO_SHIFT = new Uint8Array(256)
const LAST_SPLIT = new Uint8Array(256)
for (let range = 128; range < 256; range++) {
  let split = range
  do {
    split = 1 + (((split - 1) * STAYS) >> 8)
    STEPS_TO_SHIFT[range]++
  } while (split >= 128)
  LAST_SPLIT[range] = split
}

/** Passes those that stay, as `BoolDecoder.bool` reads them. @returns the first that changes; `end` when none does */
function firstChanged(bools: BoolDecoder, from: number, end: number): number {
  let { value, spare, range } = bools
  let place = from
  for (; place < end; place++) {
    if (spare < 0) {
      value = (value << 16) | bools.nextTwo()
      spare += 16
    }
    const steps = STEPS_TO_SHIFT[range]
    if (place + steps < end && value < LAST_SPLIT[range] << spare) {
      place += steps - 1
      range = LAST_SPLIT[range] << 1
      spare--
      continue
    }
    const split = 1 + (((range - 1) * STAYS) >> 8)
    const least = split << spare
    const stays = value < least
    if (!stays) value -= least
    range = stays ? split : range - split
    const shift = Math.clz32(range) - 24
    range <<= shift
    spare -= shift
    if (!stays) break
  }
  bools.value = value
  bools.spare = spare
  bools.range = range
  return place
}

/** decode_term_subexp, §6.3.5, of a probability that changes. */
function readDelta(bools: BoolDecoder, probabilities: Uint8Array, at: number): void {
  let range = 0
  while (range < 3 && bools.literal(1) === 1) range++
  let value = bools.literal(DELTA_BITS[range])
  if (range === 3 && value >= LONG_DELTA) value = 2 * value - LONG_DELTA + bools.literal(1)
  probabilities[at] = changed(value + DELTA_BASE[range], probabilities[at])
}

/** inv_map_table, §10.3: first twenty changes far apart, then all others in order. */
const CHANGES = new Uint8Array(255)
const FAR_CHANGES = 20
for (let i = 0; i < FAR_CHANGES; i++) CHANGES[i] = 7 + 13 * i
for (let i = FAR_CHANGES, change = 1; i < CHANGES.length; i++, change++) {
  if (change % 13 === 7) change++
  CHANGES[i] = Math.min(253, change)
}

/** inv_remap_prob, §6.3.6. */
function changed(delta: number, probability: number): number {
  const change = CHANGES[delta]
  const from = probability - 1
  return 2 * from <= 255 ? 1 + recentred(change, from) : 255 - recentred(change, 254 - from)
}

/** inv_recenter_nonneg, §6.3.6. */
function recentred(change: number, centre: number): number {
  if (change > 2 * centre) return change
  return (change & 1) === 1 ? centre - ((change + 1) >> 1) : centre + (change >> 1)
}

/** mv_probs, §6.3.18. */
function readVectors(bools: BoolDecoder, symbols: Uint8Array, highPrecision: boolean): void {
  readVectorKind(bools, symbols, MV_JOINT, 0, 1)
  for (const direction of [0, 1])
    for (const kind of [MV_SIGN, MV_CLASS, MV_CLASS0_BIT, MV_BITS])
      readVectorKind(bools, symbols, kind, direction, 2)
  for (const direction of [0, 1])
    for (const kind of [MV_CLASS0_FRACTION, MV_FRACTION]) readVectorKind(bools, symbols, kind, direction, 2)
  if (!highPrecision) return
  for (const direction of [0, 1])
    for (const kind of [MV_CLASS0_HP, MV_HP]) readVectorKind(bools, symbols, kind, direction, 2)
}

/** update_mv_prob, §6.3.19, of a kind's probabilities for one of `directions`. */
function readVectorKind(
  bools: BoolDecoder,
  symbols: Uint8Array,
  kind: Symbols,
  direction: number,
  directions: number,
): void {
  const count = (kind.rows * kind.nodes) / directions
  const from = kind.at + direction * count
  for (let at = from; at < from + count; at++)
    if (bools.bool(STAYS) === 1) symbols[at] = (bools.literal(7) << 1) | 1
}
