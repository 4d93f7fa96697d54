import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { StoredPart } from '../ports/storage.ts'
import { randomId } from '../random.ts'
import { isAbsent, removeOlder, sync } from './files.ts'
import { type Meter, UploadRefused } from './meter.ts'
import type { SignedAccess } from './signing.ts'

/** Name of the growing file of an upload. */
const WHOLE = 'whole'
/** Begins the names of files that stand for somebody who may be writing. */
const WRITER = 'writer-'
/** Ends the names of folders of uploads that take no more. */
const CLOSED = '.closed'

/**
 * Uploads in parts in a folder, each with a folder of its own. Parts are written to their place in one file, so that joining
 * them is a rename; a file of its number marks each part that is whole.
 */
export class FolderParts {
  readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  async create(): Promise<string> {
    const driverId = randomId()
    const folder = this.#path(driverId)
    await mkdir(folder, { mode: 0o700 })
    await writeFile(join(folder, WHOLE), '', { mode: 0o600 })
    return driverId
  }

  /**
   * Takes the body of a part.
   * @throws UploadRefused for another number of bytes than was signed, or when the upload was joined or given up meanwhile.
   */
  async receive(part: NonNullable<SignedAccess['part']>, body: Readable, meter: Meter): Promise<number> {
    const folder = this.#path(part.driverId)
    const marker = join(folder, String(part.number))
    const writer = join(folder, `${WRITER}${randomId()}`)
    try {
      await writeFile(writer, '', { mode: 0o600 })
      await rm(marker, { force: true })
      const file = createWriteStream(join(folder, WHOLE), { flags: 'r+', start: part.offset, flush: true })
      try {
        await pipeline(body, meter, file)
      } finally {
        if (!file.closed) await once(file, 'close')
        await rm(writer, { force: true })
      }
      meter.check()
      await writeFile(marker, String(meter.received), { mode: 0o600 })
      return meter.received
    } catch (error) {
      throw isAbsent(error) ? new UploadRefused('closed') : error
    }
  }

  /** The parts that are whole; none of an upload that is over. */
  async list(driverId: string): Promise<readonly StoredPart[]> {
    return listParts(this.#path(driverId))
  }

  /**
   * Makes the parts 1 to `count` one file at `target`. The folder loses its name first, so that no writer can begin; where
   * one had begun before, its late bytes would reach the file itself, and the result is a copy.
   * @throws when a part is missing.
   */
  async join(driverId: string, count: number, target: string): Promise<void> {
    const open = this.#path(driverId)
    const closed = `${open}${CLOSED}`
    // A joining that was cut off is taken up again: its folder is closed already.
    await move(open, closed)
    if ((await listParts(closed)).length !== count) {
      await move(closed, open)
      throw new Error('parts are missing')
    }
    const whole = join(closed, WHOLE)
    if ((await readdir(closed)).some((name) => name.startsWith(WRITER))) {
      const settled = join(closed, 'settled')
      await copyFile(whole, settled)
      await sync(settled)
      await rename(settled, target)
    } else {
      await rename(whole, target)
    }
    await rm(closed, { recursive: true, force: true })
  }

  /** Gives an upload up; absent is fine. */
  async drop(driverId: string): Promise<void> {
    const open = this.#path(driverId)
    const closed = `${open}${CLOSED}`
    await move(open, closed)
    await rm(closed, { recursive: true, force: true })
  }

  /** Drops uploads in which nothing has happened since a time. */
  async sweep(before: Date): Promise<void> {
    await removeOlder(this.folder, before)
  }

  #path(driverId: string): string {
    if (!/^[a-z0-9]+$/.test(driverId)) throw new Error('not an upload id')
    return join(this.folder, driverId)
  }
}

/** Renames a folder that may be gone. */
async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    if (!isAbsent(error)) throw error
  }
}

async function listParts(folder: string): Promise<readonly StoredPart[]> {
  const parts: StoredPart[] = []
  for (const name of await namesIn(folder)) {
    if (!/^\d+$/.test(name)) continue
    parts.push({ partNumber: Number(name), size: Number(await readFile(join(folder, name), 'utf8')) })
  }
  return parts.sort((a, b) => a.partNumber - b.partNumber)
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isAbsent(error)) return []
    throw error
  }
}
