import type { ByteReader } from '../../bytes/reader.ts'
import type { Codec } from '../codec.ts'
import type { Recogniser, Unit } from '../recogniser.ts'

/** Payload bytes of each packet type, Camera Motion Metadata specification, types 0 to 7. */
const PAYLOAD = [12, 8, 12, 12, 12, 24, 56, 12]
const HEADER = 4

/** Camera motion metadata: a reserved word, a type, and floats of a length the type fixes. */
export const camm: Codec = {
  name: 'camm',
  recogniser: () => new CammRecogniser(),
}

class CammRecogniser implements Recogniser {
  readonly codec = 'camm'
  readonly timescale = 0
  readonly orderStep = 1
  readonly selfDelimiting = true
  #count = 0

  recognise(reader: ByteReader, offset: number, end: number, unit: Unit): boolean {
    if (offset + HEADER > end || reader.u16(offset) !== 0) return false
    const type = reader.u16le(offset + 2)
    if (type >= PAYLOAD.length) return false
    const length = HEADER + PAYLOAD[type]
    if (offset + length > end) return false
    let sane = 0
    if (type !== 1 && type < 5) {
      for (let at = offset + HEADER; at < offset + length; at += 4) sane += floatEvidence(reader.u32le(at))
    }
    unit.length = length
    unit.evidence = 18 + sane
    unit.key = true
    unit.duration = 0
    unit.gap = 0
    return unit.evidence > 0
  }

  accept(_reader: ByteReader, _offset: number, unit: Unit): void {
    unit.order = this.#count++
    unit.restart = false
  }

  discontinuity(): void {}

  search(reader: ByteReader, from: number, end: number): number {
    for (let at = from; at < end; at++) {
      if (reader.u16(at) === 0 && reader.u8(at + 3) === 0 && reader.u8(at + 2) < PAYLOAD.length) return at
    }
    return end
  }
}

/** Sensor values lie between a millionth and a million; zero is likelier a zeroed stretch. */
function floatEvidence(bits: number): number {
  const exponent = (bits >>> 23) & 0xff
  if (bits << 1 === 0) return -2
  return exponent > 100 && exponent < 150 ? 3 : -12
}
