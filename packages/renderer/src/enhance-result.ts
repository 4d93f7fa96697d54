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
