import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { CLIENT_ID, CLIENT_SECRET, IdentityProvider } from '../../apps/api/test/support/identity-provider.ts'
import { Product } from '../src/product.ts'
import { PERSON } from './person.ts'
import { SmallFilms } from './small-films.ts'

/** Nobody here is a burglar. */
const UNHURRIED = { RATE_SIGNUPS: '1000', RATE_LOGINS: '1000', RATE_MAILS: '1000', RATE_CALLS: '100000' }

/**
 * One running product for all journeys, with an identity provider behind both buttons, and the films they bring: starting
 * takes longer than most journeys. It knows its own address, so its mails and sign-ins lead back. Answers how to close it.
 */
export default async function open(project: TestProject): Promise<() => Promise<void>> {
  // On the loopback address a provider takes any port.
  const provider = await IdentityProvider.start(
    ['http://127.0.0.1/googlecallback', 'http://127.0.0.1/photogooglecallback', 'http://127.0.0.1/callback'],
    PERSON,
  )
  const port = await freePort()
  const [product, films] = await Promise.all([
    Product.start({
      ...UNHURRIED,
      LOG_LEVEL: 'warn',
      PORT: String(port),
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      GOOGLE_ISSUER: provider.issuer,
      GOOGLE_CLIENT_ID: CLIENT_ID,
      GOOGLE_CLIENT_SECRET: CLIENT_SECRET,
      APPLE_ISSUER: provider.issuer,
      APPLE_CLIENT_ID: CLIENT_ID,
      APPLE_CLIENT_SECRET: CLIENT_SECRET,
    }),
    SmallFilms.make(),
  ])
  project.provide('house', {
    address: product.address,
    outbox: join(product.folder, 'outbox'),
    films: films.folder,
  })
  return async () => {
    await product.stop()
    await provider.stop()
    films.remove()
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  server.close()
  await once(server, 'close')
  return address.port
}
