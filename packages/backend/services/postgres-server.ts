import { chownSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { find, freePort, install, run, type Started, serve, until } from './process.ts'

const VERSIONS = '/usr/lib/postgresql'
/** Each test file has a database and a pool of its own. */
const CONNECTIONS = 300

export interface PostgresServer extends Started {
  readonly url: string
}

/** Starts a PostgreSQL of its own in a folder; it refuses to run as root, so that it is its own user's there. */
export async function startPostgres(folder: string): Promise<PostgresServer> {
  if (programs() === undefined) await install('postgresql')
  const bin = programs()
  if (bin === undefined) throw new Error('there is no PostgreSQL here')
  const data = join(folder, 'postgres')
  mkdirSync(data, { mode: 0o700 })
  const owner = process.getuid?.() === 0 ? await userOf('postgres') : undefined
  if (owner) chownSync(data, owner.uid, owner.gid)
  const port = await freePort()
  await run(join(bin, 'initdb'), ['-D', data, '-A', 'trust', '-U', 'postgres', '--no-sync', '-E', 'UTF8'], {
    ...owner,
    cwd: '/',
  })
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: data,
    max_connections: CONNECTIONS,
    fsync: 'off',
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const server = serve(join(bin, 'postgres'), ['-D', data, ...flags], { ...owner, cwd: '/' })
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  await until(async () => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.end()
  })
  return { url, stop: server.stop }
}

/** Folder of the newest version's programs: Debian keeps them off the path. */
function programs(): string | undefined {
  let versions: readonly string[] = []
  try {
    versions = readdirSync(VERSIONS).sort((a, b) => Number(b) - Number(a))
  } catch {
    // Nothing is installed there.
  }
  const initdb = find('initdb', ...versions.map((version) => join(VERSIONS, version, 'bin')))
  return initdb === undefined ? undefined : join(initdb, '..')
}

async function userOf(name: string): Promise<{ uid: number; gid: number }> {
  const id = async (flag: string) => Number((await run('id', [flag, name])).stdout)
  return { uid: await id('-u'), gid: await id('-g') }
}
