import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Script } from 'node:vm'
import type { OutputOptions } from 'rolldown'
import { passingName } from './passing-name.ts'

/** What the engine process runs. */
export interface EngineCode {
  /** The file it starts with. */
  readonly entry: string
  /** Files and folders it may read, and no others. */
  readonly readable: readonly string[]
}

const require = createRequire(import.meta.url)
const SOURCES = dirname(fileURLToPath(import.meta.url))
const ENGINE_SOURCES = dirname(require.resolve('@mendframe/engine'))
const ENTRY = join(SOURCES, 'child.ts')
const START = join(SOURCES, 'engine-start.ts')
const BUILD = join(dirname(SOURCES), 'build')
/** What folders of finished code begin with. */
const NAME = 'engine-'
/** Milliseconds for which a bundle that another process may be about to start is left alone. */
const KEPT = 24 * 60 * 60 * 1000

/**
 * The engine process as one plain script, because hundreds of typed modules take ten times as long to start, with what the
 * runtime makes of it, which halves the rest. It is made when there is none of these very sources and this runtime, and kept in
 * the folder `build`; where that may not be written, the sources themselves are run.
 */
export async function engineCode(build = BUILD): Promise<EngineCode> {
  const folder = join(build, NAME + mark())
  if (!existsSync(folder)) {
    if (!mayWrite(build)) return sources()
    await make(build, folder)
  }
  return codeIn(folder)
}

/** What was made last, whatever of; undefined where nothing was. */
export function lastEngineCode(build = BUILD): EngineCode | undefined {
  let last: { readonly folder: string; readonly made: number } | undefined
  for (const name of existsSync(build) ? readdirSync(build) : []) {
    const folder = join(build, name)
    const made = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0
    if (name.startsWith(NAME) && made > (last?.made ?? 0)) last = { folder, made }
  }
  return last && codeIn(last.folder)
}

function codeIn(folder: string): EngineCode {
  return { entry: join(folder, 'start.mjs'), readable: [folder] }
}

function sources(): EngineCode {
  const links = (require.resolve.paths('@mendframe/engine') ?? [])
    .map((folder) => join(folder, '@mendframe', 'engine'))
    .filter((folder) => existsSync(folder))
  return { entry: ENTRY, readable: [dirname(SOURCES), dirname(ENGINE_SOURCES), ...links] }
}

/** Changes whenever a source file or the runtime does. */
function mark(): string {
  // loaded here, when the engine's process may be starting already
  const { createHash } = process.getBuiltinModule('node:crypto')
  const hash = createHash('sha256').update(`${process.version} ${process.arch}`)
  for (const folder of [SOURCES, ENGINE_SOURCES]) {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      const path = join(entry.parentPath, entry.name)
      const { size, mtimeMs } = statSync(path)
      hash.update(`${path}\0${size}\0${mtimeMs}\0`)
    }
  }
  return hash.digest('hex').slice(0, 16)
}

function mayWrite(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true })
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    // A read-only installation is a lawful one.
    return false
  }
}

/** Writes the scripts beside their place first: several processes may do so at once, and none sees half of them. */
async function make(build: string, folder: string): Promise<void> {
  const staging = join(build, passingName())
  const script = join(staging, 'engine.js')
  try {
    await bundle(START, join(staging, 'start.mjs'), { format: 'esm' })
    // a function of one parameter, so that it is a script that can be compiled before it is run
    await bundle(ENTRY, script, { format: 'cjs', banner: "(function (require) { 'use strict'", footer: '})' })
    const text = inAscii(readFileSync(script, 'utf8'))
    writeFileSync(script, text)
    const compiled = new Script(text, { filename: script }).createCachedData()
    writeFileSync(join(staging, 'engine.compiled'), compiled)
    renameSync(staging, folder)
  } catch (error) {
    // somebody else was first
    if (!existsSync(folder)) throw error
  } finally {
    rmSync(staging, { force: true, recursive: true })
  }
  removeOld(build)
}

/** With escapes for what is not ASCII: text of one byte a character is read in half of the time. */
function inAscii(script: string): string {
  return script.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Without what only readers need: names of functions and classes stay, for what a crash says. */
async function bundle(input: string, file: string, output: OutputOptions): Promise<void> {
  const { rolldown } = await import('rolldown')
  const made = await rolldown({ input, platform: 'node', logLevel: 'silent' })
  try {
    const mangle = { keepNames: true }
    const minify = { compress: false, mangle, codegen: true }
    await made.write({ ...output, file, minify, codeSplitting: false })
  } finally {
    await made.close()
  }
}

function removeOld(build: string): void {
  for (const name of readdirSync(build)) {
    const path = join(build, name)
    const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() }
    if (Date.now() - mtimeMs > KEPT) rmSync(path, { force: true, recursive: true })
  }
}
