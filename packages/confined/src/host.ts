import { execFile } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { canFilter } from './filter.ts'
import { UNSHARE_FLAGS } from './unshare.ts'

/** What makes rooms: a helper program, namespaces made by the system's own tools, or nothing. */
export type Means = 'bubblewrap' | 'namespaces' | 'none'

/** What this machine can do to contain a process. */
export interface Host {
  readonly means: Means
  /** Paths of the tools; absent when there are none, or they are of no use here. */
  readonly bwrap?: string
  readonly unshare?: string
  readonly setpriv?: string
  readonly prlimit?: string
  /** Whether system calls can be refused, too. */
  readonly filter: boolean
}

/** Folders of system tools, for services that are started with a short path. */
const TOOL_FOLDERS = ['/usr/bin', '/bin', '/usr/sbin', '/sbin']
const PATIENCE_MS = 10_000

const known = new Map<Means, Promise<Host>>()

/** Looks once which means work here; `best` leaves out better ones. */
export function lookAtHost(best: Means = 'bubblewrap'): Promise<Host> {
  const looked = known.get(best) ?? look(best)
  known.set(best, looked)
  return looked
}

async function look(best: Means): Promise<Host> {
  if (process.platform !== 'linux') return { means: 'none', filter: false }
  const prlimit = find('prlimit')
  const base = prlimit === undefined ? {} : { prlimit }
  const bwrap = best === 'bubblewrap' ? find('bwrap') : undefined
  if (bwrap !== undefined && (await works(bwrap, [...TRIAL, find('true') ?? 'true']))) {
    return { ...base, means: 'bubblewrap', bwrap, filter: canFilter() }
  }
  const unshare = best === 'none' ? undefined : find('unshare')
  const setpriv = find('setpriv')
  if (unshare !== undefined && setpriv !== undefined && (await works(unshare, [...UNSHARE_FLAGS, 'true']))) {
    return { ...base, means: 'namespaces', unshare, setpriv, filter: false }
  }
  return { ...base, means: 'none', filter: false }
}

/** A room with everything in it, only to see whether the system lets us make one. */
const TRIAL = ['--unshare-user', '--unshare-pid', '--unshare-net', '--ro-bind', '/', '/', '--proc', '/proc']

function find(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...TOOL_FOLDERS]
  return folders.map((folder) => join(folder, name)).find(isProgram)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function works(command: string, args: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    execFile(command, args, { timeout: PATIENCE_MS }, (error) => resolve(error === null))
  })
}
