import { is, SQL, sql } from 'drizzle-orm'
import {
  type ConstructorOptions,
  type Db,
  fromDrizzle,
  type Job,
  PgBoss,
  type Queue as QueueOptions,
} from 'pg-boss'
import type { Config } from '../config/config.ts'
import type { Database, OpenDatabase } from '../db/database.ts'
import { rows } from '../db/migrate.ts'
import type { Logger } from '../log.ts'
import { type Handlers, isJobName, JOB_NAMES, type JobName, type Jobs, type TakenJob } from './jobs.ts'

/** Seconds without a sign of life after which a job is taken from its worker; the least that the queue allows. */
const HEARTBEAT_SECONDS = 10
const SUPERVISE_SECONDS = 5
/** Days for which finished jobs stay to be looked at. */
const KEEP_DAYS = 7
/**
 * Workers that may be lost with one repair. Restarts of a service are not the repair's fault, so there may be many; but a
 * repair that takes its worker down every time has to end, too.
 */
const MOST_WORKERS_LOST = 20
const NO_JOB = '00000000-0000-0000-0000-000000000000'
const RETENTION_CRON = '*/5 * * * *'
/** Room for what a worker does around the repair itself: fetching, checking, previews. */
const AROUND_REPAIR_SECONDS = 3600

/** How a job stands among others of its kind. */
export interface Turn {
  /** Whose it is: one account has only so many of them in work at a time. */
  readonly account?: string
  /** Larger ones come first; 0 when absent. */
  readonly priority?: number
  /** Seconds before which it is not taken. */
  readonly waitSeconds?: number
}

/** The job queue, on the same database as the rows. */
export interface Queue {
  /** Enqueues a job in the transaction of the rows it is about; it exists if and only if they do. */
  send<Name extends JobName>(transaction: Database, name: Name, data: Jobs[Name], turn?: Turn): Promise<void>
  /** Starts taking jobs of every kind. */
  work(handlers: Handlers): Promise<void>
  /** Hands back what a dead worker held, where it is known that no other worker lives. */
  reclaim(): Promise<void>
  /** How many jobs of each kind wait or run. */
  counts(): Promise<
    Readonly<Record<JobName, { readonly queued: number; readonly active: number; readonly failed: number }>>
  >
  /** Takes no more jobs and waits for those that run. */
  stopWork(): Promise<void>
  stop(): Promise<void>
}

/** Starts the queue on an open database. */
export async function startQueue(database: OpenDatabase, config: Config, log: Logger): Promise<Queue> {
  const boss = new PgBoss(options(database))
  boss.on('error', (error) => log.error({ err: error }, 'queue failed'))
  boss.on('warning', (warning) => log.warn({ warning: warning.message }, 'queue warns'))
  await boss.start()
  for (const queue of queues(config)) {
    const { name, policy, ...settings } = queue
    await boss.createQueue(name, policy === undefined ? settings : { ...settings, policy })
    await boss.updateQueue(name, settings)
    // Any call by name loads the queue's settings. Inside a transaction of the one embedded connection, loading them
    // would wait for that transaction for ever.
    await boss.findJobs(name, { id: NO_JOB })
  }
  await boss.schedule('retention', RETENTION_CRON, {}, { tz: 'UTC' })
  return new BossQueue(boss, database.db, config, log)
}

function options(database: OpenDatabase): ConstructorOptions {
  const { backend, db, connectionString } = database.queue
  return {
    backend,
    ...(db ? { db } : {}),
    ...(connectionString === undefined ? {} : { connectionString, application_name: 'mendframe-queue' }),
    useListenNotify: true,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
  }
}

function queues(config: Config): QueueOptions[] {
  const common = { deleteAfterSeconds: KEEP_DAYS * 86_400, notify: true }
  return [
    { ...common, name: 'repair-lost', retryLimit: 10, retryDelay: 5 },
    {
      ...common,
      name: 'repair',
      deadLetter: 'repair-lost',
      retryLimit: MOST_WORKERS_LOST,
      retryDelay: 0,
      heartbeatSeconds: HEARTBEAT_SECONDS,
      expireInSeconds: config.worker.timeoutSeconds + AROUND_REPAIR_SECONDS,
    },
    { ...common, name: 'mail', retryLimit: 8, retryDelay: 20, retryBackoff: true, expireInSeconds: 120 },
    {
      ...common,
      name: 'retention',
      retryLimit: 0,
      policy: 'stately',
      expireInSeconds: 3600,
      heartbeatSeconds: 60,
    },
  ]
}

/** The transaction as the queue's connection. */
function within(transaction: Database): Db {
  const execute = async (statement: unknown) => {
    if (!is(statement, SQL)) throw new TypeError('the queue sent no statement')
    return { rows: [...rows(await transaction.execute(statement))] }
  }
  return fromDrizzle({ execute }, sql)
}

class BossQueue implements Queue {
  readonly #boss: PgBoss
  readonly #db: Database
  readonly #config: Config
  readonly #log: Logger

  constructor(boss: PgBoss, db: Database, config: Config, log: Logger) {
    this.#boss = boss
    this.#db = db
    this.#config = config
    this.#log = log
  }

  async send<Name extends JobName>(
    transaction: Database,
    name: Name,
    data: Jobs[Name],
    turn: Turn = {},
  ): Promise<void> {
    const { account, priority, waitSeconds } = turn
    await this.#boss.send(name, data, {
      db: within(transaction),
      ...(account === undefined ? {} : { group: { id: account } }),
      ...(priority === undefined ? {} : { priority }),
      ...(waitSeconds === undefined ? {} : { startAfter: waitSeconds }),
    })
  }

  async work(handlers: Handlers): Promise<void> {
    const { concurrency, perAccount } = this.#config.worker
    await this.#take('repair', handlers.repair, concurrency, perAccount)
    await this.#take('repair-lost', handlers['repair-lost'], 1)
    await this.#take('mail', handlers.mail, 2)
    await this.#take('retention', handlers.retention, 1)
  }

  async #take<Name extends JobName>(
    name: Name,
    handler: (job: TakenJob<Name>) => Promise<void>,
    concurrency: number,
    perAccount?: number,
  ): Promise<void> {
    const settings = {
      batchSize: 1,
      localConcurrency: concurrency,
      ...(perAccount === undefined ? {} : { groupConcurrency: perAccount }),
      pollingIntervalSeconds: 1,
      notifyPollingIntervalSeconds: 1,
    }
    await this.#boss.work<Jobs[Name]>(name, settings, async (jobs: Job<Jobs[Name]>[]) => {
      for (const job of jobs) {
        try {
          await handler({ data: job.data, signal: job.signal })
        } catch (error) {
          this.#log.error({ err: error, job: name, jobId: job.id, retry: job.retryCount }, 'job failed')
          throw error
        }
      }
    })
  }

  async reclaim(): Promise<void> {
    for (const { name } of queues(this.#config)) {
      const result = await this.#db.execute(
        sql`SELECT id FROM pgboss.job WHERE name = ${name} AND state = 'active'`,
      )
      const ids = rows(result).map((row) => String(row.id))
      if (ids.length > 0) {
        this.#log.info({ job: name, count: ids.length }, 'jobs of a stopped worker are taken again')
        await this.#boss.fail(name, ids, { reason: 'the worker was stopped' })
      }
    }
  }

  async counts(): Promise<Record<JobName, { queued: number; active: number; failed: number }>> {
    const none = () => ({ queued: 0, active: 0, failed: 0 })
    const counts = { repair: none(), 'repair-lost': none(), mail: none(), retention: none() }
    const result = await this.#db.execute(
      sql`SELECT name, state::text AS state, count(*)::int AS count FROM pgboss.job GROUP BY name, state`,
    )
    for (const row of rows(result)) {
      const name = String(row.name)
      if (!isJobName(name)) continue
      const count = Number(row.count)
      if (row.state === 'created' || row.state === 'retry') counts[name].queued += count
      if (row.state === 'active') counts[name].active += count
      if (row.state === 'failed') counts[name].failed += count
    }
    return counts
  }

  async stopWork(): Promise<void> {
    for (const name of JOB_NAMES) await this.#boss.offWork(name, { wait: true })
  }

  async stop(): Promise<void> {
    await this.#boss.stop({ graceful: false, close: true })
  }
}
