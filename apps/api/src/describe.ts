import type { RateLimitOptions } from '@fastify/rate-limit'
import { COMMON_ERRORS, errorStatus, failureSchema, type Route, SESSION_ERRORS } from '@mendframe/contract'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call; routes without it check access themselves. */
    access?: 'open' | 'session'
    rateLimit?: RateLimitOptions | false
  }
}

/** A part with its exact type, which plain access would widen. */
function part<R extends Route, Name extends keyof Route>(route: R, name: Name): R[Name] {
  return route[name]
}

/** A route of the contract as Fastify takes it: method, address, validation and documentation. */
export function describe<const R extends Route>(route: R, rateLimit?: RateLimitOptions) {
  const failures = [...COMMON_ERRORS, ...(route.access === 'session' ? SESSION_ERRORS : []), ...route.errors]
  const replies: Record<
    number,
    { description: string; content: { 'application/json': { schema: typeof failureSchema } } }
  > = {}
  for (const status of new Set(failures.map(errorStatus))) {
    const codes = failures.filter((code) => errorStatus(code) === status)
    replies[status] = {
      description: [...new Set(codes)].join(', '),
      content: { 'application/json': { schema: failureSchema } },
    }
  }
  const schema = {
    summary: route.summary,
    body: part(route, 'body'),
    querystring: part(route, 'query'),
    params: part(route, 'params'),
    response: { ...replies, 200: part(route, 'reply') },
    ...(route.access === 'session' ? { security: [{ session: [] }] } : {}),
  }
  // A key without a schema would be reported as a mistake.
  for (const name of ['body', 'querystring', 'params'] as const) {
    if (schema[name] === undefined) Reflect.deleteProperty(schema, name)
  }
  return {
    method: route.method,
    url: route.path,
    config: { access: route.access, ...(rateLimit ? { rateLimit } : {}) },
    schema,
  }
}
