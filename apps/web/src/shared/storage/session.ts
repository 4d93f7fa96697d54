import { type Product, type User, userSchema } from '@mendframe/contract'
import { SESSION_KEYS, TOKEN_KEY } from './session-keys.ts'
import { sessionChanged } from './session-signal.ts'

/** The signed-in user of a flavour as the browser remembers it; `null` for a guest or for unreadable storage. */
export function readUser(product: Product): User | null {
  try {
    const text = localStorage.getItem(SESSION_KEYS[product])
    if (!text) return null
    const parsed = userSchema.safeParse(JSON.parse(text))
    return parsed.success && parsed.data.email !== '' ? parsed.data : null
  } catch {
    return null
  }
}

/** The session token, `null` without one. */
export function readToken(): string | null {
  try {
    return localStorage.getItem(TOKEN_KEY)
  } catch {
    return null
  }
}

/** Remembers a sign-in. The token is both flavours': somebody else's user of the other one is forgotten. */
export function storeSession(product: Product, user: User, token: string): void {
  const other = product === 'video' ? 'photo' : 'video'
  if (readUser(other)?.email.toLowerCase() !== user.email.toLowerCase()) {
    localStorage.removeItem(SESSION_KEYS[other])
  }
  localStorage.setItem(TOKEN_KEY, token)
  localStorage.setItem(SESSION_KEYS[product], JSON.stringify(user))
  sessionChanged()
}

/** Brings the remembered user up to date without touching the token. */
export function storeUser(product: Product, user: User): void {
  localStorage.setItem(SESSION_KEYS[product], JSON.stringify(user))
  sessionChanged()
}

/** Forgets the token and, because both flavours share it, the user of both. */
export function clearSession(): void {
  localStorage.removeItem(TOKEN_KEY)
  for (const key of Object.values(SESSION_KEYS)) localStorage.removeItem(key)
  sessionChanged()
}
