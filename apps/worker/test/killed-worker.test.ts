import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { checkProgress, exportData, mayUpload } from '@mendframe/backend'
import { sql } from '@mendframe/backend/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startWorker } from '../src/index.ts'
import { pretendedTools } from './support/pretended-tools.ts'
import { type Begun, beginRepair, ended, openRig, type Rig, until } from './support/rig.ts'

const SCRIPT = fileURLToPath(new URL('./support/doomed-worker.ts', import.meta.url))
const INPUTS = { damaged: Buffer.alloc(500, 1), sample: Buffer.alloc(400, 2) }

/** A data folder in which a repair waits; each test has a copy. */
let waiting: string
let folder: string
let begun: Begun
beforeAll(async () => {
  const rig = await openRig({ onDisk: true })
  waiting = rig.folder
  begun = await beginRepair(rig, 'killed@example.com', INPUTS)
  await rig.context.close()
})
afterAll(() => rm(waiting, { recursive: true, force: true }))
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mendframe-killed-'))
  await cp(waiting, folder, { recursive: true })
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Starts a worker process and kills it as nothing can be caught when it reaches a step. */
async function killAt(step: string): Promise<void> {
  const child = spawn(process.execPath, [SCRIPT, folder, step], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exit = once(child, 'exit')
  for await (const line of createInterface({ input: child.stdout })) {
    if (line === 'reached') child.kill('SIGKILL')
  }
  const [, signal] = await exit
  expect(signal).toBe('SIGKILL')
}

/** Lets a worker here take the job again and checks that it has ended exactly once. */
async function endsOnce(): Promise<void> {
  const rig: Rig = await openRig({ folder })
  const worker = await startWorker(rig.context, { tools: pretendedTools(async () => {}) })
  try {
    expect(await ended(rig, begun)).toMatchObject({ status: 'Completed', verdict: 'repaired' })
    await until('the mail is sent', () => rig.mails.some((mail) => mail.subject.includes('ready')))
    const data = await exportData(rig.context, begun.session)
    expect(data).toMatchObject({ repairs: [{ state: 'completed' }], charges: [{ state: 'spent' }] })
    expect(data.charges).toHaveLength(1)
    expect(rig.mails.filter((mail) => mail.subject.includes('ready'))).toHaveLength(1)
    const results: string[] = []
    for await (const { key } of rig.context.storage.list('results/')) results.push(key)
    expect(results).toHaveLength(1)
    expect(await mayUpload(rig.context, begun.session, 'video')).toBe(false)
  } finally {
    await worker.close()
    await rig.context.close()
  }
}

describe('a worker that is killed', () => {
  test.each(['repair', 'preview', 'stored'])(
    'at the step "%s" leaves the job to the next one, which ends it once',
    async (step) => {
      await killAt(step)
      await endsOnce()
    },
  )

  test('more often than a repair has attempts, and at different steps, still leaves a job that ends once', async () => {
    for (const step of ['repair', 'stored', 'repair', 'repair']) await killAt(step)
    await endsOnce()
  })

  test('every time, without end, costs the repair, not the place', async () => {
    await killAt('repair')
    const between = await openRig({ folder })
    await between.context.db.execute(
      sql`UPDATE pgboss.job SET retry_count = retry_limit - 1 WHERE name = 'repair'`,
    )
    await between.context.close()
    await killAt('repair')
    const rig = await openRig({ folder })
    const worker = await startWorker(rig.context, { tools: pretendedTools(async () => {}) })
    await ended(rig, begun)
    const progress = await checkProgress(rig.context, begun.session, 'video', begun.timestamp)
    expect(progress).toMatchObject({
      status: 'Failed',
      message: 'An error occurred during the repair process.',
    })
    expect(await mayUpload(rig.context, begun.session, 'video')).toBe(true)
    await worker.close()
    await rig.context.close()
  })
})
