import type { TrackKind } from './report.ts'

/** Names of codecs as the engine uses them, whatever a container calls them. */
export type CodecName = string

/**
 * What one track carries, in terms no container owns. A format fills it from its own structures; codecs build their
 * recognisers from it.
 */
export interface TrackDescription {
  /** Number of the track within its file, as the container counts. */
  readonly id: number
  readonly kind: TrackKind
  /** `h264`, `hevc`, `aac`, `pcm`, …; unknown codecs keep the container's own code in lower case. */
  readonly codec: CodecName
  /** Ticks a second of the track's time stamps. */
  readonly timescale: number
  /** The codec's own configuration record (avcC, hvcC, AudioSpecificConfig, …), empty when it has none. */
  readonly config: Uint8Array
  /** How units are framed: `length` = NAL units behind a length, `startcode` = Annex B, `raw` = the bare unit. */
  readonly framing: 'length' | 'startcode' | 'raw'
  readonly width?: number
  readonly height?: number
  /** Hz of audio. */
  readonly sampleRate?: number
  readonly channels?: number
  /** Bytes of one PCM sample frame over all channels. */
  readonly blockAlign?: number
  /** Codec-specific facts that steer recognition, e.g. `endian`, `bitsPerSample`. */
  readonly facts?: Readonly<Record<string, number | string>>
}
