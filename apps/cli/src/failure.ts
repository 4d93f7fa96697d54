import {
  AbortedError,
  EngineCrashError,
  EngineLimitError,
  LimitError,
  printable,
  UnsupportedError,
  UsageError,
} from '@mendframe/runner'
import { EXIT } from './exit-codes.ts'

/** One failure as the person at the shell meets it. */
export interface Failure {
  readonly exitCode: number
  /** One line without line ends or control characters. */
  readonly line: string
}

/** Sorts an error by whose fault it is. */
export function failureOf(error: unknown): Failure {
  const line = printable(messageOf(error))
  if (error instanceof UsageError) return { exitCode: EXIT.usage, line }
  if (error instanceof LimitError || error instanceof UnsupportedError)
    return { exitCode: EXIT.unrepairable, line }
  return { exitCode: EXIT.environment, line }
}

function messageOf(error: unknown): string {
  if (error instanceof EngineLimitError) {
    return `${error.message} (--${error.limit === 'memory' ? 'memory' : 'timeout'} raises the limit)`
  }
  if (error instanceof EngineCrashError && process.env.MENDFRAME_DEBUG)
    return `${error.message}\n${error.detail}`
  return error instanceof Error ? error.message : String(error)
}

/** True when the command was asked to stop. */
export function isAbort(error: unknown): boolean {
  if (error instanceof AbortedError) return true
  return error instanceof Error && 'kind' in error && error.kind === 'aborted'
}
