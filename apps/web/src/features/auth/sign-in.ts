import { type Product, type Provider, SESSIONS, SIGN_IN, type SignInReply, TEXTS } from '@mendframe/contract'
import { call } from '../../shared/api/call.ts'
import { ApiFailure, NoAnswer } from '../../shared/api/failure.ts'

/** How a try to sign in ended. */
export type SignInOutcome =
  | { readonly kind: 'in'; readonly reply: SignInReply }
  /** The service said no: shown as a toast. */
  | { readonly kind: 'refused'; readonly message: string }
  /** No answer: shown as the browser's alert. */
  | { readonly kind: 'network'; readonly message: string }

/** Logs in or signs up with email and password. */
export async function signInByEmail(
  product: Product,
  mode: 'login' | 'signup',
  email: string,
  password: string,
): Promise<SignInOutcome> {
  try {
    const body = { email, password, timestamp: Date.now() }
    return { kind: 'in', reply: await call(SIGN_IN[product][mode], { body }) }
  } catch (cause) {
    if (cause instanceof NoAnswer) return { kind: 'network', message: TEXTS.signInNetwork }
    const message = cause instanceof ApiFailure ? cause.message : ''
    return { kind: 'refused', message: message || TEXTS.signInFailed }
  }
}

/**
 * Asks for the provider's page to go to. `message` is the toast when there is none: the service's own words where the
 * provider is not set up, otherwise the specified text. A failure without an answer is only logged.
 */
export async function startProvider(
  provider: Provider,
  product: Product,
): Promise<{ readonly url: string } | { readonly message: string | undefined }> {
  try {
    const { url } = await call(SESSIONS.start, { body: { provider, product } })
    return { url }
  } catch (cause) {
    if (cause instanceof ApiFailure) {
      return { message: cause.code === 'auth.provider-unconfigured' ? cause.message : TEXTS.providerFailed }
    }
    console.error(`${provider} sign-in could not be started`, cause)
    return { message: undefined }
  }
}
