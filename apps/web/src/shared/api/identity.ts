import { GUEST_IDENTITIES, seal } from '@mendframe/contract'
import { readToken } from '../storage/session.ts'

type Flow = keyof typeof GUEST_IDENTITIES

function flowOf(path: string): Flow {
  if (path.startsWith('/api/photo')) return 'photo'
  if (path.startsWith('/api/upload') || path.startsWith('/api/sample')) return 'upload'
  if (path.startsWith('/api/repair') || path.startsWith('/api/checkprogress')) return 'repair'
  if (path.startsWith('/api/user') || path.startsWith('/api/purchases')) return 'account'
  return 'signIn'
}

/**
 * Seals a text with the embedded secret. The secret is public and proves nothing, so where the browser cannot seal
 * (a page without a secure context) the text is left out.
 */
export async function sealText(text: string): Promise<string> {
  if (text === '' || !globalThis.crypto?.subtle) return ''
  return seal(text, globalThis.crypto)
}

/** The bearer of a call: the session token, or a guest's sealed identity. `undefined` where neither can be had. */
export async function bearerFor(path: string): Promise<string | undefined> {
  const token = readToken()
  if (token) return token
  const sealed = await sealText(JSON.stringify(GUEST_IDENTITIES[flowOf(path)]))
  return sealed === '' ? undefined : sealed
}
