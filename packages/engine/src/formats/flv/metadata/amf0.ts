/** Markers of values, Action Message Format AMF 0 §2.1. */
const NUMBER = 0
const BOOLEAN = 1
const STRING = 2
const OBJECT = 3
const NULL = 5
const UNDEFINED = 6
const REFERENCE = 7
const ECMA_ARRAY = 8
const OBJECT_END = 9
const STRICT_ARRAY = 10
const DATE = 11
const LONG_STRING = 12
const UNSUPPORTED = 13
const XML = 15

/** Nested values beyond this are damage. */
const DEEPEST = 16

/** A named value of an object, as it stands in its bytes. */
export interface Property {
  readonly name: string
  /** The value with its marker: [from, to) of the bytes that were read. */
  readonly from: number
  readonly to: number
}

function u16(bytes: Uint8Array, at: number): number {
  return (bytes[at] << 8) | bytes[at + 1]
}

function u32(bytes: Uint8Array, at: number): number {
  return ((bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3]) >>> 0
}

/** One past the value at `at`; -1 where none stands there whole. */
export function skipValue(bytes: Uint8Array, at: number, depth = 0): number {
  if (depth > DEEPEST || at >= bytes.length) return -1
  const within = (end: number): number => (end <= bytes.length ? end : -1)
  switch (bytes[at]) {
    case NUMBER:
      return within(at + 9)
    case BOOLEAN:
      return within(at + 2)
    case STRING:
      return within(at + 3 + u16(bytes, at + 1))
    case NULL:
    case UNDEFINED:
    case UNSUPPORTED:
      return at + 1
    case REFERENCE:
      return within(at + 3)
    case DATE:
      return within(at + 11)
    case LONG_STRING:
    case XML:
      return within(at + 5 + u32(bytes, at + 1))
    case OBJECT:
      return readProperties(bytes, at + 1, depth + 1)?.end ?? -1
    case ECMA_ARRAY:
      return readProperties(bytes, at + 5, depth + 1)?.end ?? -1
    case STRICT_ARRAY: {
      let end = at + 5
      for (let left = u32(bytes, at + 1); left > 0 && end >= 0; left--) end = skipValue(bytes, end, depth + 1)
      return end
    }
    default:
      return -1
  }
}

/** Reads names and values up to the end marker; `end` is one past it. Undefined where they break off. */
export function readProperties(
  bytes: Uint8Array,
  at: number,
  depth = 0,
): { readonly properties: readonly Property[]; readonly end: number } | undefined {
  const properties: Property[] = []
  for (;;) {
    if (at + 3 > bytes.length) return undefined
    const length = u16(bytes, at)
    if (length === 0 && bytes[at + 2] === OBJECT_END) return { properties, end: at + 3 }
    const from = at + 2 + length
    const to = skipValue(bytes, from, depth)
    if (to < 0) return undefined
    properties.push({ name: latin(bytes.subarray(at + 2, from)), from, to })
    at = to
  }
}

/** Properties of the object or the named array at `at`. */
export function readObject(bytes: Uint8Array, at: number): readonly Property[] | undefined {
  if (bytes[at] === OBJECT) return readProperties(bytes, at + 1)?.properties
  return bytes[at] === ECMA_ARRAY ? readProperties(bytes, at + 5)?.properties : undefined
}

/** The numbers of a plain array of numbers. */
export function readNumbers(bytes: Uint8Array, at: number): number[] | undefined {
  if (bytes[at] !== STRICT_ARRAY) return undefined
  const count = u32(bytes, at + 1)
  if (at + 5 + count * 9 > bytes.length) return undefined
  const numbers: number[] = []
  for (let i = 0; i < count; i++) {
    const number = readNumber(bytes, at + 5 + i * 9)
    if (number === undefined) return undefined
    numbers.push(number)
  }
  return numbers
}

export function readNumber(bytes: Uint8Array, at: number): number | undefined {
  if (bytes[at] !== NUMBER || at + 9 > bytes.length) return undefined
  return new DataView(bytes.buffer, bytes.byteOffset + at + 1, 8).getFloat64(0)
}

/** Names are bytes: what is outside ASCII keeps its value, so that names are written as they were read. */
function latin(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return text
}

/** Puts values together. */
export class AmfWriter {
  readonly #bytes: number[] = []

  name(text: string): this {
    this.#bytes.push(text.length >> 8, text.length & 255)
    for (let i = 0; i < text.length; i++) this.#bytes.push(text.charCodeAt(i) & 255)
    return this
  }

  string(text: string): this {
    this.#bytes.push(STRING)
    return this.name(text)
  }

  number(value: number): this {
    const bytes = new Uint8Array(8)
    new DataView(bytes.buffer).setFloat64(0, value)
    this.#bytes.push(NUMBER, ...bytes)
    return this
  }

  boolean(value: boolean): this {
    this.#bytes.push(BOOLEAN, value ? 1 : 0)
    return this
  }

  numbers(values: readonly number[]): this {
    this.#count(STRICT_ARRAY, values.length)
    for (const value of values) this.number(value)
    return this
  }

  /** Opens a named array; `end` closes it. */
  array(count: number): this {
    return this.#count(ECMA_ARRAY, count)
  }

  object(): this {
    this.#bytes.push(OBJECT)
    return this
  }

  end(): this {
    this.#bytes.push(0, 0, OBJECT_END)
    return this
  }

  raw(bytes: Uint8Array): this {
    for (const byte of bytes) this.#bytes.push(byte)
    return this
  }

  bytes(): Uint8Array {
    return Uint8Array.from(this.#bytes)
  }

  #count(marker: number, count: number): this {
    this.#bytes.push(marker, (count >>> 24) & 255, (count >>> 16) & 255, (count >>> 8) & 255, count & 255)
    return this
  }
}
