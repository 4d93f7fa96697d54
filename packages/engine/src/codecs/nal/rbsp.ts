/**
 * Raw byte sequence payloads of NAL units: the emulation prevention shared by ITU-T H.264 §7.4.1 and H.265 §7.4.2.
 * Inside a NAL unit the bytes 00 00 are never followed by 00, 01 or 02; an encoder puts 03 between.
 */

/**
 * Copies `bytes` into `target` without their emulation prevention bytes, as far as `target` reaches.
 * Returns the bytes written, or -1 when a sequence occurs that no NAL unit may hold within its first `strict` bytes.
 */
export function unescapeInto(bytes: Uint8Array, target: Uint8Array, strict = 0): number {
  const limit = target.length
  let written = 0
  let from = 0
  let searches = 0
  for (let i = 2; i < bytes.length && written + i - from < limit; ) {
    if (i >= strict && searches < MOST_SEARCHES) {
      searches++
      i = bytes.indexOf(3, i)
      if (i < 0 || written + i - from >= limit) break
    }
    const byte = bytes[i]
    // a byte above 3 neither ends such a sequence nor stands in one: three places are passed at once
    if (byte > 3) i += 3
    else if (bytes[i - 1] !== 0 || bytes[i - 2] !== 0) i++
    else if (byte === 3) {
      copy(bytes, from, i, target, written)
      written += i - from
      from = i + 1
      i += 3
    } else if (i < strict) return -1
    else i++
  }
  const end = Math.min(bytes.length, from + limit - written)
  copy(bytes, from, end, target, written)
  return written + end - from
}

/** Threes looked for natively, which is as fast as memory: where there are more, one look each would cost most. */
const MOST_SEARCHES = 8
/** Pieces so long are copied faster by `set`. */
const LONG_PIECE = 64

function copy(bytes: Uint8Array, from: number, end: number, target: Uint8Array, to: number): void {
  if (end - from >= LONG_PIECE) target.set(bytes.subarray(from, end), to)
  else for (let i = from; i < end; i++) target[to + i - from] = bytes[i]
}

/** The payload without emulation prevention bytes, as a copy. */
export function unescaped(bytes: Uint8Array): Uint8Array {
  const target = new Uint8Array(bytes.length)
  return target.subarray(0, Math.max(0, unescapeInto(bytes, target)))
}

/** A NAL unit up to the first start code in it, which none may hold: some editors leave one behind the last unit of a stream. */
export function upToStartCode(nal: Uint8Array): Uint8Array {
  let zeros = 0
  for (let i = 0; i < nal.length; i++) {
    if (zeros >= 2 && nal[i] === 1) return nal.subarray(0, i - zeros)
    zeros = nal[i] === 0 ? zeros + 1 : 0
  }
  return nal
}

/** Position in bits of the last set bit (rbsp_stop_one_bit), or -1 when every byte is zero. */
export function stopBit(bytes: Uint8Array): number {
  let last = bytes.length - 1
  while (last >= 0 && bytes[last] === 0) last--
  if (last < 0) return -1
  return last * 8 + 7 - (31 - Math.clz32(bytes[last] & -bytes[last]))
}

/** The payload with emulation prevention bytes where the bytes of a NAL unit must not follow each other as they do. */
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
