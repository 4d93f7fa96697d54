/**
 * Everything the engine throws. Damage is never thrown: it is reported as findings. What is left is whose fault it
 * is: the caller's, a limit's, the environment's, our missing support, or the wish to stop.
 */
export class EngineError extends Error {
  override readonly name: string = 'EngineError'
}

/** The caller broke the contract of a function. */
export class UsageError extends EngineError {
  override readonly name = 'UsageError'
}

/** The input needs more than a limit of `Limits` allows. */
export class LimitError extends EngineError {
  override readonly name = 'LimitError'
}

/** Nothing in the engine knows this kind of content. */
export class UnsupportedError extends EngineError {
  override readonly name = 'UnsupportedError'
}

/** Reading or writing failed outside the engine: medium gone, disk full. */
export class EnvironmentError extends EngineError {
  override readonly name = 'EnvironmentError'
}

/** The caller asked to stop. */
export class AbortedError extends EngineError {
  override readonly name = 'AbortedError'
}
