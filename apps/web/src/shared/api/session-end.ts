import { openOverlay } from '../overlay/overlay.ts'
import { clearSession, readToken, readUser } from '../storage/session.ts'
import { ApiFailure } from './failure.ts'

/** Whether the service refused a call because nobody is signed in, or not any more. */
export function isSessionRefused(cause: unknown): boolean {
  return (
    cause instanceof ApiFailure && (cause.code === 'auth.required' || cause.code === 'auth.invalid-session')
  )
}

/**
 * The service does not know the session (any more) that a call was made with: it is forgotten here too, in both flavours,
 * and the visitor is asked to log in and comes back to this page. Nothing happens to a guest, or when another session
 * has begun meanwhile.
 */
export function endRefusedSession(cause: unknown, token: string | null): void {
  if (!isSessionRefused(cause) || readToken() !== token) return
  if (!readUser('video') && !readUser('photo')) return
  const { pathname, search } = window.location
  clearSession()
  const product = pathname.startsWith('/photo') ? 'photo' : 'video'
  openOverlay({ kind: 'sign-in', product, goTo: pathname + search })
}
