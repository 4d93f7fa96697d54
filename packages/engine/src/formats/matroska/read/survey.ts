import type { Element } from '../../../syntax/ebml/element.ts'
import type { BlockTable } from './block-table.ts'
import type { Info } from './info.ts'
import type { MatroskaTrack } from './track.ts'

/** A Cluster, or blocks behind a gap in one or whose own header is gone. */
export interface Run {
  /** Offset of the Cluster's header, or of the first block of a run without one. */
  readonly offset: number
  readonly headed: boolean
  /** Offset of its data. */
  readonly body: number
  /** Bytes its header says, `UNKNOWN_SIZE`; of no meaning without one. */
  readonly size: number
  /** Ticks, undefined where nothing in the run says it. */
  time: number | undefined
  /** The sum it carries, and the offset from which it holds; -1 for none. */
  sum: number
  sumFrom: number
  firstRow: number
  endRow: number
  /** Index of the gap in front of it, -1 for none. */
  readonly gap: number
  /** Offset behind its last element. */
  end: number
  /** Its bytes are known to be altered. */
  altered: boolean
}

/** Bytes that belong to no element that could be read. */
export interface Gap {
  readonly offset: number
  length: number
  /** Blocks that may be whole begin in it, but nothing shows it. */
  candidates: number
}

/** A child of the Segment other than a Cluster, or an EBML header. */
export interface TopElement extends Element {
  /** Its children fill it. */
  readonly filled: boolean
  /** They do, and its sum, where it has one, holds. */
  readonly whole: boolean
}

/** What a walk over a file found. */
export interface Survey {
  readonly size: number
  readonly docType: string | undefined
  /** The first Segment; `end` is undefined where its size is unknown. */
  readonly segment:
    | { readonly offset: number; readonly body: number; readonly end: number | undefined }
    | undefined
  readonly elements: readonly TopElement[]
  readonly info: Info | undefined
  readonly tracks: readonly MatroskaTrack[]
  /** All of Tracks could be read. */
  readonly tracksWhole: boolean
  readonly runs: readonly Run[]
  readonly blocks: BlockTable
  readonly gaps: readonly Gap[]
  /** Where the element begins that the end of the file cuts off. */
  readonly cutAt: number | undefined
  /** Offset of a further recording behind this one. */
  readonly further: number | undefined
}
