export const ENHANCEMENTS = ['conceal', 'deflicker', 'sharpen', 'retime'] as const
export type Enhancement = (typeof ENHANCEMENTS)[number]

/** A stretch of the film that an enhancement changed. */
export interface EnhancedRange {
  readonly operation: Enhancement
  /** Seconds after the first picture, end exclusive. */
  readonly start: number
  readonly end: number
  /** Pictures in it. */
  readonly pictures: number
}

/** A stretch that stays as it was, and why. */
export interface LeftRange {
  /** Seconds after the first picture, end exclusive. */
  readonly start: number
  readonly end: number
  readonly reason: string
}

/** What an enhancement came to. */
export interface EnhanceOutcome {
  /** Empty when there was nothing to change: then there is no output. */
  readonly changed: readonly EnhancedRange[]
  readonly left: readonly LeftRange[]
}
