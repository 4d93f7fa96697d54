import { RendererError } from '../../errors.ts'
import { readPicture, readSequence, readSlice, type SliceSyntax } from './hevc-headers.ts'
import { BitReader, escapeUnit, joinPrefixed, startCoded, unescapeUnit } from './nal.ts'
import type { Splicer } from './splicer.ts'

const VPS = 32
const SPS = 33
const PPS = 34
/** Units with pictures have lower types. */
const FIRST_OTHER = 32
/** Highest identifier that all three kinds of parameter sets may have. */
const ID_LIMIT = 15
/** Bytes of `hvcC` up to its arrays (ISO/IEC 14496-15:2022 §8.3.3.1.2). */
const FIXED_BYTES = 22
const HEADER_BITS = 16
const PROFILE_END = HEADER_BITS + 8 + 96

interface SetArray {
  /** Type of its units and whether it is complete. */
  readonly head: number
  readonly units: readonly Buffer[]
}

/**
 * Fits HEVC between samples with the configuration `hvcC`: the stretches get parameter sets of identifiers that the track does
 * not use, listed beside the track's own. The encoder knows identifier 0 only, so sets and slice headers are written anew.
 * @throws RendererError `unsupported` when the configuration cannot be read or is full
 */
export function hevcSplicer(hvcC: Buffer): Splicer {
  const arrays = readArrays(hvcC)
  const width = ((hvcC[21] ?? 3) & 3) + 1
  const id = Math.max(-1, ...arrays.flatMap(({ units }) => units.map(identifierOf))) + 1
  if (id > ID_LIMIT)
    throw new RendererError('unsupported', 'the track has no identifier left for another parameter set')
  let known: { configuration: Buffer; syntax: SliceSyntax } | undefined
  const syntaxOf = (configuration: Buffer): SliceSyntax => {
    if (known?.configuration !== configuration) {
      const units = startCoded(configuration)
      const payload = (type: number): Buffer =>
        unescapeUnit(units.find((unit) => typeOf(unit) === type) ?? EMPTY)
      const syntax = { sequence: readSequence(payload(SPS)), picture: readPicture(payload(PPS)) }
      known = { configuration, syntax }
    }
    return known.syntax
  }
  return {
    box: 'hvcC',
    sample: (packet, configuration) =>
      joinPrefixed(
        startCoded(packet)
          .filter((unit) => typeOf(unit) < FIRST_OTHER)
          .map((unit) => renamedSlice(unit, id, syntaxOf(configuration))),
        width,
      ),
    ended: (sample) => Buffer.concat([sample, joinPrefixed([END_OF_SEQUENCE], width)]),
    extend: (configuration) => {
      const { sequence } = syntaxOf(configuration)
      const added = startCoded(configuration).map((unit) => renamedSet(unit, id, sequence.id))
      return writeArrays(
        hvcC,
        arrays.map(({ head, units }) => ({
          head,
          units: [...units, ...added.filter((unit) => typeOf(unit) === (head & 63))],
        })),
      )
    },
  }
}

const EMPTY = Buffer.alloc(3)
/** A NAL unit of type EOS_NUT, which is nothing but its header (ITU-T H.265 §7.3.1.2, table 7-1). */
const END_OF_SEQUENCE = Buffer.from([36 << 1, 1])

function typeOf(unit: Buffer): number {
  return ((unit[0] ?? 0) >> 1) & 63
}

function identifierOf(unit: Buffer): number {
  const payload = unescapeUnit(unit.subarray(0, 64))
  if (typeOf(unit) === VPS) return (payload[2] ?? 0) >> 4
  if (typeOf(unit) === PPS) return new BitReader(payload, HEADER_BITS).unsigned()
  if (typeOf(unit) !== SPS) return -1
  const layers = ((payload[2] ?? 0) >> 1) & 7
  const reader = new BitReader(payload, PROFILE_END)
  if (layers > 0) {
    const present = Array.from({ length: 8 }, () => reader.bits(2))
    for (const flags of present.slice(0, layers))
      reader.position += (flags & 2 ? 88 : 0) + (flags & 1 ? 8 : 0)
  }
  return reader.unsigned()
}

function renamedSet(unit: Buffer, id: number, sequenceId: readonly [number, number]): Buffer {
  const payload = unescapeUnit(unit)
  const name = unsignedBits(id)
  const video = id.toString(2).padStart(4, '0')
  switch (typeOf(unit)) {
    case VPS:
      return rewritten(payload, [[HEADER_BITS, HEADER_BITS + 4, video]])
    case SPS:
      return rewritten(payload, [
        [HEADER_BITS, HEADER_BITS + 4, video],
        [...sequenceId, name],
      ])
    case PPS: {
      const reader = new BitReader(payload, HEADER_BITS)
      reader.unsigned()
      const middle = reader.position
      reader.unsigned()
      return rewritten(payload, [
        [HEADER_BITS, middle, name],
        [middle, reader.position, name],
      ])
    }
    default:
      return unit
  }
}

/** A set with some of its bits exchanged; it ends with a one and zeros up to the next byte. */
function rewritten(payload: Buffer, changes: readonly (readonly [number, number, string])[]): Buffer {
  let last = payload.length * 8 - 1
  while (last > 0 && new BitReader(payload, last).bit() === 0) last--
  const bits = new BitWriter()
  let at = 0
  for (const [start, end, value] of changes) {
    bits.copy(payload, at, start)
    bits.write(value)
    at = end
  }
  bits.copy(payload, at, last + 1)
  return escapeUnit(bits.bytes())
}

function renamedSlice(unit: Buffer, id: number, syntax: SliceSyntax): Buffer {
  const payload = unescapeUnit(unit)
  const header = readSlice(payload, syntax)
  const bits = new BitWriter()
  bits.copy(payload, 0, header.id[0])
  bits.write(unsignedBits(id))
  bits.copy(payload, header.id[1], header.end)
  bits.write('1')
  const data = payload.subarray((header.end >> 3) + 1)
  return escapeUnit(Buffer.concat([bits.bytes(), data]))
}

/** ue(v) of ITU-T H.265 §9.2. */
function unsignedBits(value: number): string {
  const code = (value + 1).toString(2)
  return '0'.repeat(code.length - 1) + code
}

class BitWriter {
  #bits: string[] = []

  write(bits: string): void {
    this.#bits.push(bits)
  }

  copy(bytes: Buffer, start: number, end: number): void {
    const reader = new BitReader(bytes, start)
    let text = ''
    while (reader.position < end) text += reader.bit()
    this.#bits.push(text)
  }

  /** All bits, filled up with zeros. */
  bytes(): Buffer {
    const text = this.#bits.join('')
    const bytes = Buffer.alloc(Math.ceil(text.length / 8))
    for (let i = 0; i < bytes.length; i++)
      bytes[i] = Number.parseInt(text.slice(i * 8, i * 8 + 8).padEnd(8, '0'), 2)
    return bytes
  }
}

function readArrays(hvcC: Buffer): SetArray[] {
  if (hvcC.length <= FIXED_BYTES || hvcC[0] !== 1)
    throw new RendererError('unsupported', 'the track has no HEVC configuration to extend')
  const arrays: SetArray[] = []
  let at = FIXED_BYTES + 1
  for (let left = hvcC[FIXED_BYTES] ?? 0; left > 0 && at + 3 <= hvcC.length; left--) {
    const head = hvcC[at] ?? 0
    const count = hvcC.readUInt16BE(at + 1)
    const units: Buffer[] = []
    at += 3
    for (let i = 0; i < count && at + 2 <= hvcC.length; i++) {
      const length = hvcC.readUInt16BE(at)
      units.push(hvcC.subarray(at + 2, at + 2 + length))
      at += 2 + length
    }
    arrays.push({ head, units })
  }
  for (const type of [VPS, SPS, PPS])
    if (!arrays.some(({ head }) => (head & 63) === type))
      throw new RendererError('unsupported', 'the HEVC configuration of the track is not complete')
  return arrays
}

function writeArrays(hvcC: Buffer, arrays: readonly SetArray[]): Buffer {
  const parts: Buffer[] = [hvcC.subarray(0, FIXED_BYTES), Buffer.from([arrays.length])]
  for (const { head, units } of arrays) {
    const start = Buffer.alloc(3)
    start[0] = head
    start.writeUInt16BE(units.length, 1)
    parts.push(start)
    for (const unit of units) {
      const length = Buffer.alloc(2)
      length.writeUInt16BE(unit.length)
      parts.push(length, unit)
    }
  }
  return Buffer.concat(parts)
}
