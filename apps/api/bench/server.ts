import { createContext, loadConfig } from '@mendframe/backend'
import { createServer } from '../src/index.ts'

/* The server of the bench in a process of its own: as it runs in earnest, with its limits out of the way. */

const config = loadConfig({
  RATE_SIGNUPS: '1000000',
  RATE_LOGINS: '1000000',
  RATE_CALLS: '10000000',
  MAX_OPEN_UPLOADS: '1000',
  LOG_LEVEL: 'info',
  ...process.env,
})
const context = await createContext(config)
const app = await createServer(context)
const address = await app.listen({ host: '127.0.0.1', port: 0 })
const before = process.cpuUsage()
process.stderr.write(`listening ${address}\n`)
process.once('SIGTERM', async () => {
  const { user, system } = process.cpuUsage(before)
  process.stderr.write(`cpu ${(user + system) / 1000}\n`)
  await app.close()
  await context.close()
})
