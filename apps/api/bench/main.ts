import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

/*
 * How long the calls from log-in to a signed upload address take while many clients call at once, alone and while repairs run
 * beside. Prints tables of milliseconds and how the two compare, which is judged: what the machine does besides slows both.
 */

/**
 * How many times as long the slowest twentieth of the calls may take beside repairs; sign-ups and log-ins reckon on a processor
 * themselves.
 */
const MOST_TIMES = 2.5
const MOST_TIMES_RECKONED = 10
const RECKONED: ReadonlySet<string> = new Set(['POST /api/signup', 'POST /api/login'])

const { values } = parseArgs({
  options: {
    clients: { type: 'string', default: '100' },
    rounds: { type: 'string', default: '20' },
    pause: { type: 'string', default: '1000' },
    repairs: { type: 'string', default: '2' },
  },
})
const CLIENTS = Number(values.clients)
const ROUNDS = Number(values.rounds)
/** Milliseconds a person looks at the page between two calls; without a pause the clients measure their own crowd. */
const PAUSE_MS = Number(values.pause)
/** Repairs that run at the same time in the second half; none: no second half. */
const REPAIRS = Number(values.repairs)
const POISON_BYTES = 80 * 2 ** 20
const SAMPLE = fileURLToPath(
  new URL('../../../packages/engine/testing/fixtures/isobmff/h264-camera-aac.sample.mov', import.meta.url),
)

const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS })
let times = new Map<string, number[]>()

interface Reply {
  readonly status: number
  readonly body: Record<string, unknown>
}

function call(
  base: string,
  method: 'GET' | 'POST',
  path: string,
  token: string,
  body?: object,
): Promise<Reply> {
  const payload = body === undefined ? undefined : JSON.stringify(body)
  const begun = performance.now()
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, base), {
      method,
      agent,
      headers: {
        ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
        ...(payload === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }),
      },
    })
    sent.on('response', async (response) => {
      let text = ''
      for await (const chunk of response.setEncoding('utf8')) text += chunk
      const name = `${method} ${path.split('?')[0]}`
      const list = times.get(name) ?? []
      list.push(performance.now() - begun)
      times.set(name, list)
      resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) })
    })
    sent.on('error', reject)
    sent.end(payload)
  })
}

const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE_MS * (0.5 + Math.random())))

async function client(base: string, number: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, number * 60))
  const email = `client-${number}-${Date.now()}-${Math.random().toString(36).slice(2)}@example.com`
  const expectOk = (reply: Reply): Reply => {
    if (reply.status !== 200) throw new Error(JSON.stringify(reply.body))
    return reply
  }
  expectOk(await call(base, 'POST', '/api/signup', '', { email, password: 'a password' }))
  await pause()
  const login = expectOk(await call(base, 'POST', '/api/login', '', { email, password: 'a password' }))
  const token = String(login.body.token)
  for (let round = 0; round < ROUNDS; round++) {
    await pause()
    expectOk(await call(base, 'GET', `/api/user?email=${email}`, token))
    await pause()
    expectOk(await call(base, 'POST', '/api/uploadcheck', token, {}))
    await pause()
    const terms = { fileExtension: 'mp4', contentType: 'video/mp4', fileSize: 1_000_000 }
    expectOk(await call(base, 'POST', '/api/upload', token, terms))
  }
}

function quantile(list: readonly number[], share: number): string {
  const sorted = [...list].sort((a, b) => a - b)
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1).padStart(8)
}

function show(title: string, calls: ReadonlyMap<string, readonly number[]>): void {
  console.log(
    `${title.padEnd(24)}${'calls'.padStart(8)}${'p50'.padStart(8)}${'p95'.padStart(8)}${'p99'.padStart(8)}`,
  )
  for (const [name, list] of calls) {
    const numbers = [0.5, 0.95, 0.99].map((share) => quantile(list, share)).join('')
    console.log(`${name.padEnd(24)}${String(list.length).padStart(8)}${numbers}`)
  }
}

/** Repairs one file after the other until stopped: start codes without end, over which the engine has to think long. */
async function repairOn(place: string, number: number, stop: AbortSignal): Promise<void> {
  const damaged = join(place, `damaged-${number}.mov`)
  const bytes = Buffer.alloc(POISON_BYTES, Buffer.from([0, 0, 0, 1, 0x65]))
  await writeFile(damaged, bytes)
  const command = fileURLToPath(new URL('../../../bin/mendframe.js', import.meta.url))
  while (!stop.aborted) {
    const output = join(place, `repaired-${number}.mov`)
    const child = spawn(
      process.execPath,
      [command, 'repair', damaged, '--sample', SAMPLE, '--output', output, '--force'],
      {
        stdio: 'ignore',
      },
    )
    const end = () => child.kill('SIGINT')
    stop.addEventListener('abort', end, { once: true })
    await once(child, 'exit')
    stop.removeEventListener('abort', end)
  }
}

/** What the first line of a form says. */
function heard(lines: Interface, form: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    lines.on('line', (line) => {
      const said = form.exec(line)?.[1]
      if (said !== undefined) resolve(said)
    })
    lines.once('close', () => reject(new Error('the server ended')))
  })
}

const folder = await mkdtemp(join(tmpdir(), 'mendframe-bench-'))
const server = spawn(process.execPath, [fileURLToPath(new URL('./server.ts', import.meta.url))], {
  env: { ...process.env, MENDFRAME_DATA: folder },
  stdio: ['ignore', 'ignore', 'pipe'],
})
try {
  const lines = createInterface({ input: server.stderr })
  const base = await heard(lines, /^listening (.*)/)
  const phase = async (): Promise<Map<string, number[]>> => {
    times = new Map()
    await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(base, number)))
    return times
  }
  const alone = await phase()
  console.log(`${CLIENTS} clients, ${ROUNDS} rounds, ${PAUSE_MS} ms between calls; milliseconds`)
  show('no repairs', alone)
  if (REPAIRS > 0) {
    const stop = new AbortController()
    const repairs = Array.from({ length: REPAIRS }, (_, number) => repairOn(folder, number, stop.signal))
    const beside = await phase()
    stop.abort()
    await Promise.all(repairs)
    show(`${REPAIRS} repairs beside`, beside)
    console.log(`p95 beside repairs over p95 alone; load of the machine ${loadavg()[0]?.toFixed(1)}`)
    for (const [name, list] of beside) {
      const ratio = Number(quantile(list, 0.95)) / Number(quantile(alone.get(name) ?? [], 0.95))
      const most = RECKONED.has(name) ? MOST_TIMES_RECKONED : MOST_TIMES
      console.log(`${name.padEnd(24)}${ratio.toFixed(1).padStart(8)} of ${most} allowed`)
      if (ratio > most) process.exitCode = 1
    }
    for (const [name, list] of alone) times.set(name, [...(times.get(name) ?? []), ...list])
  }
  const spent = heard(lines, /^cpu (.*)/)
  server.kill('SIGTERM')
  const calls = [...times.values()].reduce((sum, list) => sum + list.length, 0)
  console.log(
    `processor time of the server: ${(Number(await spent) / calls).toFixed(2)} ms a call, log-ins included`,
  )
} finally {
  if (!server.killed) server.kill('SIGTERM')
  if (server.exitCode === null && server.signalCode === null) await once(server, 'exit')
  await rm(folder, { recursive: true, force: true })
}
