import { createPrivateKey, sign } from 'node:crypto'
import type { Provider } from '@mendframe/contract'
import * as oidc from 'openid-client'
import type { Config, ProviderConfig } from '../config/config.ts'
import { ServiceFailure } from '../failure.ts'

/** What a provider says about a person, after all checks. */
export interface ProvenIdentity {
  readonly issuer: string
  readonly subject: string
  readonly email: string
  readonly emailVerified: boolean
  readonly name: string | undefined
}

export interface SignInTerms {
  readonly redirectUri: string
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

/** Minutes a client secret made for Apple is good for; it is made for each exchange. */
const APPLE_SECRET_SECONDS = 300
const TIMEOUT_SECONDS = 15

/** Google and Apple, each an OpenID Connect issuer that the settings name. */
export class IdentityProviders {
  readonly #config: Pick<Config, 'google' | 'apple'>
  readonly #discovered = new Map<Provider, Promise<oidc.ServerMetadata>>()

  constructor(config: Pick<Config, 'google' | 'apple'>) {
    this.#config = config
  }

  isConfigured(provider: Provider): boolean {
    return this.#config[provider] !== undefined
  }

  /** Where to send the browser. Apple posts its answer because the name is asked for. */
  async authorisationUrl(provider: Provider, terms: SignInTerms): Promise<string> {
    const client = await this.#client(provider)
    const parameters: Record<string, string> = {
      redirect_uri: terms.redirectUri,
      response_type: 'code',
      scope: provider === 'google' ? 'openid email profile' : 'openid name email',
      state: terms.state,
      nonce: terms.nonce,
    }
    if (provider === 'apple') parameters.response_mode = 'form_post'
    if (client.serverMetadata().supportsPKCE()) {
      parameters.code_challenge = await oidc.calculatePKCECodeChallenge(terms.verifier)
      parameters.code_challenge_method = 'S256'
    }
    return oidc.buildAuthorizationUrl(client, parameters).href
  }

  /** Exchanges a code; signature, issuer, audience, times and nonce of the id token are verified. */
  async redeemCode(provider: Provider, code: string, terms: SignInTerms): Promise<ProvenIdentity> {
    const client = await this.#client(provider)
    const metadata = client.serverMetadata()
    const url = new URL(terms.redirectUri)
    url.searchParams.set('code', code)
    url.searchParams.set('state', terms.state)
    // The page hands over code and state only. Which issuer answered is certain without `iss`: the state on our side
    // names the provider, and each provider has a return address of its own.
    if (metadata.authorization_response_iss_parameter_supported) url.searchParams.set('iss', metadata.issuer)
    const tokens = await refusing(
      oidc.authorizationCodeGrant(client, url, {
        expectedState: terms.state,
        expectedNonce: terms.nonce,
        idTokenExpected: true,
        ...(metadata.supportsPKCE() ? { pkceCodeVerifier: terms.verifier } : {}),
      }),
    )
    return identityOf(metadata.issuer, tokens.claims())
  }

  /** Verifies an id token that the provider's dialog gave to the page. */
  async verifyIdToken(provider: Provider, idToken: string, terms: SignInTerms): Promise<ProvenIdentity> {
    const client = await this.#client(provider)
    oidc.useIdTokenResponseType(client)
    const url = new URL(terms.redirectUri)
    url.hash = new URLSearchParams({ id_token: idToken, state: terms.state }).toString()
    const claims = await refusing(
      oidc.implicitAuthentication(client, url, terms.nonce, { expectedState: terms.state }),
    )
    return identityOf(client.serverMetadata().issuer, claims)
  }

  async #client(provider: Provider): Promise<oidc.Configuration> {
    const config = this.#config[provider]
    if (!config) throw new ServiceFailure('auth.provider-unconfigured')
    const metadata = await this.#discover(provider, config)
    const secret = typeof config.secret === 'string' ? config.secret : appleSecret(config, metadata.issuer)
    const client = new oidc.Configuration(
      metadata,
      config.clientId,
      { client_secret: secret },
      oidc.ClientSecretPost(secret),
    )
    client.timeout = TIMEOUT_SECONDS
    if (isLoopback(config.issuer)) oidc.allowInsecureRequests(client)
    return client
  }

  #discover(provider: Provider, config: ProviderConfig): Promise<oidc.ServerMetadata> {
    const known = this.#discovered.get(provider)
    if (known) return known
    const execute = isLoopback(config.issuer) ? [oidc.allowInsecureRequests] : []
    const found = oidc
      .discovery(new URL(config.issuer), config.clientId, undefined, oidc.None(), {
        execute,
        timeout: TIMEOUT_SECONDS,
      })
      .then((client) => client.serverMetadata())
    this.#discovered.set(provider, found)
    found.catch(() => this.#discovered.delete(provider))
    return found
  }
}

/** Plain HTTP is accepted from an issuer on this machine only. */
function isLoopback(issuer: string): boolean {
  const { protocol, hostname } = new URL(issuer)
  return protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
}

async function refusing<Value>(step: Promise<Value>): Promise<Value> {
  try {
    return await step
  } catch (error) {
    throw new ServiceFailure('auth.provider-refused', {}, { cause: error })
  }
}

/** Apple sends `email_verified` as a text. */
function identityOf(issuer: string, claims: oidc.IDToken | undefined): ProvenIdentity {
  const email = claims?.email
  if (!claims || typeof email !== 'string' || email === '') throw new ServiceFailure('auth.provider-refused')
  const verified = claims.email_verified
  return {
    issuer,
    subject: claims.sub,
    email,
    emailVerified: verified === true || verified === 'true',
    name: typeof claims.name === 'string' ? claims.name : undefined,
  }
}

/** Apple's client secret: a JWT signed with the developer's key, ES256. */
function appleSecret(config: ProviderConfig, audience: string): string {
  if (typeof config.secret === 'string') return config.secret
  const { teamId, keyId, privateKey } = config.secret
  const now = Math.floor(Date.now() / 1000)
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const head = part({ alg: 'ES256', kid: keyId, typ: 'JWT' })
  const body = part({
    iss: teamId,
    sub: config.clientId,
    aud: audience,
    iat: now,
    exp: now + APPLE_SECRET_SECONDS,
  })
  const signature = sign('sha256', Buffer.from(`${head}.${body}`), {
    key: createPrivateKey(privateKey),
    dsaEncoding: 'ieee-p1363',
  })
  return `${head}.${body}.${signature.toString('base64url')}`
}
