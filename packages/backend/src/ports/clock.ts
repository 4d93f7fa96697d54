/** The time of day. Tests turn it. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }
