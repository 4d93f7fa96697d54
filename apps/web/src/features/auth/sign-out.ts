import { type Product, SESSIONS } from '@mendframe/contract'
import { call } from '../../shared/api/call.ts'
import { clearSession } from '../../shared/storage/session.ts'

/**
 * Ends the session here and, if it can be reached, on the server; clears the user's state through `clearState`.
 * Photo then goes to its landing page, video reloads.
 */
export async function signOut(product: Product, clearState: () => void): Promise<void> {
  try {
    await call(SESSIONS.logout, {})
  } catch (cause) {
    // The session is forgotten here either way; on the server it ends by its age.
    console.warn('The session could not be ended on the server', cause)
  }
  clearSession()
  clearState()
  if (product === 'photo') window.location.assign('/photo/')
  else window.location.reload()
}
