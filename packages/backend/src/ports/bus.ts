import { EventEmitter } from 'node:events'
import { sql } from 'drizzle-orm'
import type { Database, OpenDatabase } from '../db/database.ts'
import type { Logger } from '../log.ts'

/** News between processes; losing one is allowed, since whoever listens also looks for himself now and then. */
export interface Bus {
  /** Tells that the progress of a repair changed, or that it was cancelled. */
  publish(uploadTimestamp: number): Promise<void>
  /** Hears it for one upload until the returned function is called. */
  subscribe(uploadTimestamp: number, hear: () => void): () => void
  close(): Promise<void>
}

const CHANNEL = 'mendframe_progress'

/** One process: an emitter. Several: notifications of the database. */
export async function createBus(database: OpenDatabase, log: Logger): Promise<Bus> {
  const emitter = new EventEmitter()
  emitter.setMaxListeners(0)
  const subscribe = (timestamp: number, hear: () => void) => {
    const name = String(timestamp)
    emitter.on(name, hear)
    return () => {
      emitter.off(name, hear)
    }
  }
  if (database.embedded) {
    return {
      publish: async (timestamp) => {
        emitter.emit(String(timestamp))
      },
      subscribe,
      close: async () => {},
    }
  }
  const listening = await database.listen(CHANNEL, (payload) => emitter.emit(payload))
  return {
    publish: (timestamp) => notify(database.db, timestamp, log),
    subscribe,
    close: () => listening.close(),
  }
}

async function notify(db: Database, timestamp: number, log: Logger): Promise<void> {
  try {
    await db.execute(sql`SELECT pg_notify(${CHANNEL}, ${String(timestamp)})`)
  } catch (error) {
    log.warn({ err: error }, 'progress news not sent')
  }
}
