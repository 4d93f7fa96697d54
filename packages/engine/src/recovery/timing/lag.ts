import type { Beat } from './beat.ts'

/**
 * How a multiplexer places pictures among sound: the decoding time of a picture minus the sound clock where the picture
 * lies in the file, in seconds, lowest and highest (outliers apart).
 */
export interface Lag {
  readonly low: number
  readonly high: number
  /** The same where a run of pictures begins behind sound: tight even where a run holds a second of pictures. */
  readonly runLow: number
  readonly runHigh: number
  /** The first picture lasts until the camera is under way: when the second one comes is for those behind it to tell. */
  readonly slowStart?: true
  /** When runs of pictures begin in the recording's own time. */
  readonly beat?: Beat | undefined
  /**
   * Sound and pictures take turns by other lengths than they have: their distance in the file grows all along, and bounds no
   * time.
   */
  readonly drifts?: true
  /** The sound does not tell when each picture of the recording itself comes, whose rate varies. */
  readonly rough?: true
}
