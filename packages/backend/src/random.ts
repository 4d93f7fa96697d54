import { createHash, randomBytes } from 'node:crypto'

const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567'
const ID_BYTES = 25

/** 25 random lower-case letters and digits, 125 bits: names of rows and objects that nobody can guess. */
export function randomId(): string {
  let text = ''
  for (const byte of randomBytes(ID_BYTES)) text += LETTERS[byte & 31]
  return text
}

/** 256 random bits, base64url. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url')
}

/** How tokens are stored: whoever reads the database cannot use them. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}
