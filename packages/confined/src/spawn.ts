import { type ChildProcess, spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import { Writable } from 'node:stream'
import { bubblewrapArguments, FILTER_DESCRIPTOR } from './bubblewrap.ts'
import { filterProgram } from './filter.ts'
import type { Host } from './host.ts'
import { limited } from './limits.ts'
import { mountsOf, type Room } from './room.ts'
import { unshareArguments } from './unshare.ts'

/** The niceness of work that nobody watches second by second. */
const BACKGROUND = 19

/**
 * Starts Node with these arguments (flags and a script) in a room of its own: as far as the host can, it sees no other files,
 * no network, no other process and nothing of our environment, and is held to its limits. Its standard streams are pipes.
 * Killing the process that is answered kills everything in the room.
 */
export function spawnConfined(host: Host, args: readonly string[], room: Room): ChildProcess {
  const command = [process.execPath, ...args]
  const [program = '', ...rest] = commandLine(host, room, command)
  const filter = host.means === 'bubblewrap' && host.filter ? filterProgram() : undefined
  const child = spawn(program, rest, {
    stdio: ['pipe', 'pipe', 'pipe', ...(filter ? ['pipe' as const] : [])],
    env: environment(room),
    windowsHide: true,
    // A session and a group of processes of its own: no terminal, and all can be ended as one.
    detached: process.platform !== 'win32',
  })
  stepBack(child)
  const handing = child.stdio[FILTER_DESCRIPTOR]
  if (filter && handing instanceof Writable) {
    // A helper that dies before it has read is told by its exit.
    handing.on('error', () => {})
    handing.end(filter)
  }
  return child
}

/**
 * Kills a process that `spawnConfined` started and everything in its room; one that has ended is left alone. A room that is
 * still being made does not end with its maker: what would live in it waits for the maker without end, and keeps the pipes.
 * So the whole group goes at once.
 */
export function endConfined(child: ChildProcess): void {
  const { pid, exitCode, signalCode } = child
  if (pid === undefined || exitCode !== null || signalCode !== null) return
  if (process.platform === 'win32') child.kill('SIGKILL')
  else process.kill(-pid, 'SIGKILL')
}

/**
 * Lets everything else go first on a busy processor: those who talk to the service do not feel that others' files are in work.
 */
export function stepBack({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    setPriority(pid, BACKGROUND)
  } catch {
    // It has ended already, or the system does not allow it: it is only slower for others then.
  }
}

function commandLine(host: Host, room: Room, command: readonly string[]): string[] {
  const { bwrap, unshare, setpriv, prlimit } = host
  const tools = prlimit === undefined ? [] : [prlimit]
  if (bwrap !== undefined) {
    const inside = limited(host.prlimit, room.limits, command)
    return [bwrap, ...bubblewrapArguments(mountsOf(room, tools), host.filter, inside)]
  }
  if (unshare !== undefined && setpriv !== undefined) {
    const inside = limited(host.prlimit, room.limits, command)
    return [unshare, ...unshareArguments(mountsOf(room, [...tools, setpriv]), setpriv, inside)]
  }
  // Outside a room everything of the same user counts as its processes.
  const { processes: _, ...limits } = room.limits
  return limited(host.prlimit, limits, command)
}

/** Nothing of the caller's environment but what a system needs to load libraries and start a program. */
function environment({ output }: Room): NodeJS.ProcessEnv {
  const kept: NodeJS.ProcessEnv = {}
  for (const name of ['LD_LIBRARY_PATH', 'SystemRoot', 'TEMP']) {
    const value = process.env[name]
    if (value !== undefined) kept[name] = value
  }
  return output === undefined ? kept : { ...kept, TMPDIR: output }
}
