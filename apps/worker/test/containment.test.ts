import { createLogger, loadConfig } from '@mendframe/backend'
import { lookAtHost, protectionsOf } from '@mendframe/confined'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { containment } from '../src/index.ts'
import { startWorker } from '../src/worker.ts'
import { openRig, type Rig } from './support/rig.ts'

const BARE = { means: 'none', filter: false } as const
const PRODUCTION = {
  MENDFRAME_MODE: 'production',
  PUBLIC_URL: 'https://repair.example.org',
  LOG_LEVEL: 'warn',
}

let rig: Rig
const lines: string[] = []
beforeAll(async () => {
  const log = createLogger(loadConfig({ LOG_LEVEL: 'warn' }), { write: (line: string) => lines.push(line) })
  rig = await openRig({ settings: PRODUCTION, log })
})
afterAll(async () => {
  await rig.context.close()
  await rig.remove()
})

test('in production no worker starts where FFmpeg`s process is not contained, and the reason names what to do', async () => {
  lines.length = 0
  const started = startWorker(rig.context, { host: BARE })
  await expect(started).rejects.toThrow(/not contained here.*install bubblewrap.*MEDIA_CONTAINMENT=preferred/)
  expect(lines).toHaveLength(3)
  for (const { note } of protectionsOf(BARE)) expect(lines.join()).toContain(note)
})

test('it starts where a room and limits are there, and says that calls are not filtered', async () => {
  lines.length = 0
  const host = { means: 'namespaces', filter: false, prlimit: '/usr/bin/prlimit' } as const
  const worker = await startWorker(rig.context, { host })
  await worker.close()
  expect(lines).toHaveLength(1)
  expect(lines.join()).toContain('bubblewrap has to work')
})

test('containment is required in production unless a setting says otherwise, and preferred elsewhere', () => {
  const of = (settings: Record<string, string>) => loadConfig(settings).worker.containment
  expect(of({})).toBe('preferred')
  expect(of(PRODUCTION)).toBe('required')
  expect(of({ ...PRODUCTION, MEDIA_CONTAINMENT: 'preferred' })).toBe('preferred')
  expect(of({ MEDIA_CONTAINMENT: 'required' })).toBe('required')
})

test('an operator reads the same lines', async () => {
  expect(await containment()).toEqual(protectionsOf(await lookAtHost()))
})
