import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  endConfined,
  isContained,
  lookAtHost,
  type Means,
  protectionsOf,
  spawnConfined,
} from '../src/index.ts'

const ROOT = 0
/** Any user that is nobody here. */
const STRANGER = 64_321
const MEGABYTE = 2 ** 20
const FILE_BYTES = 4 * MEGABYTE
const USERS = process.getuid?.() === ROOT ? [ROOT, STRANGER] : [process.getuid?.() ?? ROOT]

/** A copy of the package and of Node that every user can read. */
let place: string
let node: string
let server: Server
let socketServer: Server
let heard = 0

beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), 'mendframe-room-'))
  chmodSync(place, 0o755)
  const own = dirname(dirname(fileURLToPath(import.meta.url)))
  for (const part of ['src', 'test', 'package.json'])
    cpSync(join(own, part), join(place, 'code', part), { recursive: true })
  node = join(place, 'node')
  try {
    linkSync(process.execPath, node)
  } catch {
    // On another disk.
    copyFileSync(process.execPath, node)
  }
  const hear = () => createServer((connection) => connection.destroy()).on('connection', () => heard++)
  server = hear().listen(0, '127.0.0.1')
  socketServer = hear().listen(join(place, 'socket'))
  await Promise.all([once(server, 'listening'), once(socketServer, 'listening')])
  chmodSync(join(place, 'socket'), 0o777)
})
afterAll(() => {
  server.close()
  socketServer.close()
  rmSync(place, { recursive: true, force: true })
})

interface Visit {
  readonly means: Means
  readonly said: string
  readonly complaint: string
  readonly code: number | null
  readonly signal: string | null
}

interface Wishes {
  readonly uid: number
  readonly means: Means
  readonly memoryBytes?: number
  readonly cpuSeconds?: number
  readonly script?: readonly string[]
}

function visit({ uid, means, memoryBytes = 64 * MEGABYTE, cpuSeconds = 20, script }: Wishes) {
  const folder = mkdtempSync(join(place, 'visit-'))
  const [secret, input, output] = ['secret', 'input', 'output'].map((name) => join(folder, name))
  writeFileSync(secret ?? '', 'the key of all links')
  writeFileSync(input ?? '', 'the input')
  mkdirSync(output ?? '')
  // Whatever is refused is not refused by the owner of a file.
  for (const path of [folder, secret, input, output]) chmodSync(path ?? '', 0o777)
  const address = server.address()
  const wishes = {
    secret,
    input,
    output,
    port: typeof address === 'object' ? address?.port : 0,
    socket: join(place, 'socket'),
    fileBytes: FILE_BYTES,
    eatBytes: 4 * 1024 * MEGABYTE,
  }
  const hostile = [join(place, 'code', 'test', 'hostile.mjs'), JSON.stringify(wishes)]
  const request = {
    means,
    args: script ?? hostile,
    room: {
      code: [join(place, 'code'), node],
      inputs: [input],
      output,
      limits: { memoryBytes, cpuSeconds, fileBytes: FILE_BYTES, processes: 64 },
    },
  }
  const ran = spawnSync(node, [join(place, 'code', 'test', 'visit.ts'), JSON.stringify(request)], {
    uid,
    gid: uid,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, MENDFRAME_SECRET: 'the key of all links' },
  })
  if (ran.status !== 0) throw new Error(ran.stderr)
  const answer: Visit = JSON.parse(ran.stdout)
  return { ...answer, folder }
}

const REFUSED = expect.stringMatching(/^refused/)

for (const means of ['bubblewrap', 'namespaces'] as const) {
  const host = await lookAtHost(means)
  // What this machine cannot do it says; see below.
  if (host.means !== means) continue
  describe.each(USERS)(`a room made by ${means} for user %i`, (uid) => {
    test('shows a program its input and its output and nothing else, whatever it tries', () => {
      heard = 0
      const { said, complaint, folder } = visit({ uid, means })
      expect(said, complaint).not.toBe('')
      const tried = JSON.parse(said)
      expect(tried).toMatchObject({
        readInput: 'done',
        writeOutput: 'done',
        readSecret: 'refused: ENOENT',
        writeInput: REFUSED,
        writeBeside: REFUSED,
        writeCode: REFUSED,
        writeTemporary: REFUSED,
        writeRoot: REFUSED,
        connect: REFUSED,
        connectSocket: REFUSED,
        send: REFUSED,
        grow: 'refused: EFBIG',
        eat: REFUSED,
        environment: [],
        others: [],
      })
      if (host.filter) expect(tried.start).toMatch(/^refused/)
      expect(heard).toBe(0)
      expect(readFileSync(join(folder, 'output', 'made'), 'utf8')).toBe('made')
      expect(readFileSync(join(folder, 'input'), 'utf8')).toBe('the input')
    })

    test('goes at once, also while it is being made', async () => {
      const room = { code: [], inputs: [], limits: { memoryBytes: 64 * MEGABYTE, processes: 64 } }
      const ends: Promise<unknown[]>[] = []
      for (let moment = 0; moment < 80; moment++) {
        const child = spawnConfined(host, ['-e', 'setInterval(() => {}, 1_000)'], room)
        ends.push(once(child, 'close'))
        await setTimeout(moment / 10)
        endConfined(child)
      }
      // Whatever is left of a room holds its pipes, and nothing closes.
      for (const [, signal] of await Promise.all(ends)) expect(signal).toBe('SIGKILL')
    })

    test('ends a program that uses up its time, and is empty then', () => {
      const begun = performance.now()
      const { code, signal } = visit({ uid, means, cpuSeconds: 1, script: ['-e', 'for (;;);'] })
      expect([code, signal]).not.toEqual([0, null])
      expect(performance.now() - begun).toBeGreaterThan(900)
      expect(performance.now() - begun).toBeLessThan(10_000)
    })
  })
}

test('a limit of memory holds also where there is no room', async () => {
  const host = await lookAtHost('none')
  const script = [
    '-e',
    'const kept = []; for (let n = 0; n < 64; n++) kept.push(Buffer.alloc(2 ** 26)); console.log("eaten")',
  ]
  const { said } = visit({ uid: process.getuid?.() ?? ROOT, means: 'none', script })
  expect(said.trim()).toBe(host.prlimit === undefined ? 'eaten' : '')
})

test('what a machine lacks is said, line by line, and it does not count as contained', async () => {
  const bare = { means: 'none', filter: false } as const
  expect(isContained(bare)).toBe(false)
  expect(protectionsOf(bare).filter(({ present }) => !present)).toHaveLength(3)
  for (const { note } of protectionsOf(bare)) expect(note).toMatch(/install|has to work/)
  expect(isContained({ means: 'namespaces', filter: false, prlimit: '/usr/bin/prlimit' })).toBe(true)
  expect(isContained({ means: 'bubblewrap', filter: true })).toBe(false)
})

test('everything is there where it is demanded', async () => {
  const demanded = process.env.MENDFRAME_DEMAND_CONTAINMENT === '1'
  const here = protectionsOf(await lookAtHost()).map(({ present }) => present)
  const fallback = (await lookAtHost('namespaces')).means
  if (demanded) expect([...here, fallback]).toEqual([true, true, true, 'namespaces'])
  else expect(here).toHaveLength(3)
})
