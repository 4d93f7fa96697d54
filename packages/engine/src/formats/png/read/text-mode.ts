import { SIGNATURE } from './chunk.ts'

const CR = 0x0d
const LF = 0x0a
/** What the signature becomes where each line feed gets a carriage return in front. */
const WIDENED = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, CR, CR, LF, 0x1a, CR, LF)

/**
 * The file as it was before a transfer as text put a carriage return in front of every line feed; undefined where that did not
 * happen. It did where the signature shows it and no line feed stands alone: then taking them away gives every byte back.
 */
export function beforeTextMode(bytes: Uint8Array): Uint8Array | undefined {
  if (!WIDENED.every((byte, i) => bytes[i] === byte)) return undefined
  const result = new Uint8Array(bytes.length)
  let length = 0
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === CR && bytes[at + 1] === LF) continue
    if (bytes[at] === LF && bytes[at - 1] !== CR) return undefined
    result[length++] = bytes[at]
  }
  return SIGNATURE.every((byte, i) => result[i] === byte) ? result.subarray(0, length) : undefined
}
