import {
  type Context,
  changePassword,
  closeSession,
  emailKey,
  finishProviderSignIn,
  forgotPassword,
  logIn,
  resetPassword,
  ServiceFailure,
  sendVerification,
  signUp,
  startProviderSignIn,
  verifyEmail,
} from '@mendframe/backend'
import { type Product, SESSIONS, SIGN_IN } from '@mendframe/contract'
import type { App } from '../app.ts'
import { browserCookie, browserOf } from '../browser-cookie.ts'
import { caller } from '../caller.ts'
import { describe } from '../describe.ts'
import type { FailureWindow } from '../failure-window.ts'

/** The eight specified ways to sign in, of one flavour. */
export function addSignIn(app: App, context: Context, product: Product, failures: FailureWindow): void {
  const routes = SIGN_IN[product]
  const { rates } = context.config
  const per = (max: number) => ({ max, timeWindow: rates.windowSeconds * 1000 })

  app.route({
    ...describe(routes.login, per(rates.logIns)),
    handler: async (request) => {
      const key = `${request.ip} ${emailKey(request.body.email)}`
      if (failures.isFull(key)) throw new ServiceFailure('request.too-many')
      try {
        return await logIn(context, product, request.body)
      } catch (error) {
        if (error instanceof ServiceFailure) failures.add(key)
        throw error
      }
    },
  })
  app.route({
    ...describe(routes.signup, per(rates.signUps)),
    handler: (request) => signUp(context, product, request.body),
  })
  app.route({
    ...describe(routes.google, per(rates.logIns)),
    handler: (request) =>
      finishProviderSignIn(context, 'google', product, {
        code: request.body.code,
        state: request.body.timestamp,
        browser: browserOf(request),
      }),
  })
  app.route({
    ...describe(routes.apple, per(rates.logIns)),
    handler: (request) =>
      finishProviderSignIn(context, 'apple', product, {
        code: request.body.code,
        idToken: request.body.id_token,
        state: request.body.timestamp,
        browser: browserOf(request),
      }),
  })
}

/** Sessions, passwords and addresses. */
export function addSessions(app: App, context: Context, failures: FailureWindow): void {
  const { rates } = context.config
  const per = (max: number) => ({ max, timeWindow: rates.windowSeconds * 1000 })

  app.route({
    ...describe(SESSIONS.start, per(rates.logIns)),
    handler: async (request, reply) => {
      const { provider, product } = request.body
      const started = await startProviderSignIn(context, provider, product, browserOf(request))
      reply.header('set-cookie', browserCookie(context.config, started.browser))
      const { url, state: timestamp, nonce, window } = started
      return { success: true as const, url, timestamp, nonce, ...(window ? { window } : {}) }
    },
  })
  app.route({
    ...describe(SESSIONS.logout),
    handler: async (request) => {
      await closeSession(context, caller(request))
      return { success: true as const }
    },
  })
  app.route({
    ...describe(SESSIONS.forgotPassword, per(rates.mails)),
    handler: (request) => forgotPassword(context, request.body),
  })
  app.route({
    ...describe(SESSIONS.resetPassword, per(rates.logIns)),
    handler: (request) => resetPassword(context, request.body),
  })
  app.route({
    ...describe(SESSIONS.changePassword, per(rates.logIns)),
    handler: async (request) => {
      const session = caller(request)
      if (failures.isFull(session.user.id)) throw new ServiceFailure('request.too-many')
      try {
        const { currentPassword, newPassword } = request.body
        return await changePassword(context, session, currentPassword, newPassword)
      } catch (error) {
        if (error instanceof ServiceFailure) failures.add(session.user.id)
        throw error
      }
    },
  })
  app.route({
    ...describe(SESSIONS.verifyEmail, per(rates.logIns)),
    handler: (request) => verifyEmail(context, request.body.token),
  })
  app.route({
    ...describe(SESSIONS.sendVerification, per(rates.mails)),
    handler: (request) => sendVerification(context, caller(request)),
  })
}
