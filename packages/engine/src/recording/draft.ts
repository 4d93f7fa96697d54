import type { Look } from '../codecs/nal/look.ts'
import type { TrackKind } from '../model/report.ts'
import type { CodecName, TrackDescription } from '../model/track.ts'
import type { CameraProfile } from './cameras/camera-profile.ts'

/** How the units of a track are coded, in no container's words. */
export interface Coding {
  readonly codec: CodecName
  /** The codec's own configuration record (avcC, hvcC, AudioSpecificConfig, …), empty when it has none. */
  readonly config: Uint8Array
  /** Four characters by which a kind of the codec is known where its name says too little: `apcn` of ProRes, `dvcp` of DV. */
  readonly variant?: string
  /** What the bitstream says of its pictures' shape and colours. */
  readonly look?: Look | undefined
  readonly channels?: number
  /** Hz. */
  readonly sampleRate?: number
  /** Bits of one sample of one channel. */
  readonly bits?: number
  /** Layout of PCM: `endian`, `bitsPerSample`, `float`, `signed`. */
  readonly facts?: Readonly<Record<string, number | string>>
}

/** Bytes of a track or a recording that only one family of containers understands: its writer puts them back as they are. */
export interface Verbatim {
  readonly family: string
}

/** A track as it is supposed to be: what an index would say of it, without samples. */
export interface DraftTrack {
  /** Track id; tracks are numbered from 1 when absent. */
  readonly id?: number
  readonly kind: TrackKind
  /** Ticks a second. */
  readonly timescale: number
  /** Ticks of one coded unit (PCM: of one sample frame), 0 when unknown. */
  readonly unit: number
  /** Absent where `verbatim` tells. */
  readonly coding?: Coding
  /** Size of presentation in pixels. */
  readonly width?: number
  readonly height?: number
  /** Bytes of every sample, where all have the same (PCM: of one sample frame). */
  readonly constantBytes?: number
  /** It is shown from its first picture on, whatever the times at which pictures are decoded. */
  readonly fromFirstPicture?: true
  readonly verbatim?: Verbatim
}

/** A recording without samples. */
export interface Draft {
  readonly tracks: readonly DraftTrack[]
  readonly verbatim?: Verbatim
}

/** What a family of containers makes of drafts. */
export interface DraftFamily {
  /** The tracks as the family's own reader would describe them, once written; undefined when they make no recording of it. */
  describe(draft: Draft): readonly TrackDescription[] | undefined
  /** What is known of a camera as a recording without samples. */
  fromProfile(profile: CameraProfile): Draft
  /** A track with its pictures coded as another's: what else `own` says of them is kept as far as it holds for them. */
  withPictures(own: DraftTrack, found: DraftTrack): DraftTrack
}

/** The family's description of one track; undefined when it makes none. */
export function describeDraft(family: DraftFamily, track: DraftTrack): TrackDescription | undefined {
  return family.describe({ tracks: [track] })?.[0]
}
