import { RendererError } from '@mendframe/renderer'
import { EngineCrashError } from '@mendframe/runner'

/** Times that a repair is taken at most, whatever it fell with: with the waits between, a quarter of an hour. */
export const MOST_TAKEN = 20
const LONGEST_WAIT_SECONDS = 60

/** Whether it was the process at work on this very file that broke off, and not what is around it: the store, the database. */
export function isOwnCrash(error: unknown): boolean {
  return error instanceof EngineCrashError || (error instanceof RendererError && error.kind === 'crashed')
}

/** Seconds before a repair is taken again that fell with something around it, which may be away for a while. */
export function waitAfterFault(attempt: number): number {
  return Math.min(LONGEST_WAIT_SECONDS, 2 ** attempt)
}
