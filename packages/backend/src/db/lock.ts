import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { SetupError } from '../failure.ts'

/** A held lock on the data folder. */
export interface FolderLock {
  release(): void
}

/**
 * Takes the data folder for this process alone, or refuses. The lock is the operating system's lock on one file, held
 * through SQLite (the only portable way to it without a native package): it ends with the process however that ends,
 * works between containers that share the folder, and no stale file can block a start.
 * @throws SetupError when another process holds it.
 */
export function lockFolder(folder: string): FolderLock {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = new DatabaseSync(join(folder, 'lock'), { timeout: 0 })
  try {
    file.exec('PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  } catch (error) {
    file.close()
    if (error instanceof Error && /locked|busy/.test(error.message)) {
      throw new SetupError(
        `Another Mendframe is running on the data folder ${folder}. Stop it first, or set MENDFRAME_DATA.`,
      )
    }
    throw new SetupError(`The data folder ${folder} cannot be locked.`, { cause: error })
  }
  return { release: () => file.close() }
}
