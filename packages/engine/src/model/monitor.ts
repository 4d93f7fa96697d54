/** The stages of a repair in their order; `verify` happens outside the pure engine. */
export const STAGES = ['survey', 'diagnose', 'recover', 'timeline', 'write', 'verify'] as const
export type Stage = (typeof STAGES)[number]

/** The engine's link to whoever waits for it. */
export interface Monitor {
  /** Tells the stage and the true fraction of its bytes or steps done, 0 to 1. Cheap; call it freely. */
  progress(stage: Stage, fraction: number): void
  /**
   * Lets the host deliver messages and abort. Long loops await it every few milliseconds of work.
   * @throws AbortedError when the caller asked to stop.
   */
  pause(): Promise<void>
}

/** A monitor that listens to nothing, for tests and tools. */
export const SILENT: Monitor = { progress: () => {}, pause: async () => {} }
