import { createServer } from '@mendframe/api'
import { type Context, createContext } from '@mendframe/backend'
import { startWorker } from '@mendframe/worker'
import { openChannel } from '../admin/channel.ts'
import { performOn } from '../admin/operations.ts'
import type { Interruption } from '../interruption.ts'
import { readyLines } from '../service/environment.ts'
import { listen, localAddress } from '../service/listen.ts'
import { readSettings, requireServerDatabase } from '../service/settings.ts'
import { untilStopped } from '../service/until-stopped.ts'
import { ensureWebBuild, WEB_FOLDER } from '../web-build/ensure.ts'

/** `mendframe serve`: pages, API and worker in one process group on one address, until it is stopped. */
export async function serveCommand(stop: Interruption): Promise<number> {
  const config = await readSettings(process.stdout.isTTY)
  await using opened = new AsyncDisposableStack()
  const context = await createContext(config)
  opened.defer(() => context.close())
  const server = await openServer(context, opened, stop)
  const worker = await startWorker(context)
  opened.defer(() => worker.close())
  if (context.embedded) {
    const channel = await openChannel(config.dataFolder, performOn(context))
    opened.defer(() => channel.close())
  }
  await listen(server, config.host, config.port)
  process.stdout.write(readyLines(localAddress(config.host, config.port), config.dataFolder))
  await untilStopped(stop.signal)
  return 0
}

/** `mendframe api`: pages and API only; any number of them on one PostgreSQL. */
export async function apiCommand(stop: Interruption): Promise<number> {
  const config = await readSettings(process.stdout.isTTY)
  requireServerDatabase(config, 'api')
  await using opened = new AsyncDisposableStack()
  const context = await createContext(config)
  opened.defer(() => context.close())
  const server = await openServer(context, opened, stop)
  await listen(server, config.host, config.port)
  process.stdout.write(readyLines(localAddress(config.host, config.port), config.dataFolder))
  await untilStopped(stop.signal)
  return 0
}

/** Pages and API, closed with what is opened before them; the pages are built where they are not yet. */
async function openServer(context: Context, opened: AsyncDisposableStack, stop: Interruption) {
  await ensureWebBuild(
    () => process.stdout.write('Building the web app, this takes a moment.\n'),
    stop.signal,
  )
  const server = await createServer(context, { webFolder: WEB_FOLDER })
  opened.defer(() => server.close())
  return server
}

/** `mendframe worker`: takes jobs only; any number of them on one PostgreSQL and one file store. */
export async function workerCommand(stop: Interruption): Promise<number> {
  const config = await readSettings(process.stdout.isTTY)
  requireServerDatabase(config, 'worker')
  await using opened = new AsyncDisposableStack()
  const context = await createContext(config)
  opened.defer(() => context.close())
  const worker = await startWorker(context)
  opened.defer(() => worker.close())
  process.stdout.write('Mendframe takes jobs now.\nStop it with Ctrl-C.\n')
  await untilStopped(stop.signal)
  return 0
}
