import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

/*
 * How long the calls from log-in to a signed upload address take while many clients call at once. Prints a table of
 * milliseconds; changes nothing and judges nothing.
 */

const { values } = parseArgs({
  options: {
    clients: { type: 'string', default: '50' },
    rounds: { type: 'string', default: '20' },
    pause: { type: 'string', default: '100' },
  },
})
const CLIENTS = Number(values.clients)
const ROUNDS = Number(values.rounds)
/** Milliseconds a person looks at the page between two calls; without a pause the clients measure their own crowd. */
const PAUSE_MS = Number(values.pause)

const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS })
const times = new Map<string, number[]>()

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
  const email = `client-${number}-${Date.now()}@example.com`
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
  await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(base, number)))
  console.log(`${CLIENTS} clients, ${ROUNDS} rounds, ${PAUSE_MS} ms between calls; milliseconds`)
  console.log(
    `${'call'.padEnd(24)}${'calls'.padStart(8)}${'p50'.padStart(8)}${'p95'.padStart(8)}${'p99'.padStart(8)}`,
  )
  for (const [name, list] of times) {
    const numbers = [0.5, 0.95, 0.99].map((share) => quantile(list, share)).join('')
    console.log(`${name.padEnd(24)}${String(list.length).padStart(8)}${numbers}`)
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
