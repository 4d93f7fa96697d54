/* Text encodings in plain TypeScript: this package knows neither the browser's nor Node's globals. */

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** UTF-8 bytes of a text. @throws URIError for a text with half a surrogate pair. */
export function utf8(text: string): Uint8Array<ArrayBuffer> {
  const escaped = encodeURIComponent(text)
  const bytes: number[] = []
  for (let at = 0; at < escaped.length; at++) {
    if (escaped[at] === '%') {
      bytes.push(Number.parseInt(escaped.slice(at + 1, at + 3), 16))
      at += 2
    } else bytes.push(escaped.charCodeAt(at))
  }
  return Uint8Array.from(bytes)
}

/** The text of UTF-8 bytes. @throws URIError for bytes that are not UTF-8. */
export function fromUtf8(bytes: Uint8Array): string {
  return decodeURIComponent(Array.from(bytes, (byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''))
}

/** Base64url without padding, RFC 4648 §5. */
export function toBase64Url(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 3) {
    const count = Math.min(3, bytes.length - at)
    const word = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0)
    for (let digit = 0; digit <= count; digit++) text += ALPHABET[(word >> (18 - 6 * digit)) & 63]
  }
  return text
}

/** Bytes of base64url without padding, RFC 4648 §5. @throws RangeError for a character outside the alphabet. */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const bytes: number[] = []
  let word = 0
  let bits = 0
  for (const character of text) {
    const value = ALPHABET.indexOf(character)
    if (value < 0) throw new RangeError('not base64url')
    word = ((word << 6) | value) & 0xffffff
    bits += 6
    if (bits >= 8) {
      bits -= 8
      bytes.push((word >> bits) & 0xff)
    }
  }
  return Uint8Array.from(bytes)
}
