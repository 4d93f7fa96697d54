import { isIPv6 } from 'node:net'
import { EnvironmentError } from '@mendframe/runner'

/** What listens: the API server. */
interface Listener {
  listen(options: { host: string; port: number }): Promise<string>
}

/** Opens the address. @throws EnvironmentError with one clear line when it is taken or not ours */
export async function listen(server: Listener, host: string, port: number): Promise<void> {
  try {
    await server.listen({ host, port })
  } catch (error) {
    throw addressFault(error, host, port)
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use, set PORT to another one',
  EACCES: 'the port needs more rights, set PORT to one above 1023',
  EADDRNOTAVAIL: 'this machine has no such address, check HOST',
  ENOTFOUND: 'this machine has no such address, check HOST',
}

/** Why an address cannot be opened, as one clear line; anything else comes back as it is. */
export function addressFault(error: unknown, host: string, port: number): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const reason = REASONS[code]
  if (reason === undefined) return error
  return new EnvironmentError(`${localAddress(host, port)} cannot be opened: ${reason}`, { cause: error })
}

/** Where a browser on this machine finds the service. */
export function localAddress(host: string, port: number): string {
  const anywhere = host === '0.0.0.0' || host === '::'
  return `http://${anywhere ? 'localhost' : isIPv6(host) ? `[${host}]` : host}:${port}`
}
