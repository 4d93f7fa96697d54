import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * A port nobody uses on `host` right now. The service needs its own address before it listens, because the links it
 * makes carry it.
 */
export async function freePort(host: string): Promise<number> {
  const server = createServer()
  server.listen(0, host)
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('the system named no port')
  return address.port
}
