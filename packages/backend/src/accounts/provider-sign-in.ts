import { type Product, type Provider, RETURN_PATHS, type SignInReply } from '@mendframe/contract'
import { and, eq, gt } from 'drizzle-orm'
import type { Context } from '../context.ts'
import type { Database } from '../db/database.ts'
import { isUniqueViolation } from '../db/migrate.ts'
import { identities, mailTokens, signInStates, type UserRow, users } from '../db/schema.ts'
import { ServiceFailure } from '../failure.ts'
import { hashToken, randomToken } from '../random.ts'
import { createUser } from './create.ts'
import { signedIn } from './email-sign-in.ts'
import type { ProvenIdentity, SignInTerms } from './providers.ts'
import { closeSessions } from './sessions.ts'
import { findUserByEmail } from './users.ts'
import { markVerified } from './verification.ts'

/** Minutes a person may take at the provider. */
const STATE_MINUTES = 15

export interface StartedSignIn {
  readonly url: string
  readonly state: string
  readonly nonce: string
  /** Secret for this browser's cookie: a state is worth nothing in another browser. */
  readonly browser: string
  /** What the provider's own window is opened with, where its script is configured. */
  readonly window?: { readonly script: string; readonly clientId: string; readonly redirectUri: string }
}

/** Begins a sign-in. @throws ServiceFailure `auth.provider-unconfigured`. */
export async function startProviderSignIn(
  context: Context,
  provider: Provider,
  product: Product,
  browser: string | undefined,
): Promise<StartedSignIn> {
  if (!context.providers.isConfigured(provider)) throw new ServiceFailure('auth.provider-unconfigured')
  const started = { state: randomToken(), nonce: randomToken(), browser: browser ?? randomToken() }
  const verifier = randomToken()
  const terms = { ...started, verifier, redirectUri: returnAddress(context, provider, product) }
  const url = await context.providers.authorisationUrl(provider, terms)
  await context.db.insert(signInStates).values({
    stateHash: hashToken(started.state),
    provider,
    product,
    nonce: started.nonce,
    verifier,
    browserHash: hashToken(started.browser),
    expiresAt: new Date(context.clock.now().getTime() + STATE_MINUTES * 60_000),
  })
  const { scriptUrl: script, clientId } = context.config[provider] ?? {}
  const { redirectUri } = terms
  return { url, ...started, ...(script && clientId ? { window: { script, clientId, redirectUri } } : {}) }
}

/** Keeps the name that Apple posts the first time only, until the page comes with the code. */
export async function notePersonName(context: Context, state: string, name: string): Promise<void> {
  await context.db
    .update(signInStates)
    .set({ personName: name.slice(0, 200) })
    .where(and(eq(signInStates.stateHash, hashToken(state)), eq(signInStates.provider, 'apple')))
}

export interface ProviderAnswer {
  readonly code?: string | undefined
  readonly idToken?: string | undefined
  readonly state: string | undefined
  /** From the browser's cookie. */
  readonly browser: string | undefined
}

/** Finishes a sign-in with the provider's answer. */
export async function finishProviderSignIn(
  context: Context,
  provider: Provider,
  product: Product,
  answer: ProviderAnswer,
): Promise<SignInReply> {
  if (!context.providers.isConfigured(provider)) throw new ServiceFailure('auth.provider-unconfigured')
  if (answer.code === undefined && answer.idToken === undefined) throw new ServiceFailure('auth.code-missing')
  const started = await redeemState(context, provider, product, answer)
  const terms: SignInTerms = {
    state: answer.state ?? '',
    nonce: started.nonce,
    verifier: started.verifier,
    redirectUri: returnAddress(context, provider, product),
  }
  const proven =
    answer.code === undefined
      ? await context.providers.verifyIdToken(provider, answer.idToken ?? '', terms)
      : await context.providers.redeemCode(provider, answer.code, terms)
  const named = { ...proven, name: proven.name ?? started.personName ?? undefined }
  const accept = () =>
    context.db.transaction(async (tx) => {
      const user = await userOf(context, tx, provider, named)
      return signedIn(context, tx, product, user, 'You are logged in.')
    })
  try {
    return await accept()
  } catch (error) {
    // Two first sign-ins of one person at once: the second finds what the first has made.
    if (isUniqueViolation(error)) return accept()
    throw error
  }
}

/** A state is good once, for its provider and product, in the browser that began. */
async function redeemState(context: Context, provider: Provider, product: Product, answer: ProviderAnswer) {
  if (!answer.state || !answer.browser) throw new ServiceFailure('auth.state-invalid')
  const [started] = await context.db
    .delete(signInStates)
    .where(
      and(
        eq(signInStates.stateHash, hashToken(answer.state)),
        eq(signInStates.provider, provider),
        eq(signInStates.product, product),
        eq(signInStates.browserHash, hashToken(answer.browser)),
        gt(signInStates.expiresAt, context.clock.now()),
      ),
    )
    .returning()
  if (!started) throw new ServiceFailure('auth.state-invalid')
  return started
}

/** The account of a proven identity: the linked one, the one with the same proven address, or a new one. */
async function userOf(
  context: Context,
  tx: Database,
  provider: Provider,
  proven: ProvenIdentity,
): Promise<UserRow> {
  const [linked] = await tx
    .select({ user: users })
    .from(identities)
    .innerJoin(users, eq(users.id, identities.userId))
    .where(and(eq(identities.issuer, proven.issuer), eq(identities.subject, proven.subject)))
  if (linked) return linked.user
  const user = await adopt(context, tx, proven)
  await tx.insert(identities).values({
    issuer: proven.issuer,
    subject: proven.subject,
    provider,
    userId: user.id,
    createdAt: context.clock.now(),
  })
  return user
}

/**
 * An account whose address was never confirmed may be somebody else's doing: whoever proves the address takes it over
 * without its password, sessions and mail links. Without proof nothing is linked.
 */
async function adopt(context: Context, tx: Database, proven: ProvenIdentity): Promise<UserRow> {
  const existing = await findUserByEmail(tx, proven.email)
  if (!existing) {
    const { email, name, emailVerified } = proven
    const created = await createUser(context, tx, { email, name, passwordHash: null, verified: false })
    if (!emailVerified) return created
    await markVerified(context, tx, created)
    return { ...created, emailVerifiedAt: context.clock.now() }
  }
  if (!proven.emailVerified) throw new ServiceFailure('auth.provider-refused')
  if (existing.emailVerifiedAt !== null) return existing
  await closeSessions(tx, existing.id)
  await tx.delete(mailTokens).where(eq(mailTokens.userId, existing.id))
  await tx.delete(identities).where(eq(identities.userId, existing.id))
  await tx.update(users).set({ passwordHash: null }).where(eq(users.id, existing.id))
  await markVerified(context, tx, existing)
  return { ...existing, passwordHash: null, emailVerifiedAt: context.clock.now() }
}

function returnAddress(context: Context, provider: Provider, product: Product): string {
  return context.config.publicUrl + RETURN_PATHS[provider][product]
}
