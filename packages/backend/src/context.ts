import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { IdentityProviders } from './accounts/providers.ts'
import type { SessionRow } from './accounts/session-row.ts'
import type { Allowance } from './billing/allowance.ts'
import type { Config } from './config/config.ts'
import { type Database, type OpenDatabase, openEmbedded, openPostgres, useEmbedded } from './db/database.ts'
import { type FolderLock, lockFolder } from './db/lock.ts'
import { migrate } from './db/migrate.ts'
import { Remembered } from './db/remembered.ts'
import { createLogger, type Logger } from './log.ts'
import { createOutboxMailer } from './mail/outbox-mailer.ts'
import { createSmtpMailer } from './mail/smtp-mailer.ts'
import { type Bus, createBus } from './ports/bus.ts'
import { type Clock, systemClock } from './ports/clock.ts'
import type { Mailer } from './ports/mailer.ts'
import { diskSpace, type Space } from './ports/space.ts'
import type { Storage } from './ports/storage.ts'
import { type Queue, startQueue } from './queue/queue.ts'
import { FolderStorage } from './storage/folder-storage.ts'
import { S3Storage } from './storage/s3-storage.ts'

/** Everything a service function needs; made once, here, the one place where drivers are chosen. */
export interface Context {
  readonly config: Config
  readonly log: Logger
  readonly clock: Clock
  readonly db: Database
  readonly storage: Storage
  readonly queue: Queue
  readonly bus: Bus
  readonly mailer: Mailer
  readonly space: Space
  readonly providers: IdentityProviders
  /** Key of signatures made by this installation. */
  readonly secret: Buffer
  /** Folder for files in work. */
  readonly scratchFolder: string
  readonly remembered: RememberedAnswers
  /** Whether this process alone owns database and files. */
  readonly embedded: boolean
  close(): Promise<void>
}

/** What nearly every call asks for. */
export interface RememberedAnswers {
  readonly sessions: Remembered<SessionRow | undefined>
  readonly allowances: Remembered<Allowance>
}

/** What a test or a tool may put in place of a driver. */
export interface Overrides {
  readonly log?: Logger
  readonly clock?: Clock
  readonly mailer?: Mailer
  readonly storage?: Storage
  readonly space?: Space
  /** Takes the place of the embedded database in the data folder; closed with the context. */
  readonly embeddedDatabase?: PGlite
}

/**
 * Opens database, files, queue and mail as the settings say.
 * @throws SetupError when another process holds the data folder, or a setting cannot work.
 */
export async function createContext(config: Config, overrides: Overrides = {}): Promise<Context> {
  const log = overrides.log ?? createLogger(config)
  const clock = overrides.clock ?? systemClock
  const embedded = config.databaseUrl === undefined
  const undo: (() => Promise<void> | void)[] = []
  try {
    const lock: FolderLock | undefined = embedded ? lockFolder(config.dataFolder) : undefined
    if (lock) undo.push(() => lock.release())
    await mkdir(config.dataFolder, { recursive: true, mode: 0o700 })
    const secret = await readSecret(config)
    const database = await openDatabase(config, overrides, log)
    undo.push(() => database.close())
    await migrate(database)
    const storage = overrides.storage ?? (await openStorage(config, secret, clock, embedded))
    undo.push(() => storage.close())
    const queue = await startQueue(database, config, log)
    undo.push(() => queue.stop())
    if (embedded) await queue.reclaim()
    const bus = await createBus(database, log)
    undo.push(() => bus.close())
    const mailer = overrides.mailer ?? openMailer(config, clock, log)
    undo.push(() => mailer.close())
    return {
      config,
      log,
      clock,
      db: database.db,
      storage,
      queue,
      bus,
      mailer,
      space: overrides.space ?? diskSpace(config.dataFolder),
      providers: new IdentityProviders(config),
      secret,
      scratchFolder: join(config.dataFolder, 'scratch'),
      remembered: {
        sessions: new Remembered(database.watch, ['sessions', 'users']),
        allowances: new Remembered(database.watch, ['charges', 'purchases', 'users']),
      },
      embedded,
      close: () => unwind(undo),
    }
  } catch (error) {
    await unwind(undo)
    throw error
  }
}

async function unwind(undo: (() => Promise<void> | void)[]): Promise<void> {
  for (let step = undo.pop(); step; step = undo.pop()) await step()
}

function openDatabase(config: Config, overrides: Overrides, log: Logger): Promise<OpenDatabase> {
  if (config.databaseUrl === undefined) {
    const { embeddedDatabase: given } = overrides
    return given ? useEmbedded(given) : openEmbedded(config.dataFolder)
  }
  return openPostgres(config.databaseUrl, config.databasePool, (error) =>
    log.error({ err: error }, 'database failed'),
  )
}

async function openStorage(config: Config, secret: Buffer, clock: Clock, alone: boolean): Promise<Storage> {
  if (config.s3) return new S3Storage(config.s3)
  const storage = new FolderStorage(join(config.dataFolder, 'files'), secret, config.filesUrl, clock)
  await storage.prepare()
  if (alone) await storage.clearIncoming()
  return storage
}

function openMailer(config: Config, clock: Clock, log: Logger): Mailer {
  if (config.smtpUrl !== undefined) return createSmtpMailer(config.smtpUrl, config.mailFrom)
  return createOutboxMailer(join(config.dataFolder, 'outbox'), config.mailFrom, clock, log)
}

const SECRET_FILE = 'secret'
const SECRET_BYTES = 32

/** The setting, or a key made once and kept in the data folder. */
async function readSecret(config: Config): Promise<Buffer> {
  if (config.secret !== undefined) return Buffer.from(config.secret)
  const path = join(config.dataFolder, SECRET_FILE)
  try {
    await writeFile(path, randomBytes(SECRET_BYTES).toString('hex'), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  return Buffer.from(await readFile(path, 'utf8'), 'hex')
}
