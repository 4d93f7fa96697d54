import { type Product, type Provider, SIGN_IN, type SignInReply, TEXTS } from '@mendframe/contract'
import { call } from '../../shared/api/call.ts'
import { ApiFailure } from '../../shared/api/failure.ts'

/** Where a provider's return page goes. */
export type ReturnOutcome =
  | { readonly kind: 'in'; readonly reply: SignInReply }
  /** The service said no: a toast, and the page stays as it is. */
  | { readonly kind: 'refused'; readonly message: string }
  /** To /error, with a reason that it can put into words. */
  | { readonly kind: 'error'; readonly reason: string }

/**
 * Finishes a sign-in with the code that the provider's return brought; the state goes along as timestamp. Every failure
 * is logged.
 */
export async function finishProvider(
  provider: Provider,
  product: Product,
  query: URLSearchParams,
): Promise<ReturnOutcome> {
  const code = query.get('code')
  if (!code) {
    console.error(TEXTS.codeMissing)
    return { kind: 'error', reason: query.has('error') ? 'cancelled' : 'auth.code-missing' }
  }
  try {
    const body = { code, timestamp: query.get('state') ?? '' }
    return { kind: 'in', reply: await call(SIGN_IN[product][provider], { body }) }
  } catch (cause) {
    console.error(`${provider} sign-in failed`, cause)
    return cause instanceof ApiFailure
      ? { kind: 'refused', message: TEXTS.providerFailed }
      : { kind: 'error', reason: 'no-answer' }
  }
}
