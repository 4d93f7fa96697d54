import type { UserRow } from '../db/schema.ts'

/** What is stored about a session. */
export interface SessionRow {
  readonly user: UserRow
  readonly expiresAt: Date
}
