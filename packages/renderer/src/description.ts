import type { StreamKind } from './verification.ts'

export interface StreamDescription {
  readonly kind: StreamKind
  readonly codec: string
  /** Seconds, 0 when unknown. */
  readonly duration: number
  /** Coded size in pixels, of pictures. */
  readonly width?: number
  readonly height?: number
  /** Average pictures a second, 0 when unknown. */
  readonly frameRate?: number
  /** Hz. */
  readonly sampleRate?: number
  readonly channels?: number
}

/** What a media file says it holds. */
export interface MediaDescription {
  /** The library's names of the container, comma-separated, e.g. `mov,mp4,m4a,3gp,3g2,mj2`. */
  readonly container: string
  /** Seconds, 0 when unknown. */
  readonly duration: number
  readonly streams: readonly StreamDescription[]
}
