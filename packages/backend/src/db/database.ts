import { mkdir } from 'node:fs/promises'
import type { PGlite } from '@electric-sql/pglite'
import { drizzle as drizzleNode } from 'drizzle-orm/node-postgres'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite'
import pg from 'pg'
import { fromPglite, type Db as QueueDb } from 'pg-boss'
import { embeddedFolder } from './embedded-folder.ts'
import { PreparedPGlite } from './prepared-pglite.ts'
import { StatementWatch, type TableWatch } from './remembered.ts'
import * as schema from './schema.ts'

/** The database as the services use it; a transaction is one, too. */
export type Database = PgDatabase<PgQueryResultHKT, typeof schema>

/** An open database with what only its driver can do. */
export interface OpenDatabase {
  readonly db: Database
  readonly embedded: boolean
  /** Tells of writes, where this process hears all of them. */
  readonly watch?: TableWatch
  /** Runs a script of several statements. */
  script(sql: string): Promise<void>
  /** How the queue reaches the same database. */
  readonly queue: {
    readonly backend: 'pglite' | 'postgres'
    readonly db?: QueueDb
    readonly connectionString?: string
  }
  /** Hears notifications of a channel until `close` of the answer. */
  listen(channel: string, hear: (payload: string) => void): Promise<{ close(): Promise<void> }>
  close(): Promise<void>
}

/**
 * Opens the embedded database in the data folder. The caller holds the folder's lock.
 * @throws Error it cannot be opened; what the database throws itself names no folder and may be no error
 */
export async function openEmbedded(dataFolder: string): Promise<OpenDatabase> {
  const folder = embeddedFolder(dataFolder)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const client = new PreparedPGlite({ dataDir: folder })
  try {
    await client.waitReady
  } catch (cause) {
    throw new Error(
      `The database in ${folder} cannot be opened. Is its disk full, or are files of it gone?`,
      {
        cause,
      },
    )
  }
  return useEmbedded(client)
}

/** The same over an embedded database that is open already. */
export async function useEmbedded(client: PGlite): Promise<OpenDatabase> {
  await client.exec("SET TIME ZONE 'UTC'")
  const watch = new StatementWatch()
  return {
    db: drizzlePglite(client, { schema, logger: watch }),
    embedded: true,
    watch,
    script: async (sql) => {
      try {
        await client.exec(sql)
      } catch (error) {
        // A script that fails may leave its transaction open on the one connection there is.
        await client.exec('ROLLBACK')
        throw error
      }
    },
    queue: { backend: 'pglite', db: fromPglite(client) },
    listen: async (channel, hear) => {
      const stop = await client.listen(channel, hear)
      return { close: () => stop() }
    },
    close: () => client.close(),
  }
}

/** Connects to PostgreSQL. */
export async function openPostgres(
  connectionString: string,
  pool: number,
  onError: (error: Error) => void,
): Promise<OpenDatabase> {
  const connections = new pg.Pool({
    connectionString,
    max: pool,
    application_name: 'mendframe',
    connectionTimeoutMillis: 10_000,
  })
  connections.on('error', onError)
  await (await connections.connect()).release()
  return {
    db: drizzleNode(connections, { schema }),
    embedded: false,
    script: async (sql) => {
      const connection = await connections.connect()
      try {
        await connection.query(sql)
        connection.release()
      } catch (error) {
        // Whatever transaction it left open goes with the connection.
        connection.release(true)
        throw error
      }
    },
    queue: { backend: 'postgres', connectionString },
    listen: (channel, hear) => listenPostgres(connectionString, channel, hear, onError),
    close: () => connections.end(),
  }
}

const RECONNECT_MS = 1_000

/** One connection for notifications, opened again whenever it breaks. */
async function listenPostgres(
  connectionString: string,
  channel: string,
  hear: (payload: string) => void,
  onError: (error: Error) => void,
): Promise<{ close(): Promise<void> }> {
  let closed = false
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined

  const connect = async (): Promise<void> => {
    const next = new pg.Client({ connectionString, application_name: 'mendframe-listen', keepAlive: true })
    next.on('notification', (message) => hear(message.payload ?? ''))
    next.once('error', (error) => {
      onError(error)
      again()
    })
    next.once('end', again)
    client = next
    await next.connect()
    await next.query(`LISTEN ${next.escapeIdentifier(channel)}`)
  }
  const again = (): void => {
    if (closed || timer) return
    timer = setTimeout(() => {
      timer = undefined
      connect().catch((error: unknown) => {
        onError(error instanceof Error ? error : new Error(String(error)))
        again()
      })
    }, RECONNECT_MS)
  }

  await connect()
  return {
    close: async () => {
      closed = true
      clearTimeout(timer)
      await client?.end()
    },
  }
}
