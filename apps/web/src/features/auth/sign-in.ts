import { type Product, type Provider, SESSIONS, SIGN_IN, type SignInReply, TEXTS } from '@mendframe/contract'
import { call } from '../../shared/api/call.ts'
import { ApiFailure, NoAnswer } from '../../shared/api/failure.ts'
import { signInByWindow, WindowClosed } from './apple-window.ts'

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

/** How a sign-in with a provider goes on from its button. */
export type ProviderOutcome =
  /** To the provider's page. */
  | { readonly kind: 'leave'; readonly url: string }
  | { readonly kind: 'in'; readonly reply: SignInReply }
  /** Nothing came of it; the message, if any, is a toast. */
  | { readonly kind: 'over'; readonly message?: string }

/**
 * Signs in with a provider: in its own window where its script is configured, by its page otherwise. The toast of a
 * refusal is the service's own words where the provider is not set up, else the specified text; any other failure is
 * only logged.
 */
export async function signInByProvider(provider: Provider, product: Product): Promise<ProviderOutcome> {
  try {
    const started = await call(SESSIONS.start, { body: { provider, product } })
    if (provider !== 'apple' || !started.window) return { kind: 'leave', url: started.url }
    const terms = { ...started.window, state: started.timestamp, nonce: started.nonce }
    return { kind: 'in', reply: await signInByWindow(product, terms) }
  } catch (cause) {
    if (cause instanceof ApiFailure) {
      const { code, message } = cause
      return { kind: 'over', message: code === 'auth.provider-unconfigured' ? message : TEXTS.providerFailed }
    }
    if (!(cause instanceof WindowClosed)) console.error(`${provider} sign-in failed`, cause)
    return { kind: 'over' }
  }
}
