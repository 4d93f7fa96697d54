import { randomBytes } from 'node:crypto'
import pg from 'pg'

/**
 * With `MENDFRAME_TEST_DATABASE_URL` set (a PostgreSQL whose user may create databases), the service's suites run on it
 * instead of the embedded database: each gets a database of its own, which is dropped after it.
 */
export function isPostgresTested(): boolean {
  return (process.env.MENDFRAME_TEST_DATABASE_URL ?? '') !== ''
}

export interface TestPostgres {
  readonly settings: { readonly DATABASE_URL: string; readonly MENDFRAME_SECRET: string }
  drop(): Promise<void>
}

/** A fresh database and the settings that use it. */
export async function createTestPostgres(): Promise<TestPostgres> {
  const server = process.env.MENDFRAME_TEST_DATABASE_URL ?? ''
  const name = `mendframe_test_${randomBytes(8).toString('hex')}`
  await administer(server, `CREATE DATABASE ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return {
    settings: { DATABASE_URL: url.href, MENDFRAME_SECRET: 'a secret of the tests, long enough' },
    drop: () => administer(server, `DROP DATABASE ${name} WITH (FORCE)`),
  }
}

async function administer(connectionString: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
