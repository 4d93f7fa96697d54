import { RendererError } from '../../errors.ts'

/** NAL units of a sample with length fields of `width` bytes; ends where the lengths stop making sense. */
export function lengthPrefixed(bytes: Buffer, width: number): Buffer[] {
  const units: Buffer[] = []
  for (let at = 0; at + width <= bytes.length; ) {
    const length = bytes.readUIntBE(at, width)
    at += width
    if (length === 0 || at + length > bytes.length) break
    units.push(bytes.subarray(at, at + length))
    at += length
  }
  return units
}

/** NAL units of a byte stream with start codes (ITU-T H.264 annex B). */
export function startCoded(bytes: Buffer): Buffer[] {
  const units: Buffer[] = []
  let at = bytes.indexOf(START)
  while (at >= 0) {
    const begin = at + START.length
    const next = bytes.indexOf(START, begin)
    let end = next < 0 ? bytes.length : next
    while (end > begin && bytes[end - 1] === 0) end--
    if (end > begin) units.push(bytes.subarray(begin, end))
    at = next
  }
  return units
}

const START = Buffer.from([0, 0, 1])

/** Joins NAL units to a sample. @throws RendererError `unsupported` when one is too long for its length field */
export function joinPrefixed(units: readonly Buffer[], width: number): Buffer {
  const parts: Buffer[] = []
  for (const unit of units) {
    if (unit.length >= 2 ** (8 * width))
      throw new RendererError('unsupported', `the track’s length fields of ${width} bytes are too short`)
    const prefix = Buffer.alloc(width)
    prefix.writeUIntBE(unit.length, 0, width)
    parts.push(prefix, unit)
  }
  return Buffer.concat(parts)
}

/** A NAL unit's payload without emulation prevention (ITU-T H.264 §7.4.1.1). */
export function unescapeUnit(unit: Buffer): Buffer {
  const out = Buffer.alloc(unit.length)
  let length = 0
  let zeros = 0
  for (const byte of unit) {
    if (zeros >= 2 && byte === 3) {
      zeros = 0
      continue
    }
    zeros = byte === 0 ? zeros + 1 : 0
    out[length++] = byte
  }
  return out.subarray(0, length)
}

/** The reverse of `unescapeUnit`. */
export function escapeUnit(payload: Buffer): Buffer {
  const out = Buffer.alloc(payload.length + Math.ceil(payload.length / 2) + 1)
  let length = 0
  let zeros = 0
  for (const byte of payload) {
    if (zeros >= 2 && byte <= 3) {
      out[length++] = 3
      zeros = 0
    }
    zeros = byte === 0 ? zeros + 1 : 0
    out[length++] = byte
  }
  return out.subarray(0, length)
}

/** Reads bits of a payload, most significant first. Past its end there are zeros. */
export class BitReader {
  position: number
  readonly #bytes: Buffer

  constructor(bytes: Buffer, position = 0) {
    this.#bytes = bytes
    this.position = position
  }

  bit(): number {
    const byte = this.#bytes[this.position >> 3] ?? 0
    const bit = (byte >> (7 - (this.position & 7))) & 1
    this.position++
    return bit
  }

  bits(count: number): number {
    let value = 0
    for (let i = 0; i < count; i++) value = value * 2 + this.bit()
    return value
  }

  /** ue(v) of ITU-T H.264 §9.1. */
  unsigned(): number {
    let zeros = 0
    while (zeros < 32 && this.bit() === 0) zeros++
    return 2 ** zeros - 1 + this.bits(zeros)
  }

  /** se(v) of ITU-T H.264 §9.1.1. */
  signed(): number {
    const code = this.unsigned()
    return code % 2 === 1 ? (code + 1) / 2 : -code / 2
  }
}
