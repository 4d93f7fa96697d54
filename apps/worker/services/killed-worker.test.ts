import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { exportData } from '@mendframe/backend'
import { createTestPostgres } from '@mendframe/backend/testing'
import { expect, test } from 'vitest'
import { startWorker } from '../src/index.ts'
import { pretendedTools } from '../test/support/pretended-tools.ts'
import { beginRepair, ended, openRig, until } from '../test/support/rig.ts'

const SCRIPT = fileURLToPath(new URL('../test/support/doomed-worker.ts', import.meta.url))
const INPUTS = { damaged: Buffer.alloc(500, 1), sample: Buffer.alloc(400, 2) }

test('of several workers on one database, another takes over what a killed one held, and it ends once', async () => {
  const postgres = await createTestPostgres()
  const rig = await openRig({ settings: postgres.settings })
  const child = spawn(process.execPath, [SCRIPT, rig.folder, 'repair'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...postgres.settings },
  })
  const exit = once(child, 'exit')
  const lines: string[] = []
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
  await until('the worker works', () => lines.includes('working'))
  const begun = await beginRepair(rig, 'taken-over@example.com', INPUTS)
  await until('the worker holds the job', () => lines.includes('reached'))
  const worker = await startWorker(rig.context, { tools: pretendedTools(async () => {}) })
  child.kill('SIGKILL')
  await exit
  expect(await ended(rig, begun, 60_000)).toMatchObject({ status: 'Completed' })
  const data = await exportData(rig.context, begun.session)
  expect(data).toMatchObject({ repairs: [{ state: 'completed', attempt: 2 }], charges: [{ state: 'spent' }] })
  await worker.close()
  await rig.context.close()
  await rig.remove()
  await postgres.drop()
})
