import type { Config } from '@mendframe/backend'
import type { FastifyRequest } from 'fastify'

/* Ties a Google or Apple sign-in to the browser that began it. */

const NAME = 'mendframe_signin'
const SECONDS = 900

/** Where page and API are on different origins the cookie has to travel across. */
export function browserCookie(config: Config, value: string): string {
  const secure = config.publicUrl.startsWith('https:')
  const across = secure && config.corsOrigins.length > 0
  const site = across ? 'None' : 'Lax'
  return `${NAME}=${value}; Path=/api; HttpOnly; SameSite=${site}; Max-Age=${SECONDS}${secure ? '; Secure' : ''}`
}

export function browserOf(request: FastifyRequest): string | undefined {
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const [name, value] = part.trim().split('=')
    if (name === NAME && value && /^[\w-]{20,100}$/.test(value)) return value
  }
  return undefined
}
