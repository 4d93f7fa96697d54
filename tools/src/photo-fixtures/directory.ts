/** A field's value: text, whole numbers of 16 or 32 bits, or bytes as they are. */
export type FieldValue =
  | string
  | { readonly short: readonly number[] }
  | { readonly long: readonly number[] }
  | Uint8Array

const TYPES = { ascii: 2, short: 3, long: 4, undefined: 7 } as const

/**
 * A TIFF header and one directory with its values behind it, TIFF 6.0 §2; `base` is where the bytes come to lie for its offsets.
 */
export function tiffDirectory(
  fields: ReadonlyMap<number, FieldValue>,
  little = true,
  magic = 42,
  base = 0,
): Uint8Array {
  const sorted = [...fields].sort(([a], [b]) => a - b)
  const encoded = sorted.map(([tag, value]) => ({ tag, ...encode(value, little) }))
  const end = 8 + 2 + 12 * encoded.length + 4
  const outside = encoded.filter(({ bytes }) => bytes.length > 4)
  const size = outside.reduce((sum, { bytes }) => sum + bytes.length + (bytes.length % 2), end)
  const result = new Uint8Array(size)
  const view = new DataView(result.buffer)
  view.setUint16(0, little ? 0x4949 : 0x4d4d)
  view.setUint16(2, magic, little)
  view.setUint32(4, base + 8, little)
  view.setUint16(8, encoded.length, little)
  let free = end
  for (const [i, { tag, type, count, bytes }] of encoded.entries()) {
    const at = 10 + 12 * i
    view.setUint16(at, tag, little)
    view.setUint16(at + 2, type, little)
    view.setUint32(at + 4, count, little)
    if (bytes.length <= 4) result.set(bytes, at + 8)
    else {
      view.setUint32(at + 8, base + free, little)
      result.set(bytes, free)
      free += bytes.length + (bytes.length % 2)
    }
  }
  return result
}

function encode(
  value: FieldValue,
  little: boolean,
): { readonly type: number; readonly count: number; readonly bytes: Uint8Array } {
  if (typeof value === 'string') {
    const bytes = new TextEncoder().encode(`${value}\0`)
    return { type: TYPES.ascii, count: bytes.length, bytes }
  }
  if (value instanceof Uint8Array) return { type: TYPES.undefined, count: value.length, bytes: value }
  if ('short' in value) {
    const bytes = new Uint8Array(2 * value.short.length)
    const view = new DataView(bytes.buffer)
    for (const [i, number] of value.short.entries()) view.setUint16(2 * i, number, little)
    return { type: TYPES.short, count: value.short.length, bytes }
  }
  const bytes = new Uint8Array(4 * value.long.length)
  const view = new DataView(bytes.buffer)
  for (const [i, number] of value.long.entries()) view.setUint32(4 * i, number, little)
  return { type: TYPES.long, count: value.long.length, bytes }
}
