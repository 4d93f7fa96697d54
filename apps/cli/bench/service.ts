import { createServer } from '@mendframe/api'
import { createContext, loadConfig } from '@mendframe/backend'
import { startWorker } from '@mendframe/worker'

/* API and worker as `mendframe serve` starts them, without the pages. */

const config = loadConfig(process.env)
const context = await createContext(config)
const server = await createServer(context)
const worker = await startWorker(context)
const address = await server.listen({ host: '127.0.0.1', port: 0 })
const { concurrency, perAccount } = config.worker
process.stderr.write(`listening ${address}\nplaces ${concurrency}, ${perAccount} of one account\n`)
process.once('SIGTERM', async () => {
  await server.close()
  await worker.close()
  await context.close()
})
