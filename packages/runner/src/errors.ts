import {
  AbortedError,
  EngineError,
  EnvironmentError,
  LimitError,
  UnsupportedError,
  UsageError,
} from '@mendframe/engine/errors'

/** The engine process ended without an answer: a defect of ours, or somebody killed it. */
export class EngineCrashError extends EngineError {
  override readonly name = 'EngineCrashError'
  /** The last lines the process wrote to its error stream, for engineers. */
  readonly detail: string

  constructor(message: string, detail: string) {
    super(message)
    this.detail = detail
  }
}

/** The process needed more memory or time than it was given. */
export class EngineLimitError extends EngineError {
  override readonly name = 'EngineLimitError'
  readonly limit: 'memory' | 'time'

  constructor(limit: 'memory' | 'time', message: string) {
    super(message)
    this.limit = limit
  }
}

/** What the system's error codes mean to the person at the keyboard. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EBUSY: 'it is in use',
  EDQUOT: 'the disk quota is used up',
  EEXIST: 'it already exists',
  EFBIG: 'the file grew past the largest size allowed here',
  EIO: 'the disk reported an error',
  EISDIR: 'it is a folder',
  ELOOP: 'too many symbolic links',
  EMFILE: 'too many open files',
  ENAMETOOLONG: 'the name is too long',
  ENFILE: 'too many open files on this system',
  ENODEV: 'no such device',
  ENOENT: 'no such file or folder',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of the path is not a folder',
  ENXIO: 'no such device',
  EPERM: 'operation not permitted',
  EROFS: 'the disk is read-only',
  ESTALE: 'the network drive lost the file',
  ETXTBSY: 'it is in use',
}

/** The code of a system error (`ENOSPC`, …), or undefined for any other value. */
export function systemCode(error: unknown): string | undefined {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code
  return undefined
}

/** A failed system call as one clear line, e.g. `cannot write out.mp4: the disk is full`. */
export function environmentError(action: string, error: unknown): EnvironmentError {
  const code = systemCode(error)
  const reason = (code && REASONS[code]) ?? (error instanceof Error ? error.message : String(error))
  return new EnvironmentError(`${action}: ${reason}`, { cause: error })
}

/** An engine error in a form that crosses the process boundary. */
export interface WireError {
  readonly name: string
  readonly message: string
}

/** Only the engine's own kinds cross as themselves; anything else is a crash. */
export function toWire(error: unknown): WireError | undefined {
  return error instanceof EngineError ? { name: error.name, message: error.message } : undefined
}

export function fromWire(error: WireError): EngineError {
  switch (error.name) {
    case 'UsageError':
      return new UsageError(error.message)
    case 'LimitError':
      return new LimitError(error.message)
    case 'UnsupportedError':
      return new UnsupportedError(error.message)
    case 'EnvironmentError':
      return new EnvironmentError(error.message)
    case 'AbortedError':
      return new AbortedError(error.message)
    default:
      return new EngineError(error.message)
  }
}
