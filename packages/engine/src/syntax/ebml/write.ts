/** An identifier with its marker bit, as bytes. */
export function idBytes(id: number): number[] {
  const bytes: number[] = []
  for (let rest = id; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256)
  return bytes
}

/** A size in as few bytes as it needs, or in `length` of them, RFC 8794 §4. */
export function sizeBytes(size: number, length = shortest(size)): number[] {
  const bytes: number[] = []
  let rest = size
  for (let i = 0; i < length; i++) {
    bytes.unshift(rest % 256)
    rest = Math.floor(rest / 256)
  }
  bytes[0] |= 0x100 >> length
  return bytes
}

function shortest(size: number): number {
  let length = 1
  while (length < 8 && size >= 2 ** (7 * length) - 1) length++
  return length
}

/** An element with its data. */
export function element(id: number, ...parts: readonly (Uint8Array | readonly number[])[]): Uint8Array {
  const size = parts.reduce((sum, part) => sum + part.length, 0)
  const head = [...idBytes(id), ...sizeBytes(size)]
  const bytes = new Uint8Array(head.length + size)
  bytes.set(head)
  let at = head.length
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

/** An unsigned integer in as few bytes as it needs, one at least, or in `length`. */
export function unsigned(id: number, value: number, length = 1): Uint8Array {
  const bytes: number[] = []
  for (let rest = value; rest > 0 || bytes.length < length; rest = Math.floor(rest / 256))
    bytes.unshift(rest % 256)
  return element(id, bytes)
}

/** A float of eight bytes. */
export function float(id: number, value: number): Uint8Array {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setFloat64(0, value)
  return element(id, bytes)
}

/** A string of ASCII. */
export function text(id: number, value: string): Uint8Array {
  return element(
    id,
    Array.from(value, (letter) => letter.charCodeAt(0)),
  )
}
