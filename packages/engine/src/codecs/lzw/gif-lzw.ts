const MOST_BITS = 12
const TABLE = 1 << MOST_BITS
/** Bytes of a sub-block at most. */
const BLOCK = 255

/*
 * By code: the code of all pixels but the last, the last pixel, the first one, and how many there are. Reading fills what it
 * needs of them before it looks there, so that a file of a million tiny pictures does not make them anew for each.
 */
const prefix = new Int16Array(TABLE)
const suffix = new Uint8Array(TABLE)
const head = new Uint8Array(TABLE)
const lengths = new Uint16Array(TABLE)

/** How far a stream of GIF's LZW was read. */
export interface ReadLzw {
  /** Pixels up to the end, the fault, or those wanted. */
  readonly pixels: number
  /** The stream came to its end code. */
  readonly ended: boolean
  /** A code that cannot be stopped it. */
  readonly fault: boolean
  /** Bits in front of where it stopped, and how wide the next code is. */
  readonly bits: number
  readonly width: number
  /** Pixels in front of the last clear code. */
  readonly cleared: number
}

/**
 * Reads LZW as GIF89a Appendix F has it: lowest bit first, with a clear code and an end code of its own for each code size.
 * Without `out` pixels are counted alone, so that a picture of any size costs no memory.
 */
export function readGifLzw(source: Uint8Array, size: number, wanted: number, out?: Uint8Array): ReadLzw {
  const clear = 1 << size
  for (let code = 0; code < clear; code++) {
    prefix[code] = -1
    suffix[code] = code
    head[code] = code
    lengths[code] = 1
  }
  let next = clear + 2
  let width = size + 1
  let before = -1
  let pixels = 0
  let cleared = 0
  let bits = 0
  const stop = (ended: boolean, fault: boolean): ReadLzw => ({ pixels, ended, fault, bits, width, cleared })
  while (bits + width <= source.length * 8) {
    const at = bits >> 3
    const held = source[at] | ((source[at + 1] ?? 0) << 8) | ((source[at + 2] ?? 0) << 16)
    const code = (held >> (bits & 7)) & ((1 << width) - 1)
    if (code === clear + 1) return stop(true, false)
    if (code === clear) {
      bits += width
      next = clear + 2
      width = size + 1
      before = -1
      cleared = pixels
      continue
    }
    const known = code < next
    if (!known && (code !== next || before < 0)) return stop(false, true)
    const shown = known ? code : before
    const length = lengths[shown] + (known ? 0 : 1)
    if (pixels + length > wanted) return stop(false, true)
    if (out) {
      let place = pixels + length - 1
      if (!known) out[place--] = head[shown]
      for (let walk = shown; walk >= 0; walk = prefix[walk]) out[place--] = suffix[walk]
    }
    pixels += length
    bits += width
    if (before >= 0 && next < TABLE) {
      prefix[next] = before
      suffix[next] = head[shown]
      head[next] = head[before]
      lengths[next] = lengths[before] + 1
      next++
      if (next === 1 << width && width < MOST_BITS) width++
    }
    before = code
  }
  return stop(false, false)
}

/** Goes on with a stream that was read so far: a clear code, the pixels that are missing, and the end code. */
export function continueGifLzw(
  source: Uint8Array,
  { bits, width: first }: Pick<ReadLzw, 'bits' | 'width'>,
  size: number,
  pixels: Uint8Array,
): Uint8Array {
  const out: number[] = Array.from(source.subarray(0, bits >> 3))
  let held = bits & 7 ? source[bits >> 3] & ((1 << (bits & 7)) - 1) : 0
  let count = bits & 7
  let width = first
  const put = (code: number): void => {
    held |= code << count
    count += width
    for (; count >= 8; count -= 8, held >>>= 8) out.push(held & 0xff)
  }
  const clear = 1 << size
  let next = clear + 2
  const strings = new Map<number, number>()
  const reset = (): void => {
    put(clear)
    strings.clear()
    next = clear + 2
    width = size + 1
  }
  reset()
  let string = -1
  for (const pixel of pixels) {
    if (string < 0) {
      string = pixel
      continue
    }
    const longer = strings.get((string << 8) | pixel)
    if (longer !== undefined) {
      string = longer
      continue
    }
    put(string)
    strings.set((string << 8) | pixel, next++)
    if (next > 1 << width && width < MOST_BITS) width++
    if (next === TABLE) reset()
    string = pixel
  }
  if (string >= 0) {
    put(string)
    next++
    if (next > 1 << width && width < MOST_BITS) width++
  }
  put(clear + 1)
  if (count > 0) out.push(held & 0xff)
  return Uint8Array.from(out)
}

/** A stream in sub-blocks with their terminator, GIF89a §15 and §16. */
export function inSubBlocks(stream: Uint8Array): Uint8Array {
  const blocks = Math.ceil(stream.length / BLOCK)
  const out = new Uint8Array(stream.length + blocks + 1)
  for (let i = 0, at = 0; i < blocks; i++) {
    const part = stream.subarray(i * BLOCK, (i + 1) * BLOCK)
    out[at] = part.length
    out.set(part, at + 1)
    at += 1 + part.length
  }
  return out
}
