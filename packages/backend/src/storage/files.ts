import { open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/* What the parts of the folder driver do with files. */

/** Makes a file's bytes durable before it gets its name. */
export async function sync(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

export function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}

/** Removes what has not changed in a folder since a time. */
export async function removeOlder(folder: string, before: Date): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const about = await stat(path)
    if (about.mtime < before) await rm(path, { recursive: true, force: true })
  }
}
