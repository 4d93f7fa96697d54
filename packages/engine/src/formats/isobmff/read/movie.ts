import type { SampleTable } from '../../../model/sample-table.ts'
import type { TrackDescription } from '../../../model/track.ts'
import type { Box } from '../../../syntax/iso-boxes/box.ts'
import type { CompositionOffsets } from '../boxes/ctts.ts'
import type { Edit } from '../boxes/elst.ts'
import type { MediaHeader } from '../boxes/mdhd.ts'
import type { TrackExtends } from '../boxes/mvex.ts'
import type { MovieHeader } from '../boxes/mvhd.ts'
import type { SampleKeys } from '../boxes/sample-encryption.ts'
import type { SampleToChunk } from '../boxes/stsc.ts'
import type { SampleEntry } from '../boxes/stsd.ts'
import type { SampleSizes } from '../boxes/stsz.ts'
import type { Runs } from '../boxes/tables.ts'
import type { TrackHeader } from '../boxes/tkhd.ts'
import type { Protection } from './protection.ts'

/** The tables of a sample table box as they stand, each absent when its box is. */
export interface TrackTables {
  readonly durations?: Runs
  /**
   * Durations of single samples were mended by their sum alone, which other samples' durations would make up as well; or nothing
   * proves the clock of a track in fragments.
   */
  readonly durationsGuessed?: true
  /**
   * The time scale of the media was mended by guess, or may have been hit: how many ticks pass between pictures says nothing of
   * it.
   */
  readonly scaleGuessed?: true
  /** Sizes of several samples of one chunk were mended, and nothing in them tells where one ends. */
  readonly sizesGuessed?: true
  /** Composition offsets were mended in one of several ways. */
  readonly orderGuessed?: true
  /**
   * Ticks that fragments of the track last as a rule, where they do not say when they start: what missing ones lasted is guessed
   * by it.
   */
  readonly fragmentTicks?: number
  readonly compositions?: CompositionOffsets
  readonly sync?: Uint32Array
  /** The numbers of key pictures were none: the pictures tell which they are. */
  readonly syncLost?: true
  readonly partialSync?: Uint32Array
  readonly sizes?: SampleSizes
  readonly sampleToChunk?: SampleToChunk
  readonly chunkOffsets?: Float64Array
}

/**
 * How rows of a track's table relate to the samples its boxes count. `samples`: a row is a sample. `runs`: a row is a
 * chunk of equal units (PCM frames, fixed packets), because one row a PCM frame would be 48,000 rows a second.
 */
export type RowLayout =
  | { readonly rows: 'samples' }
  | {
      readonly rows: 'runs'
      /** Bytes of one unit, as `SampleTable.count` counts them. */
      readonly unitBytes: number
      /** Samples the container counts for one unit: 1 for PCM, 64 for IMA 4:1. */
      readonly unitSamples: number
      /** The constant of `stsz`; old QuickTime files put 1 there whatever the unit. */
      readonly sizeField: number
    }

/** A fact of a track beside its samples, named for the box that tells it; `boxes` are further ones of `trak`. */
export type TrackFact = 'tkhd' | 'mdhd' | 'hdlr' | 'minf' | 'elst' | 'boxes'

/** One track: what all containers share, and every fact of this container that a writer needs. */
export interface MovieTrack {
  readonly description: TrackDescription
  readonly handlerType: string
  readonly header: TrackHeader
  readonly mediaHeader: MediaHeader
  /** The media's `hdlr` box verbatim. */
  readonly handler: Uint8Array
  /** The `stsd` box verbatim; empty when it was lost. */
  readonly sampleDescription: Uint8Array
  readonly entries: readonly SampleEntry[]
  /** Boxes of `minf` but `stbl` and `dinf` (vmhd, smhd, gmhd, nmhd, hdlr), verbatim; empty when they were damaged. */
  readonly information: readonly Uint8Array[]
  /** Boxes of `trak` but tkhd, edts, mdia (tref, udta, meta, tapt, load, …), verbatim. */
  readonly trackBoxes: readonly Uint8Array[]
  /** Boxes of `stbl` that number samples (sgpd, sbgp, sdtp, subs, cslg): valid only while no sample is added or removed. */
  readonly groupBoxes: readonly Uint8Array[]
  /** Undefined when the track has no edit list. */
  readonly edits: readonly Edit[] | undefined
  readonly tables: TrackTables
  readonly layout: RowLayout
  /** Every sample the index has, in decoding order with its times; offsets as the index says, checked by nobody. */
  readonly samples: SampleTable
  /** Number from 1 of each row's sample entry; undefined when all rows have the first. */
  readonly descriptions: Uint16Array | undefined
  /** Media data lies in other files (QuickTime reference movies). */
  readonly external: boolean
  /** Defaults for fragments. */
  readonly extends: TrackExtends | undefined
  /** Present when the samples are encrypted. */
  readonly protection: Protection | undefined
  /** What each sample needs beside it to be decrypted; by sample. */
  readonly keys: SampleKeys | undefined
  /** False when boxes of the track were missing, cut or of impossible size. */
  readonly whole: boolean
  /** Facts that damage took and a plain value stands for. */
  readonly lost: ReadonlySet<TrackFact>
}

/** A movie box, read. */
export interface Movie {
  /** The `ftyp` box verbatim; undefined when the file has none. */
  readonly fileType: Uint8Array | undefined
  readonly header: MovieHeader
  /** The header was lost and a plain one stands for it. */
  readonly headerLost: boolean
  readonly tracks: readonly MovieTrack[]
  /** Boxes of `moov` but mvhd, trak, mvex (udta, meta, iods, …), verbatim. */
  readonly boxes: readonly Uint8Array[]
  /** Where it was read from. */
  readonly box: Box
  /** True when it announces fragments (`mvex`). */
  readonly fragmented: boolean
  /** Ids of the tracks that it has defaults for in fragments (`trex`). */
  readonly extended: readonly number[]
  /** Track boxes of which nothing could be read. */
  readonly unread: number
  /** False when any structure in it was damaged. */
  readonly whole: boolean
}
