/** Where the next 00 00 01 stands from `from` on that lies whole in the bytes; their end without. */
export function nextCode(bytes: Uint8Array, from: number): number {
  let at = bytes.indexOf(1, from + 2)
  while (at >= 0 && (bytes[at - 1] !== 0 || bytes[at - 2] !== 0)) at = bytes.indexOf(1, at + 1)
  return at < 0 ? bytes.length : at - 2
}
