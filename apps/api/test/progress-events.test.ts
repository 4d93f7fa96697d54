import { EventEmitter } from 'node:events'
import { setImmediate as turn } from 'node:timers/promises'
import { PROGRESS_EVENTS_PATH, SESSION_TOKEN_PREFIX } from '@mendframe/contract'
import fastify, { type FastifyBaseLogger } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { afterEach, expect, test, vi } from 'vitest'
import type { App } from '../src/app.ts'
import { requireSessions } from '../src/caller.ts'
import { addProgressEvents } from '../src/routes/progress-events.ts'
import { keptLog, stubContext, stubDb } from './support/stub-context.ts'

const CLOSERS: (() => unknown)[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const close of CLOSERS.splice(0)) await close()
})

/** Streams of one repair that runs: who follows, what each hears, and what the database says meanwhile. */
function streams() {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const now = { state: 'running', stage: 'recover', progress: 10, fraction: 0.1, verdict: null }
  const told = { isOut: false, isBroken: false }
  const news = new EventEmitter()
  const { log, lines } = keptLog()
  const repairs = async () => {
    if (told.isBroken) throw new Error('the database is gone')
    return [now]
  }
  const session = async (token: string) =>
    told.isOut ? undefined : { user: { id: token }, expiresAt: new Date(1) }
  const subscribe = (_time: string, listener: () => void) => {
    news.on('news', listener)
    return () => news.off('news', listener)
  }
  const uploads = async () => [{ id: 'u', timestamp: 17 }]
  const db = stubDb({ uploads, repairs })
  const context = stubContext({ db, remembered: { sessions: { get: session } }, bus: { subscribe } })
  const loggerInstance = log as unknown as FastifyBaseLogger
  const app = fastify({ loggerInstance, forceCloseConnections: true }) as unknown as App
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('x-request-id', 'r').header('content-type', 'text/plain')
  })
  requireSessions(app, context)
  addProgressEvents(app, context)
  CLOSERS.push(() => app.close())

  async function open(user = 'a') {
    const url = `${PROGRESS_EVENTS_PATH}?time=17`
    const headers = { authorization: `Bearer ${SESSION_TOKEN_PREFIX}${user}` }
    const reply = await app.inject({ url, headers, payloadAsStream: true })
    const stream = { headers: reply.headers, text: '', over: false }
    reply.stream().on('data', (piece) => {
      stream.text += piece
    })
    reply.stream().on('end', () => {
      stream.over = true
    })
    await settled()
    return stream
  }
  return { app, now, told, lines, news, open }
}

/** What was begun has come to its end: nothing waits for anything outside. */
async function settled(): Promise<void> {
  for (let i = 0; i < 20; i++) await turn()
}

const eventsOf = (text: string) => text.split('event: progress').length - 1

test('progress is pushed at once, with news, and every two seconds, until the repair is over', async () => {
  const { now, news, open } = streams()
  const stream = await open()
  expect(stream.headers).toMatchObject({
    ...{ 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' },
    ...{ 'x-accel-buffering': 'no', 'x-request-id': 'r' },
  })
  expect(stream.text).toMatch(/^event: progress\ndata: \{"status":"Running",.*\}\n\n$/)
  const first = stream.text
  vi.advanceTimersByTime(1999)
  await settled()
  expect(stream.text).toBe(first)
  // nothing new is a line that keeps the connection
  vi.advanceTimersByTime(1)
  await settled()
  expect(stream.text).toBe(`${first}:\n\n`)
  now.progress = 20
  news.emit('news')
  await settled()
  expect([eventsOf(stream.text), stream.over, news.listenerCount('news')]).toEqual([2, false, 1])
  now.state = 'completed'
  news.emit('news')
  await settled()
  expect([eventsOf(stream.text), stream.over, news.listenerCount('news')]).toEqual([3, true, 0])
  expect(vi.getTimerCount()).toBe(0)
})

test('eight streams of a user are kept, further ones are told once; a place is free once when one ends', async () => {
  const { now, news, open } = streams()
  const kept = []
  for (let i = 0; i < 8; i++) kept.push(await open())
  const over = async (count: number, user = 'a') => {
    const opened = []
    for (let i = 0; i < count; i++) opened.push(await open(user))
    return opened.map((stream) => [eventsOf(stream.text), stream.over])
  }
  expect(await over(2)).toEqual([
    [1, true],
    [1, true],
  ])
  expect(await over(1, 'b')).toEqual([[1, false]])
  expect(kept.some((stream) => stream.over)).toBe(false)
  now.state = 'failed'
  news.emit('news')
  await settled()
  now.state = 'running'
  expect((await over(9)).map(([, isOver]) => isOver)).toEqual([...Array(8).fill(false), true])
})

test('who has logged out hears no more; what breaks ends the stream and is logged', async () => {
  const { app, told, lines, news, open } = streams()
  const left = await open()
  told.isOut = true
  news.emit('news')
  await settled()
  expect([left.over, lines.warn?.length]).toEqual([true, 0])
  told.isOut = false
  const broken = await open()
  told.isBroken = true
  news.emit('news')
  await settled()
  expect([broken.over, lines.warn?.length]).toEqual([true, 1])
  told.isBroken = false
  const last = await open()
  expect(last.over).toBe(false)
  await app.close()
  await settled()
  expect(last.over).toBe(true)
})
