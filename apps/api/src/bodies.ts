import type { IncomingMessage, Server } from 'node:http'
import { FILES_PATH } from '@mendframe/backend'

/** How long people may take to send. */
export interface BodyBounds {
  /** Seconds for the whole body of a call, which is some kilobytes. */
  readonly callSeconds: number
  /** Uploads take as long as they need, but never less than so many bytes in so many seconds. */
  readonly uploadBytes: number
  readonly uploadSeconds: number
}

/** A line that sends 2 KiB a second needs a month for the largest file: nobody waits for that. */
export const BODY_BOUNDS: BodyBounds = { callSeconds: 20, uploadBytes: 65_536, uploadSeconds: 30 }

/** Closes connections whose bodies only drip, whatever the route makes of them. */
export function boundBodies(server: Server, bounds: BodyBounds): void {
  server.on('request', (request: IncomingMessage) => {
    if (!hasBody(request)) return
    const upload = request.method === 'PUT' && request.url?.startsWith(FILES_PATH)
    const timer = upload ? leastRate(request, bounds) : wholeIn(request, bounds.callSeconds)
    const settle = () => clearInterval(timer)
    request.once('end', settle)
    request.socket.once('close', settle)
  })
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

function wholeIn(request: IncomingMessage, seconds: number): NodeJS.Timeout {
  return setTimeout(() => request.socket.destroy(), seconds * 1000)
}

function leastRate(request: IncomingMessage, { uploadBytes, uploadSeconds }: BodyBounds): NodeJS.Timeout {
  let before = request.socket.bytesRead
  let poor = 0
  return setInterval(() => {
    const { bytesRead } = request.socket
    // Where we have not taken what lies here already, the line waits for us.
    const ours = request.readableLength >= request.readableHighWaterMark
    poor = bytesRead - before < uploadBytes && !ours ? poor + 1 : 0
    // Once may be our own delay: what has come is read after the clock was looked at.
    if (poor > 1) request.socket.destroy()
    before = bytesRead
  }, uploadSeconds * 1000)
}
