import { authenticate, type Context, ServiceFailure, type Session } from '@mendframe/backend'
import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import type { App } from './app.ts'

declare module 'fastify' {
  interface FastifyRequest {
    session: Session | null
  }
}

/**
 * Checks the session of every route that needs one before anything else of the request is read. It comes after what the
 * route's own hooks refuse, so that those who call too often with made-up tokens do not reach the database.
 */
export function requireSessions(app: App, context: Context): void {
  app.decorateRequest('session', null)
  const check: onRequestAsyncHookHandler = async (request) => {
    request.session = await authenticate(context, request.headers.authorization)
  }
  app.addHook('onRoute', (route) => {
    if (route.config?.access === 'session') route.onRequest = [route.onRequest ?? [], check].flat()
  })
}

/** The session of a request to a route that needs one. */
export function caller(request: FastifyRequest): Session {
  if (!request.session) throw new ServiceFailure('auth.required')
  return request.session
}
