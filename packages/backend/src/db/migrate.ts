import { readdir, readFile } from 'node:fs/promises'
import { sql } from 'drizzle-orm'
import { SetupError } from '../failure.ts'
import type { OpenDatabase } from './database.ts'

const FOLDER = new URL('../../migrations/', import.meta.url)
/** Any number: the advisory lock under which one of several starting processes migrates. */
const LOCK = 7_263_114_005

/** Applies the migrations that are missing, in the order of their names, each with its record in one transaction. */
export async function migrate(database: OpenDatabase): Promise<void> {
  const lock = lockOf(database)
  await database.script(
    `BEGIN; ${lock} CREATE TABLE IF NOT EXISTS mendframe_migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now()); COMMIT;`,
  )
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).sort()
  const known = await database.db.execute(sql`SELECT name FROM mendframe_migrations`)
  const applied = new Set(rows(known).map((row) => String(row.name)))
  for (const name of applied) {
    if (!names.includes(name))
      throw new SetupError(`The database was made by a newer Mendframe (migration ${name}).`)
  }
  for (const name of names) {
    if (!applied.has(name)) await apply(database, name, await readFile(new URL(name, FOLDER), 'utf8'))
  }
}

/** One of several starting processes migrates at a time. */
function lockOf(database: OpenDatabase): string {
  return database.embedded ? '' : `SELECT pg_advisory_xact_lock(${LOCK});`
}

/** A script runs in one transaction; the record's primary key makes a second applier fail and roll back. */
async function apply(database: OpenDatabase, name: string, script: string): Promise<void> {
  try {
    await database.script(
      `BEGIN; ${lockOf(database)} INSERT INTO mendframe_migrations (name) VALUES ('${name}'); ${script}; COMMIT;`,
    )
  } catch (error) {
    if (isUniqueViolation(error, 'mendframe_migrations_pkey')) return
    throw error
  }
}

/** Whether an error (or its cause) is PostgreSQL's unique violation; `constraint` narrows it. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if ('code' in at && at.code === '23505') {
      return constraint === undefined || ('constraint' in at && at.constraint === constraint)
    }
  }
  return false
}

/** Rows of a plain statement, whichever driver ran it. */
export function rows(result: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (typeof result !== 'object' || result === null || !('rows' in result) || !Array.isArray(result.rows))
    return []
  return result.rows
}
