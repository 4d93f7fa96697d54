import { unseal } from '@mendframe/contract'
import { ServiceFailure } from '../failure.ts'
import type { Session } from './sessions.ts'
import { emailKey } from './users.ts'

/**
 * Checks the sealed email of `info` and `details`. It grants nothing; one that disagrees with the session, or does not
 * open, is refused.
 */
export async function checkSealedEmail(session: Session, sealed: string | undefined): Promise<void> {
  if (sealed === undefined || sealed === '') return
  const email = await unseal(sealed, globalThis.crypto)
  if (email === undefined || emailKey(email) !== session.user.emailKey) {
    throw new ServiceFailure('auth.identity-mismatch')
  }
}

/** Checks the `email` of an account read. */
export function checkOwnEmail(session: Session, email: string): void {
  if (emailKey(email) !== session.user.emailKey) throw new ServiceFailure('auth.identity-mismatch')
}
