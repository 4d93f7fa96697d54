export interface PreviewResult {
  /** Seconds of the recording that were wanted. */
  readonly seconds: number
  readonly pictures: number
  /** AAC frames of 1024 samples. */
  readonly soundFrames: number
  /** Size in pixels, 0 without pictures. */
  readonly width: number
  readonly height: number
}

export interface SegmentResult {
  /** Seconds of the recording that were wanted. */
  readonly seconds: number
  readonly packets: number
}

export interface StillResult {
  /** Seconds of the picture after the recording's start. */
  readonly seconds: number
  readonly width: number
  readonly height: number
}
