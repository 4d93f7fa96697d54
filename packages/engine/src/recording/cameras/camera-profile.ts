import type { TrackKind } from '../../model/report.ts'
import type { Interleave, LanePrior } from '../../recovery/learning/learn.ts'

/**
 * What is known of a camera's recordings: codec configuration, track layout, interleave. Facts, no media. One file each, made
 * from any healthy recording by `mendframe profile`. Bytes are written in hexadecimal.
 */
export interface CameraProfile {
  /** Short and plain, as reports show it. */
  readonly name: string
  /** Bytes that only this camera's media data holds near its beginning: the profile is tried where all of them stand. */
  readonly marks: readonly string[]
  /** What only ISO media knows of it. */
  readonly isobmff: {
    /** The `ftyp` box, empty when the camera writes none. */
    readonly fileType: string
    /** Ticks a second of the movie. */
    readonly timescale: number
  }
  readonly tracks: readonly ProfileTrack[]
  readonly layout: ProfileLayout
}

/** One track of a camera. */
export interface ProfileTrack {
  /** Codec, size, rate, for readers. */
  readonly about: string
  readonly id: number
  readonly kind: TrackKind
  readonly timescale: number
  readonly width: number
  readonly height: number
  /** Bytes of every sample where all have the same (PCM: of one sample frame). */
  readonly constantBytes?: number
  readonly habits: Omit<LanePrior, 'prefix'> & { readonly prefix: string }
  readonly isobmff: IsoTrack
}

/** What only ISO media knows of a track. */
export interface IsoTrack {
  /** Handler type: `vide`, `soun`, `meta`, … */
  readonly handler: string
  /** The sample entry with its codec configuration. */
  readonly entry: string
  /** Boxes of `minf` but `dinf` and `stbl`. */
  readonly information: readonly string[]
  /** The `hdlr` box. */
  readonly handlerBox: string
  /** References between tracks and the like. */
  readonly trackBoxes: readonly string[]
  /** Edit list: ticks of the movie, start in ticks of the track. */
  readonly edits: readonly { readonly duration: number; readonly mediaTime: number; readonly rate: number }[]
}

/** How a camera interleaves its tracks; see `Interleave`. */
export type ProfileLayout = Omit<Interleave, 'lanes' | 'lag'> & { readonly lag?: Interleave['lag'] }

/** The camera's habits in the form that recovery works with. */
export function interleaveOf(profile: CameraProfile): Interleave {
  const { lag, ...layout } = profile.layout
  return {
    ...layout,
    lag,
    lanes: profile.tracks.map(({ habits }) => ({ ...habits, prefix: bytesOf(habits.prefix) })),
  }
}

export function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from({ length: hex.length / 2 }, (_, i) =>
    Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16),
  )
}

export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
