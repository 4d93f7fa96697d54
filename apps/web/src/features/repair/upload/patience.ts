import { ApiFailure, NoAnswer } from '../../../shared/api/failure.ts'
import type { UploadPorts, UploadRequest } from './upload-ports.ts'

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 8_000
/** Tries where nothing answers at all, almost two minutes altogether: a service that is started anew is back before. */
export const MAX_UNANSWERED = 18

/** What a proxy says in the place of a service that is not there. */
const NOBODY_THERE: ReadonlySet<number> = new Set([502, 503, 504])

/** Milliseconds to wait after a try that failed, the first of which is 1. */
export function pauseAfter(attempt: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1))
}

/**
 * Makes a call that may be made again, until it is answered. Tries while the connection of this machine is gone do not count.
 * @throws what the call threw, when that was an answer or the patience is over; the signal's reason when it fires
 */
export async function untilAnswered<T>(
  make: () => Promise<T>,
  { signal, onWaiting }: Pick<UploadRequest, 'signal' | 'onWaiting'>,
  ports: Pick<UploadPorts, 'isOnline' | 'online' | 'pause'>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await make()
    } catch (cause) {
      if (!isUnanswered(cause) || attempt >= MAX_UNANSWERED) throw cause
    }
    onWaiting()
    if (ports.isOnline()) await ports.pause(pauseAfter(attempt), signal)
    else {
      await ports.online(signal)
      attempt = 0
    }
  }
}

function isUnanswered(cause: unknown): boolean {
  return cause instanceof NoAnswer || (cause instanceof ApiFailure && NOBODY_THERE.has(cause.status))
}
