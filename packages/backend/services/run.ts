import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startPostgres } from './postgres-server.ts'
import type { Started } from './process.ts'
import { startSwift } from './swift-server.ts'

/*
 * `npm run test:services`: the service's suites on PostgreSQL and an S3-compatible store. What MENDFRAME_TEST_DATABASE_URL and
 * MENDFRAME_TEST_S3 name is used; what they leave open is installed (Debian, as root), started in a folder of its own, and
 * stopped in the end. Arguments go to the test runner.
 */

const CONFIG = fileURLToPath(new URL('../vitest.services.config.ts', import.meta.url))

const folder = mkdtempSync(join(tmpdir(), 'mendframe-services-'))
// PostgreSQL's own user has to get to its folder in there.
chmodSync(folder, 0o711)
const started: Started[] = []
try {
  const env = { ...process.env }
  if (!env.MENDFRAME_TEST_DATABASE_URL) {
    const server = await startPostgres(folder)
    started.push(server)
    env.MENDFRAME_TEST_DATABASE_URL = server.url
  }
  if (!env.MENDFRAME_TEST_S3) {
    const server = await startSwift(folder)
    started.push(server)
    env.MENDFRAME_TEST_S3 = server.settings
  }
  const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')
  const child = spawn(process.execPath, [vitest, 'run', '--config', CONFIG, ...process.argv.slice(2)], {
    stdio: 'inherit',
    env,
  })
  const [code] = await once(child, 'exit')
  process.exitCode = code ?? 1
} finally {
  for (const server of started.reverse()) await server.stop()
  rmSync(folder, { recursive: true, force: true })
}
