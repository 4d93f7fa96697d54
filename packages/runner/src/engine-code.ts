import { createHash, randomUUID } from 'node:crypto'
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

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
const BUILD = join(dirname(SOURCES), 'build')
/** Milliseconds for which a bundle that another process may be about to start is left alone. */
const KEPT = 24 * 60 * 60 * 1000

/**
 * The engine process as one plain script, because hundreds of typed modules take ten times as long to start. It is made when
 * there is none of these very sources, and kept in the folder `build`; where that may not be written, the sources themselves are run.
 */
export async function engineCode(build = BUILD): Promise<EngineCode> {
  const entry = join(build, `engine-${mark()}.mjs`)
  if (!existsSync(entry)) {
    if (!mayWrite(build)) return sources()
    await bundle(build, entry)
  }
  return { entry, readable: [entry] }
}

function sources(): EngineCode {
  const links = (require.resolve.paths('@mendframe/engine') ?? [])
    .map((folder) => join(folder, '@mendframe', 'engine'))
    .filter((folder) => existsSync(folder))
  return { entry: ENTRY, readable: [dirname(SOURCES), dirname(ENGINE_SOURCES), ...links] }
}

/** Changes whenever a source file does. */
function mark(): string {
  const hash = createHash('sha256')
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

/** Writes the bundle beside its place first: several processes may do so at once, and none sees half of one. */
async function bundle(build: string, entry: string): Promise<void> {
  const { rolldown } = await import('rolldown')
  const made = await rolldown({ input: ENTRY, platform: 'node', logLevel: 'silent' })
  const staging = join(build, `${randomUUID()}.mjs`)
  try {
    await made.write({ file: staging, format: 'esm', codeSplitting: false })
    renameSync(staging, entry)
  } finally {
    await made.close()
    rmSync(staging, { force: true })
  }
  removeOld(build)
}

function removeOld(build: string): void {
  for (const name of readdirSync(build)) {
    const path = join(build, name)
    const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() }
    if (Date.now() - mtimeMs > KEPT) rmSync(path, { force: true })
  }
}
