import type { Hole } from '../carving/assembler.ts'
import type { Numbering } from './numbering.ts'

/** Time lost right before a row of a lane. */
export interface Loss {
  readonly row: number
  /** Seconds; may be 0. */
  readonly seconds: number
  /** False when counted from the bitstream's own numbering. */
  readonly estimated: boolean
  /** The bitstream's numbers alone tell it, however they are read. */
  readonly numbered: boolean
  /** Another count of lost units is hardly less likely. */
  readonly uncertain: boolean
  readonly link: Link
  /** Pictures lost behind the key picture that began the sequence, where that one was lost too and its numbers tell. */
  readonly behindKey?: number
  readonly hole: Hole
}

/**
 * How the numbering of pictures goes on behind a hole: as the bitstream says (`told`), anew because the key picture that began a
 * sequence was lost (`anew`), or on from before the hole with so many pictures missing.
 */
export type Link = 'told' | 'anew' | number

/** Undefined where the numbering is silent. `counted`: numbers missing before a row in the sequence that it belongs to. */
export type KnownNumbers = (
  lane: number,
  row: number,
) => { readonly numbering: Numbering; readonly counted: number } | undefined
