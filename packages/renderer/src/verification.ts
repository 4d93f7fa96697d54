/** What a stream carries. */
export type StreamKind = 'video' | 'audio' | 'text' | 'data'

/** A stretch of a track that does not decode as it should, in seconds after the track's first frame, end exclusive. */
export interface Fault {
  readonly start: number
  readonly end: number
  /** Pictures or sound frames in it. */
  readonly units: number
  /** No decoder complains, but the pictures look as if they were hit. */
  readonly likely?: true
}

export interface TrackVerification {
  readonly kind: StreamKind
  /** The library's name of the codec, e.g. `h264`, `pcm_s16le`. */
  readonly codec: string
  readonly packets: number
  /** Pictures or sound frames that came out of the decoder; 0 for tracks that are not decoded. */
  readonly frames: number
  /** Packets refused or marked corrupt, and frames that came out concealed. */
  readonly errors: number
  /**
   * Pictures or sound that could not be decoded here, whatever they are like: there is no decoder for them, or they are
   * encrypted.
   */
  readonly unchecked?: true
  /** Seconds from the first frame's start to the last one's end, where frames came out. */
  readonly duration?: number
  /** Where the errors are, in order of time; absent without any. Very many are joined. */
  readonly faults?: readonly Fault[]
  /** What most frames that came out are like, for pictures and for sound. */
  readonly width?: number
  readonly height?: number
  /** The library's name, e.g. `yuv420p`. */
  readonly pixelFormat?: string
  readonly sampleRate?: number
  readonly channels?: number
  /** What the container declares instead, where that is something else. */
  readonly declared?: string
}

/**
 * Figures of a decoding check; the same shape as the engine report's `verification`, which this package does not
 * import so that it can be replaced without it.
 */
export interface Verification {
  /** Why decoding says nothing of the file, where it does not: its decoder broke off, or nothing in it can be decoded here. */
  readonly unchecked?: string
  /** Every coded track that has packets gives at least one frame, there is one, and the demuxer read to the end. */
  readonly decodable: boolean
  /** Seconds from the first frame's start to the last one's end over all decoded tracks. */
  readonly duration: number
  readonly tracks: readonly TrackVerification[]
}
