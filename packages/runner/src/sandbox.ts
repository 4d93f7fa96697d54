import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Node's permission model: our own code is readable, and nothing else exists. */
export function sandboxFlags(): string[] {
  const require = createRequire(import.meta.url)
  const runner = dirname(dirname(fileURLToPath(import.meta.url)))
  const engine = dirname(dirname(require.resolve('@mendframe/engine')))
  const links = (require.resolve.paths('@mendframe/engine') ?? [])
    .map((folder) => join(folder, '@mendframe', 'engine'))
    .filter((folder) => existsSync(folder))
  const readable = new Set([runner + sep, engine + sep, ...links])
  return ['--permission', ...[...readable].map((path) => `--allow-fs-read=${path}`)]
}

/** Secrets in our environment are none of the engine's business; Windows needs its system folder to start anything. */
export function sandboxEnvironment(): Record<string, string> {
  const root = process.env.SystemRoot
  return root === undefined ? {} : { SystemRoot: root }
}
