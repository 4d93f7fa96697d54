import { authenticate, type Context, ServiceFailure, type Session } from '@mendframe/backend'
import type { FastifyRequest } from 'fastify'
import type { App } from './app.ts'

declare module 'fastify' {
  interface FastifyRequest {
    session: Session | null
  }
}

/** Checks the session of every route that needs one before anything else of the request is read. */
export function requireSessions(app: App, context: Context): void {
  app.decorateRequest('session', null)
  app.addHook('onRequest', async (request) => {
    if (request.routeOptions.config.access !== 'session') return
    request.session = await authenticate(context, request.headers.authorization)
  })
}

/** The session of a request to a route that needs one. */
export function caller(request: FastifyRequest): Session {
  if (!request.session) throw new ServiceFailure('auth.required')
  return request.session
}
