import { hash, verify } from '@node-rs/argon2'

/**
 * argon2id (the library's own choice of algorithm) with 12 MiB, three passes, one lane: one of the equal-strength settings of the OWASP Password Storage Cheat
 * Sheet; the one with little memory leaves room for many log-ins at once.
 */
const PARAMETERS = { memoryCost: 12_288, timeCost: 3, parallelism: 1 } as const

/** A hash of no password: verified in place of a missing one, so that both answers take the same time. */
let decoy: Promise<string> | undefined

export function hashPassword(password: string): Promise<string> {
  return hash(password, PARAMETERS)
}

/** Whether the password fits; `undefined` stands for an account without one and never fits. */
export async function passwordFits(stored: string | null | undefined, password: string): Promise<boolean> {
  if (!stored) {
    decoy ??= hashPassword('')
    await verify(await decoy, password)
    return false
  }
  return verify(stored, password)
}
