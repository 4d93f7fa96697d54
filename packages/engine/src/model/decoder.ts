import type { DecodingFault } from './report.ts'

/** What decoding a file strictly came to. */
export type Decoded =
  | { readonly checked: true; readonly tracks: readonly DecodedTrack[] }
  /** Nothing can decode this kind of content here, or the decoder died of it: that says nothing of the file. */
  | { readonly checked: false; readonly reason: string }

export interface DecodedTrack {
  readonly kind: 'video' | 'audio' | 'text' | 'data'
  readonly codec: string
  readonly packets: number
  /** Pictures or sound frames that came out. */
  readonly frames: number
  /** Errors that a strict decoder complained of. */
  readonly errors: number
  /** Where the errors are; absent without any, or where nothing tells. */
  readonly faults?: readonly DecodingFault[]
  /** Nothing decodes this track here, or it is encrypted: its figures say nothing. */
  readonly unchecked?: true
  /** What came out first, to be compared with what the track declares. */
  readonly width?: number
  readonly height?: number
  readonly pixelFormat?: string
  readonly sampleRate?: number
  readonly channels?: number
}

/**
 * A decoder somewhere else, which settles what bytes alone do not: which of two readings decodes better, whether a file that only
 * our recognisers complain of plays in silence. The engine works without one; what it would have settled is then a doubt.
 */
export interface Decoder {
  /** Decodes the damaged file as it came. */
  decodeDamaged(): Promise<Decoded>
  /** Decodes a short file that the engine wrote, of at most `DECODER_BYTES`; `extension` without its dot tells the container. */
  decode(file: Uint8Array, extension: string): Promise<Decoded>
}

/** Longest file that is handed to a decoder: a group of pictures of the costliest camera. */
export const DECODER_BYTES = 64 * 1024 * 1024
