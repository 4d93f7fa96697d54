import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Context, createContext, loadConfig } from '../src/index.ts'
import { createTestPostgres, type TestPostgres } from '../testing/index.ts'

let postgres: TestPostgres
let folder: string
beforeAll(async () => {
  postgres = await createTestPostgres()
  folder = await mkdtemp(join(tmpdir(), 'mendframe-postgres-'))
})
afterAll(async () => {
  await postgres.drop()
  await rm(folder, { recursive: true, force: true })
})

const open = (): Promise<Context> =>
  createContext(loadConfig({ MENDFRAME_DATA: folder, LOG_LEVEL: 'error', ...postgres.settings }))

test('several processes may start at once on an empty database', async () => {
  const contexts = await Promise.all([open(), open(), open()])
  for (const context of contexts) expect(context.embedded).toBe(false)
  for (const context of contexts) expect((await context.queue.counts()).repair.queued).toBe(0)
  for (const context of contexts) await context.close()
})

test('news goes from one process to the others', async () => {
  const [one, two] = [await open(), await open()]
  const heard = new Promise<string>((resolve) => {
    two.bus.subscribe(1_234, () => resolve('heard'))
  })
  await one.bus.publish(1_234)
  expect(await heard).toBe('heard')
  await one.close()
  await two.close()
})
