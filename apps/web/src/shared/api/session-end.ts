import { openOverlay } from '../overlay/overlay.ts'
import { clearSession, readToken, readUser } from '../storage/session.ts'
import { ApiFailure } from './failure.ts'
import { wayBack } from './way-back.ts'

/** Whether the service refused a call because nobody is signed in, or not any more. */
export function isSessionRefused(cause: unknown): boolean {
  return (
    cause instanceof ApiFailure && (cause.code === 'auth.required' || cause.code === 'auth.invalid-session')
  )
}

/**
 * The service does not know the session (any more) that a call was made with: it is forgotten here too, in both flavours,
 * and the visitor is asked to log in and comes back to this page and its work. Nothing happens to a guest, or when another
 * session has begun meanwhile.
 */
export function endRefusedSession(cause: unknown, token: string | null): void {
  if (!isSessionRefused(cause) || readToken() !== token) return
  if (!readUser('video') && !readUser('photo')) return
  const product = window.location.pathname.startsWith('/photo') ? 'photo' : 'video'
  // Before the page hears that nobody is signed in, and lets its work go.
  const goTo = wayBack()
  clearSession()
  openOverlay({ kind: 'sign-in', product, goTo, ended: true })
}
