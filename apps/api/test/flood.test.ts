import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createServer } from '../src/index.ts'
import { type Person, Service } from './support/service.ts'

describe('calls with made-up tokens', () => {
  const MOST = 20
  let service: Service
  beforeAll(async () => {
    service = await Service.start({ RATE_CALLS: String(MOST) })
  })
  afterAll(() => service.stop())

  test('reach the database only as often as an address may call', async () => {
    const { db } = service.context
    const select = db.select.bind(db)
    let asked = 0
    Reflect.set(db, 'select', (...terms: Parameters<typeof select>) => {
      asked++
      return select(...terms)
    })
    const forged = () => `mfs_${Math.random().toString(36).slice(2).padEnd(43, 'x')}`
    const statuses: number[] = []
    for (let calls = 0; calls < 200; calls++) {
      statuses.push((await service.post('/api/uploadcheck', {}, forged())).status)
    }
    Reflect.set(db, 'select', select)
    expect(statuses.filter((status) => status === 401)).toHaveLength(MOST)
    expect(statuses.filter((status) => status === 429)).toHaveLength(200 - MOST)
    expect(asked).toBeLessThanOrEqual(MOST)
  })
})

describe('a body that only drips', () => {
  let service: Service
  let person: Person
  let port: number
  beforeAll(async () => {
    service = await Service.start()
    person = await service.person()
    const bodies = { callSeconds: 0.5, uploadBytes: 100, uploadSeconds: 0.5 }
    const app = await createServer(service.context, { bodies })
    const address = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
    port = Number(address.port)
    return () => app.close()
  })
  afterAll(() => service.stop())

  /** Sends a head and then a byte every 50 ms; answers the milliseconds until the connection was closed. */
  async function drip(head: string, piece = 'x'): Promise<{ took: number; said: string }> {
    const socket: Socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    let said = ''
    socket.on('error', () => {})
    socket.setEncoding('utf8').on('data', (text) => {
      said += text
    })
    const begun = performance.now()
    socket.write(head)
    const timer = setInterval(() => socket.write(piece), 50)
    const patience = setTimeout(() => socket.destroy(), 5_000)
    await new Promise((resolve) => socket.once('close', resolve))
    clearInterval(timer)
    clearTimeout(patience)
    return { took: performance.now() - begun, said }
  }
  const head = (line: string, length: number, type = 'application/json') =>
    `${line} HTTP/1.1\r\nhost: localhost\r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\n\r\n`
  const upload = async () => {
    const terms = { fileExtension: 'mp4', contentType: 'video/mp4', fileSize: 40_000 }
    return String((await person.post('/api/upload', terms)).body.uploadUrl)
  }

  test.each(['POST /api/login', 'POST /api/uploadcheck', 'POST /nowhere', 'PUT /nowhere', 'POST /healthz'])(
    'is not waited for: %s',
    async (line) => {
      expect((await drip(head(line, 60_000))).took).toBeLessThan(2_000)
    },
  )

  test('ends an upload, which leaves nothing', async () => {
    const { took } = await drip(head(`PUT ${await upload()}`, 40_000, 'video/mp4'))
    expect(took).toBeLessThan(2_500)
    const found: string[] = []
    for await (const { key } of service.context.storage.list('')) found.push(key)
    expect(found).toEqual([])
  })

  test('is no upload that takes its time but moves', async () => {
    const begun = performance.now()
    const { said } = await drip(head(`PUT ${await upload()}`, 40_000, 'video/mp4'), 'x'.repeat(1_000))
    expect(said).toMatch(/^HTTP\/1.1 200/)
    expect(performance.now() - begun).toBeGreaterThan(1_500)
  })
})
