import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { PreparedPGlite } from '../src/db/prepared-pglite.ts'
import { createContext, loadConfig } from '../src/index.ts'

export { sql } from 'drizzle-orm'
export { signStoreEvent as signEvent } from '../src/index.ts'
export { createTestPostgres, isPostgresTested, type TestPostgres } from './postgres.ts'

/* A database for a test in half a second: making an empty one anew and setting it up takes ten times as long. */

/**
 * An embedded database, set up and empty: in memory, or in a data folder. Made once for each state of the code, then copied.
 */
export async function testDatabase(dataFolder?: string): Promise<PGlite> {
  const path = join(tmpdir(), `mendframe-test-database-${fingerprint()}.tar`)
  const image = await readFile(path).catch(() => makeImage(path))
  const loadDataDir = new Blob([image])
  const place = dataFolder === undefined ? {} : { dataDir: join(dataFolder, 'db') }
  const client = new PreparedPGlite({ loadDataDir, ...place })
  await client.waitReady
  return client
}

/** Everything that decides what an empty database of ours looks like. */
function fingerprint(): string {
  const hash = createHash('sha256')
  const source = (name: string) => new URL(name, import.meta.url)
  for (const name of readdirSync(source('../migrations/')).sort()) {
    hash.update(name).update(readFileSync(source(`../migrations/${name}`)))
  }
  for (const name of ['../package.json', '../src/queue/queue.ts', '../src/db/migrate.ts'])
    hash.update(readFileSync(source(name)))
  return hash.digest('hex').slice(0, 16)
}

async function makeImage(path: string): Promise<Uint8Array<ArrayBuffer>> {
  const folder = await mkdtemp(join(tmpdir(), 'mendframe-image-'))
  try {
    const client = await PGlite.create()
    const config = loadConfig({ MENDFRAME_DATA: folder, LOG_LEVEL: 'error' })
    const context = await createContext(config, { embeddedDatabase: client })
    await context.queue.stop()
    const dump = await client.dumpDataDir('none')
    const image = new Uint8Array(await dump.arrayBuffer())
    await context.close()
    await writeFile(join(folder, 'image'), image)
    await rename(join(folder, 'image'), path)
    return image
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
