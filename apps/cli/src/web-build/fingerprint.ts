import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * A hash over names and contents of files and of everything under folders. Contents, because a fresh clone gives every
 * file the same time. What does not exist counts as empty.
 */
export function fingerprint(paths: readonly string[]): string {
  const hash = createHash('sha256')
  for (const path of paths) add(hash, path, path)
  return hash.digest('hex')
}

function add(hash: ReturnType<typeof createHash>, path: string, name: string): void {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats?.isDirectory()) {
    for (const entry of readdirSync(path).sort()) add(hash, join(path, entry), `${name}/${entry}`)
  } else if (stats?.isFile()) {
    const bytes = readFileSync(path)
    hash.update(`${name}\0${bytes.length}\0`).update(bytes)
  }
}
