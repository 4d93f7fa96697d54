import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { is, sql } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openEmbedded } from '../src/db/database.ts'
import { lockFolder } from '../src/db/lock.ts'
import { rows } from '../src/db/migrate.ts'
import * as schema from '../src/db/schema.ts'
import { type Context, createContext, loadConfig } from '../src/index.ts'
import { testDatabase } from '../testing/index.ts'

let folder: string
let context: Context
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mendframe-database-'))
  const config = loadConfig({ MENDFRAME_DATA: folder, LOG_LEVEL: 'fatal' })
  context = await createContext(config, { embeddedDatabase: await testDatabase() })
})
afterAll(async () => {
  await context.close()
  await rm(folder, { recursive: true, force: true })
})

describe('the data folder', () => {
  test('is refused to a second instance in one clear line, and free again after the first', async () => {
    const second = createContext(loadConfig({ MENDFRAME_DATA: folder }))
    await expect(second).rejects.toThrow(`Another Mendframe is running on the data folder ${folder}.`)
    const other = await mkdtemp(join(tmpdir(), 'mendframe-lock-'))
    const lock = lockFolder(other)
    expect(() => lockFolder(other)).toThrow('Another Mendframe')
    lock.release()
    lockFolder(other).release()
    await rm(other, { recursive: true })
  })

  test('whose database is damaged is named in one clear line', async () => {
    const other = await mkdtemp(join(tmpdir(), 'mendframe-damaged-'))
    await mkdir(join(other, 'db', 'global'), { recursive: true })
    await writeFile(join(other, 'db', 'PG_VERSION'), '18\n')
    await writeFile(join(other, 'db', 'global', 'pg_control'), 'no control file')
    await expect(openEmbedded(other)).rejects.toThrow(
      `The database in ${join(other, 'db')} cannot be opened.`,
    )
    await rm(other, { recursive: true })
  })

  test('is free at once after its holder was killed', async () => {
    const other = await mkdtemp(join(tmpdir(), 'mendframe-lock-'))
    const lockModule = new URL('../src/db/lock.ts', import.meta.url).href
    const script = `import { lockFolder } from ${JSON.stringify(lockModule)}; lockFolder(${JSON.stringify(other)}); console.log('held'); setInterval(() => {}, 1000)`
    const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(child.stdout, 'data')
    expect(() => lockFolder(other)).toThrow('Another Mendframe')
    child.kill('SIGKILL')
    await once(child, 'exit')
    lockFolder(other).release()
    await rm(other, { recursive: true })
  })
})

describe('the migrations', () => {
  test('make exactly the tables and columns that the code knows', async () => {
    const result = await context.db.execute(
      sql`SELECT table_name, column_name, is_nullable FROM information_schema.columns WHERE table_schema = 'public'`,
    )
    const made = rows(result)
      .filter((row) => row.table_name !== 'mendframe_migrations')
      .map((row) => `${row.table_name}.${row.column_name} ${row.is_nullable === 'YES' ? 'null' : 'not null'}`)
    const known = Object.values(schema)
      .filter((value) => is(value, PgTable))
      .flatMap((table) => {
        const { name, columns, primaryKeys } = getTableConfig(table)
        const keys = primaryKeys.flatMap((key) => key.columns.map((column) => column.name))
        return columns.map(
          (column) =>
            `${name}.${column.name} ${column.notNull || keys.includes(column.name) ? 'not null' : 'null'}`,
        )
      })
    expect(made.toSorted()).toEqual(known.toSorted())
  })
})

describe('the queue', () => {
  test('has a job if and only if its transaction ends well', async () => {
    const before = (await context.queue.counts()).mail.queued
    await context.db.transaction((tx) =>
      context.queue.send(tx, 'mail', { userId: 'x', kind: 'repair-ready' }),
    )
    const failing = context.db.transaction(async (tx) => {
      await context.queue.send(tx, 'mail', { userId: 'y', kind: 'repair-ready' })
      throw new Error('changed my mind')
    })
    await expect(failing).rejects.toThrow('changed my mind')
    expect((await context.queue.counts()).mail.queued).toBe(before + 1)
  })
})
