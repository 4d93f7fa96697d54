import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import Provider from 'oidc-provider'

export interface Claims {
  readonly sub: string
  readonly email: string
  readonly email_verified: boolean | string
  readonly name?: string
}

export const CLIENT_ID = 'mendframe-test'
export const CLIENT_SECRET = 'a secret between the two of them'

/** A real OpenID provider on this machine, at which `person` is signed in and agrees to everything. */
export class IdentityProvider {
  readonly issuer: string
  readonly #server: Server
  person: Claims

  private constructor(issuer: string, server: Server, person: Claims) {
    this.issuer = issuer
    this.#server = server
    this.person = person
  }

  static async start(redirectUris: readonly string[], person: Claims): Promise<IdentityProvider> {
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    const issuer = `http://127.0.0.1:${address.port}`
    const own = new IdentityProvider(issuer, server, person)
    const provider = new Provider(issuer, own.#configuration(redirectUris))
    const callback = provider.callback()
    server.on('request', (request, response) => {
      const url = new URL(request.url ?? '/', issuer)
      if (!url.pathname.startsWith('/interaction/')) return void callback(request, response)
      const login = { accountId: own.person.sub }
      return void provider.interactionFinished(request, response, { login, consent: {} })
    })
    return own
  }

  #configuration(redirectUris: readonly string[]): object {
    return {
      clients: [
        {
          client_id: CLIENT_ID,
          client_secret: CLIENT_SECRET,
          token_endpoint_auth_method: 'client_secret_post',
          redirect_uris: [...redirectUris],
          grant_types: ['authorization_code', 'implicit'],
          response_types: ['code', 'id_token'],
          application_type: 'native',
        },
      ],
      responseTypes: ['code', 'id_token'],
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
      scopes: ['openid', 'email', 'profile', 'name'],
      conformIdTokenClaims: false,
      features: { devInteractions: { enabled: false } },
      interactions: {
        url: (_context: unknown, interaction: { uid: string }) => `/interaction/${interaction.uid}`,
      },
      cookies: { keys: ['cookie key of a test'] },
      findAccount: (_context: unknown, id: string) => ({
        accountId: id,
        claims: async () => ({ ...this.person }),
      }),
      loadExistingGrant: async (context: {
        oidc: { provider: Provider; session: { accountId: string }; client: { clientId: string } }
      }) => {
        const { provider, session, client } = context.oidc
        const grant = new provider.Grant({ accountId: session.accountId, clientId: client.clientId })
        grant.addOIDCScope('openid email profile name')
        await grant.save()
        return grant
      },
    }
  }

  /**
   * Does what a browser does from the authorisation address on. Answers the parameters with which the provider returns it:
   * of the return address, or of the form that it posts.
   */
  visit(url: string): Promise<URLSearchParams> {
    return visitProvider(this.issuer, url)
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }
}

/** The same for whoever knows a provider by its address alone. */
export async function visitProvider(issuer: string, url: string): Promise<URLSearchParams> {
  const jar = new Map<string, string>()
  let next = url
  for (let step = 0; step < 10; step++) {
    if (!next.startsWith(issuer)) return parametersOf(new URL(next))
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const reply = await fetch(next, { redirect: 'manual', headers: { cookie } })
    for (const set of reply.headers.getSetCookie()) {
      const [pair = ''] = set.split(';')
      const [name = '', ...value] = pair.split('=')
      jar.set(name, value.join('='))
    }
    const location = reply.headers.get('location')
    if (location === null) return formOf(await reply.text())
    next = new URL(location, next).href
  }
  throw new Error('the provider sends in circles')
}

function parametersOf(url: URL): URLSearchParams {
  return url.hash === '' ? url.searchParams : new URLSearchParams(url.hash.slice(1))
}

function formOf(page: string): URLSearchParams {
  const fields = [...page.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)]
  if (fields.length === 0) throw new Error(`the provider answered: ${page.slice(0, 500)}`)
  return new URLSearchParams(fields.map(([, name = '', value = '']) => [name, value]))
}
