/** What a compressed strip or tile held, as far as it could be read. */
export interface Unpacked {
  readonly bytes: Uint8Array
  /** The stream came to its own end, or to the bytes wanted, without a code that cannot be. */
  readonly whole: boolean
}

const CLEAR = 256
const END = 257
const FIRST_FREE = 258
const MOST_BITS = 12

/**
 * Unpacks LZW as TIFF 6.0 §13 has it (highest bit first, codes grow one early) to at most `wanted` bytes. What was unpacked
 * before a code that cannot be, or the end of the bytes, is kept.
 */
export function unpackLzw(source: Uint8Array, wanted: number): Unpacked {
  const out = new Uint8Array(wanted)
  const prefix = new Int16Array(1 << MOST_BITS)
  const suffix = new Uint8Array(1 << MOST_BITS)
  const lengths = new Uint16Array(1 << MOST_BITS)
  for (let code = 0; code < CLEAR; code++) {
    suffix[code] = code
    lengths[code] = 1
    prefix[code] = -1
  }
  let next = FIRST_FREE
  let width = 9
  let before = -1
  let length = 0
  let held = 0
  let bits = 0
  let at = 0
  while (length < wanted) {
    while (bits < width) {
      if (at === source.length) return { bytes: out.subarray(0, length), whole: false }
      held = ((held << 8) | source[at++]) & 0xff_ffff
      bits += 8
    }
    bits -= width
    const code = (held >> bits) & ((1 << width) - 1)
    if (code === END) break
    if (code === CLEAR) {
      next = FIRST_FREE
      width = 9
      before = -1
      continue
    }
    const known = code < next && code !== CLEAR && code !== END
    if (!known && (code !== next || before < 0)) return { bytes: out.subarray(0, length), whole: false }
    const shown = known ? code : before
    const size = lengths[shown]
    let place = length + size - 1
    let first = 0
    for (let walk = shown; walk >= 0; walk = prefix[walk]) {
      first = suffix[walk]
      if (place < wanted) out[place] = first
      place--
    }
    length += size
    if (!known) {
      if (length < wanted) out[length] = first
      length++
    }
    if (before >= 0 && next < 1 << MOST_BITS) {
      prefix[next] = before
      suffix[next] = first
      lengths[next] = lengths[before] + 1
      next++
    }
    if (next + 1 >= 1 << width && width < MOST_BITS) width++
    before = code
  }
  const done = Math.min(length, wanted)
  return { bytes: out.subarray(0, done), whole: done === wanted }
}

/** Literals between two clear codes: codes stay nine bits wide. */
const LITERALS = 250

/** Packs bytes as LZW without compressing them: a strip that was put together anew. */
export function packLzw(bytes: Uint8Array): Uint8Array {
  const clears = Math.ceil(bytes.length / LITERALS) || 1
  const codes = clears + bytes.length + 1
  const out = new Uint8Array(Math.ceil((codes * 9) / 8))
  let bit = 0
  const put = (code: number): void => {
    for (let i = 8; i >= 0; i--, bit++) if ((code >> i) & 1) out[bit >> 3] |= 0x80 >> (bit & 7)
  }
  for (let i = 0; i < bytes.length || i === 0; i++) {
    if (i % LITERALS === 0) put(CLEAR)
    if (i < bytes.length) put(bytes[i])
  }
  put(END)
  return out
}
