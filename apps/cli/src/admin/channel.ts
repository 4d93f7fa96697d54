import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdirSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { EnvironmentError, UsageError } from '@mendframe/runner'

/** Longest path that every system takes for a socket. */
const LONGEST_PATH = 100
/** Longest command line accepted, in characters. */
const LONGEST_REQUEST = 1 << 20

/** Does one admin command; what it returns must survive JSON. */
export type Perform = (command: string, values: Readonly<Record<string, unknown>>) => Promise<unknown>

type Reply =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly kind: 'usage' | 'fault'; readonly message: string }

/**
 * Where admin commands reach the running service: a socket that only its owner may open. The embedded database
 * belongs to the service alone, so whoever wants something of it has to ask there.
 */
export function channelPath(dataFolder: string): string {
  const mark = createHash('sha256').update(dataFolder).digest('hex').slice(0, 16)
  if (process.platform === 'win32') return `\\\\.\\pipe\\mendframe-${mark}`
  const beside = join(dataFolder, 'admin.sock')
  if (Buffer.byteLength(beside) <= LONGEST_PATH) return beside
  return join(tmpdir(), `mendframe-${userInfo().uid}-${mark}`, 'admin.sock')
}

/** Answers admin commands until `close` of the answer. The caller holds the data folder's lock. */
export async function openChannel(dataFolder: string, perform: Perform): Promise<{ close(): Promise<void> }> {
  const path = channelPath(dataFolder)
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    serve(socket, perform)
  })
  if (process.platform !== 'win32') {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    // Nobody else holds the lock, so a socket that is there was left by a process that died.
    rmSync(path, { force: true })
  }
  server.listen(path)
  await once(server, 'listening')
  if (process.platform !== 'win32') chmodSync(path, 0o600)
  return {
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
      // A folder of our own in the temporary one was made for the socket alone.
      if (process.platform !== 'win32' && dirname(path) !== dataFolder)
        rmSync(dirname(path), { recursive: true })
    },
  }
}

function serve(socket: Socket, perform: Perform): void {
  let length = 0
  socket.on('data', (chunk) => {
    length += chunk.length
    if (length > LONGEST_REQUEST) socket.destroy()
  })
  createInterface({ input: socket }).once('line', async (line) => {
    const reply = await answer(line, perform)
    socket.end(`${JSON.stringify(reply)}\n`)
  })
}

async function answer(line: string, perform: Perform): Promise<Reply> {
  try {
    const { command, values } = JSON.parse(line)
    return { ok: true, result: await perform(String(command), values) }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { ok: false, kind: error instanceof UsageError ? 'usage' : 'fault', message }
  }
}

/**
 * Asks the running service to do a command. Answers undefined when no service runs on this data folder.
 * @throws UsageError when the command is wrong, EnvironmentError when it fails
 */
export async function askService(
  dataFolder: string,
  command: string,
  values: Readonly<Record<string, unknown>>,
): Promise<{ readonly result: unknown } | undefined> {
  const socket = connect(channelPath(dataFolder))
  try {
    await once(socket, 'connect')
  } catch {
    // Nobody listens: the caller opens the database itself and is refused there if that is wrong.
    return undefined
  }
  socket.write(`${JSON.stringify({ command, values })}\n`)
  for await (const line of createInterface({ input: socket })) {
    const reply: Reply = JSON.parse(line)
    if (reply.ok) return { result: reply.result }
    throw reply.kind === 'usage' ? new UsageError(reply.message) : new EnvironmentError(reply.message)
  }
  throw new EnvironmentError('the running service ended before it answered')
}
