/** Parts one after another. */
export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** One part again and again, cut at `bytes`. */
export function repeated(part: Uint8Array, bytes: number): Uint8Array {
  const whole = new Uint8Array(bytes)
  whole.set(part.subarray(0, bytes))
  // twice as much each time: a part of a byte would be set millions of times
  for (let done = part.length; done < bytes; done *= 2) whole.copyWithin(done, 0, done)
  return whole
}

/** Characters as bytes. */
export function text(characters: string): Uint8Array {
  return Uint8Array.from(characters, (character) => character.charCodeAt(0))
}

/** 32-bit numbers, big-endian. */
export function words(values: ArrayLike<number>): Uint8Array {
  const bytes = new Uint8Array(values.length * 4)
  const view = new DataView(bytes.buffer)
  for (let i = 0; i < values.length; i++) view.setUint32(i * 4, values[i])
  return bytes
}

/** So many 32-bit numbers, by their index. */
export function wordsOf(count: number, value: (index: number) => number): Uint8Array {
  const bytes = new Uint8Array(count * 4)
  const view = new DataView(bytes.buffer)
  for (let i = 0; i < count; i++) view.setUint32(i * 4, value(i))
  return bytes
}

/** A box, ISO/IEC 14496-12:2022 §4.2. */
export function box(type: string, ...parts: readonly Uint8Array[]): Uint8Array {
  const body = joined(parts)
  return joined([words([8 + body.length]), text(type), body])
}

/** A full box of version 0, §4.2.2. */
export function fullBox(type: string, flags: number, ...parts: readonly Uint8Array[]): Uint8Array {
  return box(type, words([flags]), ...parts)
}
