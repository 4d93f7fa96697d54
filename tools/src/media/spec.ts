/** What the pictures show. `busy` costs many bits a picture, `calm` few; `scenes` cuts between both; `fractal` is in between. */
export type VideoContent = 'busy' | 'calm' | 'scenes' | 'fractal'
/** What the sound is: coloured noise over a tone, speech-like bursts with pauses, or a soft tone. */
export type AudioContent = 'noise' | 'bursts' | 'tone'

export interface VideoSpec {
  /** Encoder name of the media library, e.g. `libx264`. */
  readonly codec: string
  readonly content: VideoContent
  /** A filter chain that makes the pictures instead, in the media library's words. */
  readonly filters?: string
  /** Encoder options; x264's and x265's own go into `x264-params`, `x265-params`. */
  readonly options?: Readonly<Record<string, string | number>>
  /** Library's name of the pixel format, `yuv420p` by default. */
  readonly pixelFormat?: string
  /** Pictures between key pictures; 30 by default. */
  readonly gop?: number
  readonly bFrames?: number
  readonly interlaced?: boolean
  /** `dropped`: some pictures left out, as phones do in the dark; `jittered`: each shifted by some milliseconds. */
  readonly timing?: 'constant' | 'dropped' | 'jittered'
  /** Four-character code in the container, e.g. `hvc1`. */
  readonly tag?: string
}

export interface AudioSpec {
  /** Encoder name, or `amr_nb`, which is synthesised (no encoder exists). */
  readonly codec: string
  readonly content: AudioContent
  /** Hz, 48000 by default. */
  readonly sampleRate?: number
  readonly channels?: 1 | 2 | 6
  readonly options?: Readonly<Record<string, string | number>>
  /** Seconds of sound a packet holds, for codecs that leave it open (PCM): cameras write chunks of half a second. */
  readonly packetSeconds?: number
  readonly tag?: string
}

/** A recording to be made; the same description always gives the same bytes. */
export interface ClipSpec {
  /** Library's name of the muxer: `mp4`, `mov`, `3gp`, `avi`, `matroska`, `webm`, `mpegts`, `flv`, `asf`, `mpeg`. */
  readonly container: string
  /** Muxer options, e.g. `{ movflags: 'faststart' }`. */
  readonly muxer?: Readonly<Record<string, string | number>>
  readonly seconds: number
  readonly width: number
  readonly height: number
  /** Pictures a second, a whole number or a fraction such as `30000/1001`. */
  readonly rate: string
  /** Chooses colours, noise and which pictures are dropped. */
  readonly seed: number
  readonly video?: VideoSpec
  readonly audio?: readonly AudioSpec[]
  /** Start of a time code track (`mov` and `mp4`), e.g. `01:00:00:00`. */
  readonly timecode?: string
}
