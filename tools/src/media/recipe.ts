import type { AudioSpec, VideoSpec } from './spec.ts'

/** A kind of recording without its length, size and content. */
export interface Recipe {
  readonly container: string
  readonly extension: string
  readonly muxer?: Readonly<Record<string, string | number>>
  readonly video?: Omit<VideoSpec, 'content'>
  readonly audio?: readonly Omit<AudioSpec, 'content'>[]
  readonly rate?: string
  readonly timecode?: string
  /** Codecs bound to certain picture sizes. */
  readonly size?: { readonly width: number; readonly height: number }
  /** What this recipe is there to test. */
  readonly about: string
}

/** Encoder settings that recordings share. */
export const X264 = { preset: 'veryfast', crf: 23 } as const
export const X265 = { preset: 'veryfast', crf: 26 } as const
export const AAC = { codec: 'aac', options: { b: 128_000 } } as const
/** Seconds of a chunk of PCM, as cameras write them. */
export const HALF_SECOND = 0.5
/** The library's quality scale counts in steps of 118. */
export const QUALITY_FIVE = 5 * 118
