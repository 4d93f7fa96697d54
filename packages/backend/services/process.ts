import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync } from 'node:fs'
import { createServer } from 'node:net'
import { delimiter, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'

/** A server started for the tests. */
export interface Started {
  stop(): Promise<void>
}

export const run = promisify(execFile)
const PATIENCE_MS = 60_000

/** Path of a program, also in folders that a short path leaves out. */
export function find(name: string, ...more: readonly string[]): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin', ...more]
  return folders.map((folder) => join(folder, name)).find(exists)
}

function exists(path: string): boolean {
  try {
    accessSync(path)
    return true
  } catch {
    return false
  }
}

/** Installs Debian packages. @throws where this is no Debian or we are not root. */
export async function install(...packages: readonly string[]): Promise<void> {
  process.stdout.write(`Installing ${packages.join(', ')}.\n`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  await run('apt-get', ['update', '-qq'], { env })
  await run('apt-get', ['install', '-qq', '-y', '--no-install-recommends', ...packages], { env })
}

/** Starts a server whose last words are kept for the case that it ends by itself. */
export function serve(
  command: string,
  args: readonly string[],
  options: { readonly uid?: number; readonly gid?: number; readonly cwd?: string } = {},
): Started {
  const child: ChildProcess = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  let stopping = false
  const hear = (text: Buffer) => {
    said = (said + text.toString()).slice(-4_000)
  }
  child.stdout?.on('data', hear)
  child.stderr?.on('data', hear)
  child.once('exit', (code) => {
    if (!stopping) process.stderr.write(`${command} ended by itself (${code}): ${said}\n`)
  })
  return {
    stop: async () => {
      stopping = true
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      child.kill('SIGINT')
      const late = setTimeout(5_000, 'late', { ref: false })
      if ((await Promise.race([gone, late])) === 'late') child.kill('SIGKILL')
      await gone
    },
  }
}

/** Tries until it works. @throws what the last try threw */
export async function until(attempt: () => Promise<void>): Promise<void> {
  const end = Date.now() + PATIENCE_MS
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (Date.now() > end) throw error
      await setTimeout(100)
    }
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('the system named no port')
  return address.port
}
