import { once } from 'node:events'
import { createServer } from 'node:net'
import { addressFault } from './listen.ts'

/**
 * A port nobody uses on `host` right now. The service needs its own address before it listens, because the links it
 * makes carry it. @throws EnvironmentError when this machine has no such host
 */
export async function freePort(host: string): Promise<number> {
  const server = createServer()
  server.listen(0, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    throw addressFault(error, host, 0)
  }
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('the system named no port')
  return address.port
}
