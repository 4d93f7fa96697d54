/** What a track turned out to be by its frames. */
export interface Deduced {
  readonly codecId: string
  readonly kind: 'video' | 'audio' | 'text'
  /** Something of it is a guess, on which decoding depends. */
  readonly assumed: boolean
  /** It comes at the pace that its codec says: the file's ticks are what they were taken for. */
  readonly paced?: boolean
  readonly codecPrivate?: Uint8Array
  readonly width?: number
  readonly height?: number
  readonly sampleRate?: number
  readonly channels?: number
  readonly bitDepth?: number
  /** Nanoseconds. */
  readonly codecDelay?: number
  readonly seekPreRoll?: number
}
