import { existsSync, lstatSync, readlinkSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import type { Limits } from './limits.ts'

/** All that a program in a room of its own sees of the machine, under the paths it has outside. */
export interface Room {
  /** Files and folders the program is made of. */
  readonly code: readonly string[]
  /** Files it works on. */
  readonly inputs: readonly string[]
  /** A folder for what it makes, made for it alone. */
  readonly output?: string
  readonly limits: Limits
}

/** Something of the machine that is shown in a room. */
export type Mount =
  | { readonly kind: 'code' | 'input' | 'output' | 'device'; readonly path: string }
  | { readonly kind: 'link'; readonly path: string; readonly target: string }

/** Where systems keep the shared libraries that the runtime and its native modules load; no programs, no settings. */
const LIBRARIES = [
  '/usr/lib',
  '/usr/lib64',
  '/usr/lib32',
  '/usr/local/lib',
  '/lib',
  '/lib64',
  '/etc/ld.so.cache',
  '/nix/store',
]
const DEVICES = ['/dev/null', '/dev/zero', '/dev/random', '/dev/urandom']

/** The package a script belongs to and what is installed for it. */
export function codeOf(script: string): string[] {
  const found: string[] = []
  let inPackage = true
  for (let folder = dirname(script); ; folder = dirname(folder)) {
    const installed = join(folder, 'node_modules')
    if (existsSync(installed)) found.push(installed)
    if (inPackage && existsSync(join(folder, 'package.json'))) {
      found.push(folder)
      inPackage = false
    }
    if (folder === dirname(folder)) return found
  }
}

/** Everything that is shown in a room, outer folders before what lies in them. */
export function mountsOf(room: Room, tools: readonly string[]): Mount[] {
  const libraries = [...LIBRARIES, ...libraryFolders()].filter((path) => existsSync(path))
  const mounts: Mount[] = [
    ...libraries.map(library),
    ...[process.execPath, ...tools, ...room.code].map((path) => mount('code', path)),
    ...DEVICES.map((path) => mount('device', path)),
    ...room.inputs.map((path) => mount('input', path)),
    ...(room.output === undefined ? [] : [mount('output', room.output)]),
  ]
  return mounts.sort((a, b) => a.path.length - b.path.length)
}

function mount(kind: 'code' | 'input' | 'output' | 'device', path: string): Mount {
  return { kind, path: resolve(path) }
}

/** On many systems `/lib` is another name of `/usr/lib`. */
function library(path: string): Mount {
  if (!lstatSync(path).isSymbolicLink()) return mount('code', path)
  return { kind: 'link', path, target: readlinkSync(path) }
}

/** Folders that this process itself was told to take libraries from. */
export function libraryFolders(): string[] {
  return (process.env.LD_LIBRARY_PATH ?? '').split(':').filter((path) => isAbsolute(path))
}
