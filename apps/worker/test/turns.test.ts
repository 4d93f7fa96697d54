import { readFile } from 'node:fs/promises'
import {
  authenticate,
  cancelRepair,
  grantPlan,
  loadConfig,
  signUp,
  startRepair,
  waitAfter,
} from '@mendframe/backend'
import { sql } from '@mendframe/backend/testing'
import { EngineCrashError } from '@mendframe/runner'
import { afterEach, expect, test } from 'vitest'
import { startWorker, type Worker } from '../src/index.ts'
import { pretendedTools } from './support/pretended-tools.ts'
import { type Begun, beginRepair, ended, openRig, type Rig, until } from './support/rig.ts'

const INPUTS = { damaged: Buffer.alloc(500, 1), sample: Buffer.alloc(400, 2) }
/** Begins each file, so that no check takes its name for a text. */
const HEAD = Buffer.alloc(500, 1)

let rig: Rig
let worker: Worker | undefined
const open = async (settings: Record<string, string>) => {
  rig = await openRig({ settings })
}
afterEach(async () => {
  await worker?.close()
  worker = undefined
  await rig.context.close()
  await rig.remove()
})

/** Tools that note whose file is in work; each work lasts until it is let go. */
function noting() {
  const begun: string[] = []
  const letGo: (() => void)[] = []
  const tools = pretendedTools(async () => {})
  const { runRepair } = tools
  return {
    begun,
    /** Lets the oldest work end. */
    next: () => letGo.shift()?.(),
    tools: {
      ...tools,
      runRepair: async (request: Parameters<typeof runRepair>[0]) => {
        begun.push((await readFile(request.damaged, 'latin1')).slice(HEAD.length))
        await new Promise<void>((resolve) => {
          letGo.push(resolve)
          if (request.signal?.aborted) resolve()
          request.signal?.addEventListener('abort', () => resolve(), { once: true })
        })
        return runRepair(request)
      },
    },
  }
}

/** Starts repairs of files of these names for one account that has bought enough places. */
async function enqueue(names: readonly string[]): Promise<Begun[]> {
  const email = `${names[0]}@example.com`
  const { token } = await signUp(rig.context, 'video', { email, password: 'x' })
  const session = await authenticate(rig.context, `Bearer ${token}`)
  await grantPlan(rig.context, email, 'video-10-monthly')
  const all: Begun[] = []
  for (const name of names) {
    all.push(
      await beginRepair(rig, email, {
        ...INPUTS,
        damaged: Buffer.concat([HEAD, Buffer.from(name)]),
        session,
      }),
    )
  }
  return all
}

test('accounts take turns: one that enqueues many comes once, then everybody else', async () => {
  await open({ WORKER_CONCURRENCY: '1' })
  await enqueue(['a1', 'a2', 'a3'])
  await enqueue(['b1'])
  const work = noting()
  worker = await startWorker(rig.context, { tools: work.tools })
  for (let done = 1; done <= 4; done++) {
    await until(`work ${done}`, () => work.begun.length === done)
    work.next()
  }
  expect(work.begun).toEqual(['a1', 'b1', 'a2', 'a3'])
})

test('an account never takes every place', async () => {
  await open({ WORKER_CONCURRENCY: '2' })
  await enqueue(['a1', 'a2', 'a3'])
  const work = noting()
  worker = await startWorker(rig.context, { tools: work.tools })
  await until('the first', () => work.begun.length === 1)
  const [other] = await enqueue(['b1'])
  await until('the other account', () => work.begun.includes('b1'))
  expect(work.begun).toEqual(['a1', 'b1'])
  work.next()
  work.next()
  if (other) expect(await ended(rig, other)).toMatchObject({ status: 'Completed' })
})

test('several repairs run at once by default, as many as the machine has room for', () => {
  const { concurrency, perAccount } = loadConfig({}).worker
  expect(concurrency).toBeGreaterThanOrEqual(1)
  expect(perAccount).toBe(Math.max(1, concurrency - 1))
  expect(loadConfig({ WORKER_CONCURRENCY: '5' }).worker).toMatchObject({ concurrency: 5, perAccount: 4 })
})

test('who has repaired in vain again and again waits longer each time', async () => {
  await open({})
  worker = await startWorker(rig.context, { tools: pretendedTools(async () => {}, 'unrepairable') })
  const begun = await beginRepair(rig, 'vain@example.com', INPUTS)
  const again = () =>
    startRepair(rig.context, begun.session, 'video', {
      videoPath: begun.fileName,
      videocreatedTime: begun.timestamp,
    })
  expect(await ended(rig, begun)).toMatchObject({ status: 'Failed' })
  await again()
  expect(await ended(rig, begun)).toMatchObject({ status: 'Failed' })
  await again()
  const waits = await rig.context.db.execute(
    sql`SELECT extract(epoch FROM start_after - created_on)::int AS wait FROM pgboss.job WHERE name = 'repair' AND state = 'created'`,
  )
  expect(waits).toMatchObject({ rows: [{ wait: 15 }] })
  await cancelRepair(rig.context, begun.session, begun.timestamp)
  expect([0, 1, 2, 3, 4, 20].map(waitAfter)).toEqual([0, 0, 15, 30, 60, 600])
})

test('a repair whose own process breaks off every time ends after the attempts there are', async () => {
  await open({ REPAIR_ATTEMPTS: '3' })
  let tries = 0
  const breaking = async () => {
    tries++
    throw new EngineCrashError('the engine process broke off (exit 1)', '')
  }
  worker = await startWorker(rig.context, { tools: pretendedTools(breaking) })
  const begun = await beginRepair(rig, 'breaking@example.com', INPUTS)
  expect(await ended(rig, begun)).toMatchObject({ status: 'Failed' })
  expect(tries).toBe(3)
})
