import { fromBase64Url, fromUtf8, toBase64Url, utf8 } from './encoding.ts'

/**
 * The encrypted client identity and the encrypted email of `info` and `details`. The secret is embedded in every page
 * and therefore public: what it seals is compatible with the specified calls and proves nothing. The server authorises
 * by session token alone.
 */
const SECRET = 'mendframe-client-identity-1'

/** Marks sealed text; session tokens begin with `SESSION_TOKEN_PREFIX`. */
export const SEALED_PREFIX = 'mfi1.'
export const SESSION_TOKEN_PREFIX = 'mfs_'

/** `role` and `id` of a client; the fixed guest identities name the flow they are used in. */
export interface ClientIdentity {
  readonly role: 'guest' | 'google' | 'apple'
  readonly id: string
}

export const GUEST_IDENTITIES = {
  signIn: { role: 'guest', id: 'guest-sign-in' },
  account: { role: 'guest', id: 'guest-account' },
  upload: { role: 'guest', id: 'guest-upload' },
  repair: { role: 'guest', id: 'guest-repair' },
  photo: { role: 'guest', id: 'guest-photo' },
} as const satisfies Readonly<Record<string, ClientIdentity>>

/** The part of Web Crypto used here; `crypto` of browsers (in secure contexts) and of Node fits. */
export interface WebCrypto<Key> {
  getRandomValues(array: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>
  readonly subtle: {
    digest(algorithm: string, data: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer>
    importKey(
      format: 'raw',
      keyData: ArrayBuffer,
      algorithm: string,
      extractable: boolean,
      usages: ('encrypt' | 'decrypt')[],
    ): Promise<Key>
    encrypt(algorithm: AesGcm, key: Key, data: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer>
    decrypt(algorithm: AesGcm, key: Key, data: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer>
  }
}

interface AesGcm {
  name: 'AES-GCM'
  iv: Uint8Array<ArrayBuffer>
}

const IV_BYTES = 12

/** Seals a text (an email, a JSON identity) as `mfi1.` and base64url. */
export async function seal<Key>(text: string, crypto: WebCrypto<Key>): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
  const key = await sealingKey(crypto)
  const sealed = new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, utf8(text)))
  const bytes = new Uint8Array(IV_BYTES + sealed.length)
  bytes.set(iv)
  bytes.set(sealed, IV_BYTES)
  return SEALED_PREFIX + toBase64Url(bytes)
}

/** The text that `seal` sealed; `undefined` for anything else. */
export async function unseal<Key>(sealed: string, crypto: WebCrypto<Key>): Promise<string | undefined> {
  if (!sealed.startsWith(SEALED_PREFIX)) return undefined
  try {
    const bytes = fromBase64Url(sealed.slice(SEALED_PREFIX.length))
    const key = await sealingKey(crypto)
    const iv = bytes.slice(0, IV_BYTES)
    const plain = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, bytes.slice(IV_BYTES))
    return fromUtf8(new Uint8Array(plain))
  } catch {
    return undefined
  }
}

async function sealingKey<Key>(crypto: WebCrypto<Key>): Promise<Key> {
  const digest = await crypto.subtle.digest('SHA-256', utf8(SECRET))
  return crypto.subtle.importKey('raw', digest, 'AES-GCM', false, ['encrypt', 'decrypt'])
}
