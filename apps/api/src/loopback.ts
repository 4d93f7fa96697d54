import type { FastifyRequest } from 'fastify'

const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/

/** Whether a request comes from this machine itself, and not through a proxy on it. */
export function isFromThisMachine(request: FastifyRequest): boolean {
  const forwarded = request.headers['x-forwarded-for'] ?? request.headers.forwarded
  return (
    forwarded === undefined && LOOPBACK.test(request.socket.remoteAddress ?? '') && LOOPBACK.test(request.ip)
  )
}
