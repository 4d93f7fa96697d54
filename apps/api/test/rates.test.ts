import type { Context } from '@mendframe/backend'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import type { App } from '../src/app.ts'
import { FailureWindow } from '../src/failure-window.ts'
import { addSessions, addSignIn } from '../src/routes/sign-in.ts'

test('every way in has its own bound in the window that is set', () => {
  const rates = { windowSeconds: 60, logIns: 1, signUps: 2, mails: 3, logInFailures: 4, calls: 5 }
  const bounds: Record<string, unknown> = {}
  const app = fastify() as unknown as App
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => JSON.stringify)
  app.addHook('onRoute', ({ url, config }) => {
    bounds[url] = (config as { rateLimit?: unknown } | undefined)?.rateLimit
  })
  const context = { config: { rates } } as Context
  const failures = new FailureWindow(1, 1, () => 0)
  addSignIn(app, context, 'video', failures)
  addSessions(app, context, failures)
  const most = (max: number) => ({ max, timeWindow: 60_000 })
  const told = Object.entries(bounds).map(
    ([url, bound]) => `${url} ${(bound as { max?: number } | undefined)?.max ?? 'none'}`,
  )
  expect(told.sort().join('\n')).toMatchInlineSnapshot(`
    "/api/appleauth 1
    /api/email/send-verification 3
    /api/email/verify 1
    /api/googleauth 1
    /api/login 1
    /api/logout none
    /api/password/change 1
    /api/password/forgot 3
    /api/password/reset 1
    /api/signin/start 1
    /api/signup 2"
  `)
  for (const bound of Object.values(bounds)) expect(bound ?? most(1)).toMatchObject({ timeWindow: 60_000 })
})
