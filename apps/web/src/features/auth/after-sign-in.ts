import type { Product, Provider, SignInReply } from '@mendframe/contract'
import { storeSession } from '../../shared/storage/session.ts'
import { PHOTO_APP_PATH } from './photo-app-path.ts'

export { PHOTO_APP_PATH }

/**
 * Where a sign-in leads: to the path that was asked for (`goTo`). Without one, video: the start page unless the visitor is to
 * stay (`same`); by Apple's dialog the dashboard. Photo: the photo app.
 */
export function destinationAfter(
  product: Product,
  way: 'email' | Provider,
  page?: 'same',
  goTo?: string,
): string | 'reload' {
  if (goTo !== undefined) return goTo
  if (product === 'photo') return PHOTO_APP_PATH
  if (page === 'same') return 'reload'
  return way === 'apple' ? '/admin/dashboard' : '/'
}

/** Remembers the session and goes on, with a full load so that every part of the page knows the user. */
export function completeSignIn(
  product: Product,
  way: 'email' | Provider,
  reply: SignInReply,
  page?: 'same',
  goTo?: string,
): void {
  storeSession(product, reply.user, reply.token)
  const destination = destinationAfter(product, way, page, goTo)
  if (destination === 'reload') window.location.reload()
  else window.location.assign(destination)
}

const RETURN_KEY = 'signin-return'

/** Before leaving for a provider: remembers the page to come back to, when the visitor is to stay or to go to one. */
export function rememberReturn(page?: 'same', goTo?: string): void {
  const path = goTo ?? (page === 'same' ? window.location.pathname + window.location.search : undefined)
  if (path !== undefined) sessionStorage.setItem(RETURN_KEY, path)
  else sessionStorage.removeItem(RETURN_KEY)
}

/** The page to come back to from a provider, once. */
export function takeReturn(): string | undefined {
  const path = sessionStorage.getItem(RETURN_KEY) ?? undefined
  sessionStorage.removeItem(RETURN_KEY)
  return path?.startsWith('/') && !path.startsWith('//') ? path : undefined
}
