import { mkdirSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { find, freePort, install, run, type Started, serve, until } from './process.ts'

const PACKAGES = ['swift-proxy', 'swift-account', 'swift-container', 'swift-object', 'memcached']
const KINDS = ['account', 'container', 'object'] as const
const BUCKET = 'mendframe-test'
const REGION = 'us-east-1'
const ACCESS_KEY = 'test:tester'
const SECRET_KEY = 'testing'

export interface S3Server extends Started {
  /** What `MENDFRAME_TEST_S3` holds. */
  readonly settings: string
}

/** Starts OpenStack Swift with its S3 interface in a folder: one device, one replica, no log. */
export async function startSwift(folder: string): Promise<S3Server> {
  if (find('swift-proxy-server') === undefined || find('memcached') === undefined) await install(...PACKAGES)
  const home = join(folder, 'swift')
  mkdirSync(join(home, 'devices', 'd1'), { recursive: true })
  const started: Started[] = []
  const stop = async () => {
    for (const server of started.reverse()) await server.stop()
  }
  try {
    for (const kind of KINDS) started.push(await startKind(home, kind))
    const memory = await freePort()
    started.push(
      serve(find('memcached') ?? 'memcached', [
        '-l',
        '127.0.0.1',
        '-p',
        String(memory),
        '-u',
        userInfo().username,
      ]),
    )
    const port = await freePort()
    started.push(program(home, 'proxy', proxySettings(home, port, memory)))
    const endpoint = `http://127.0.0.1:${port}`
    await createBucket(endpoint)
    const settings = {
      endpoint,
      bucket: BUCKET,
      region: REGION,
      accessKeyId: ACCESS_KEY,
      secretAccessKey: SECRET_KEY,
    }
    return { settings: JSON.stringify(settings), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function startKind(home: string, kind: (typeof KINDS)[number]): Promise<Started> {
  const port = await freePort()
  const builder = join(home, `${kind}.builder`)
  const ring = find('swift-ring-builder') ?? 'swift-ring-builder'
  await run(ring, [builder, 'create', '1', '1', '1'])
  await run(ring, [builder, 'add', `r1z1-127.0.0.1:${port}/d1`, '1'])
  await run(ring, [builder, 'rebalance'])
  return program(
    home,
    kind,
    `${common(home, port)}
devices = ${join(home, 'devices')}
mount_check = false
[pipeline:main]
pipeline = ${kind}-server
[app:${kind}-server]
use = egg:swift#${kind}
`,
  )
}

function common(home: string, port: number): string {
  return `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 0
user = ${userInfo().username}
swift_dir = ${home}
log_level = ERROR`
}

function proxySettings(home: string, port: number, memory: number): string {
  return `${common(home, port)}
[pipeline:main]
pipeline = catch_errors gatekeeper healthcheck cache bulk s3api tempauth copy slo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = ${SECRET_KEY} .admin
[filter:s3api]
use = egg:swift#s3api
location = ${REGION}
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:${memory}
${['catch_errors', 'gatekeeper', 'healthcheck', 'bulk', 'copy', 'slo'].map((name) => `[filter:${name}]\nuse = egg:swift#${name}`).join('\n')}
`
}

function program(home: string, kind: string, settings: string): Started {
  const path = join(home, `${kind}-server.conf`)
  writeFileSync(path, settings)
  const name = `swift-${kind}-server`
  return serve(find(name) ?? name, [path])
}

async function createBucket(endpoint: string): Promise<void> {
  const client = new S3Client({
    endpoint,
    region: REGION,
    forcePathStyle: true,
    credentials: { accessKeyId: ACCESS_KEY, secretAccessKey: SECRET_KEY },
  })
  await until(async () => {
    await client.send(new CreateBucketCommand({ Bucket: BUCKET }))
  })
  client.destroy()
}
