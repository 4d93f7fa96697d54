/** Writes bits, most significant first: the counterpart of the engine's bit reader, for making streams by hand. */
export class BitWriter {
  readonly #bits: number[] = []

  /** The low `count` bits of `value`. */
  u(count: number, value: number): this {
    for (let i = count - 1; i >= 0; i--) this.#bits.push(Math.floor(value / 2 ** i) % 2)
    return this
  }

  /** Unsigned Exp-Golomb code. */
  ue(value: number): this {
    const length = Math.floor(Math.log2(value + 1))
    return this.u(length, 0).u(length + 1, value + 1)
  }

  /** Signed Exp-Golomb code. */
  se(value: number): this {
    return this.ue(value > 0 ? value * 2 - 1 : -value * 2)
  }

  /** rbsp_trailing_bits: a one, then zeros up to the byte. */
  trailing(): this {
    this.u(1, 1)
    while (this.#bits.length % 8 !== 0) this.u(1, 0)
    return this
  }

  /** Ones up to the byte, as before CABAC slice data. */
  alignOnes(): this {
    while (this.#bits.length % 8 !== 0) this.u(1, 1)
    return this
  }

  /** The bytes so far, the last one filled with zeros. */
  bytes(): Uint8Array {
    const bytes = new Uint8Array(Math.ceil(this.#bits.length / 8))
    this.#bits.forEach((bit, at) => {
      bytes[at >> 3] |= bit << (7 - (at & 7))
    })
    return bytes
  }
}

/** Puts emulation prevention bytes into a payload. */
export function escaped(payload: Uint8Array): Uint8Array {
  const bytes: number[] = []
  let zeros = 0
  for (const byte of payload) {
    if (zeros >= 2 && byte <= 3) {
      bytes.push(3)
      zeros = 0
    }
    bytes.push(byte)
    zeros = byte === 0 ? zeros + 1 : 0
  }
  return Uint8Array.from(bytes)
}

/** NAL units behind four length bytes each. */
export function lengthPrefixed(...nals: readonly Uint8Array[]): Uint8Array {
  return concat(
    nals.flatMap((nal) => [
      Uint8Array.of(0, nal.length >> 16, (nal.length >> 8) & 255, nal.length & 255),
      nal,
    ]),
  )
}

export function concat(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
