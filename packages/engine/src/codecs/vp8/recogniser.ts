import type { ByteReader } from '../../bytes/reader.ts'
import { CountedPictures } from '../counted-pictures.ts'
import type { Recogniser, Unit } from '../recogniser.ts'
import { searchBytes } from '../search-bytes.ts'
import { dctPartitions } from './frame-header.ts'

/** Start code of key frames, RFC 6386 §9.1. */
const START_CODE = Uint8Array.of(0x9d, 0x01, 0x2a)
const TAG_BYTES = 3
/** Bytes of a key frame before its first partition: tag, start code, size. */
const KEY_BYTES = 10
/** Bitstream versions that decoders know. */
const LAST_VERSION = 3
/** Bytes of the first partition in which the number of the others stands. */
const FIELDS_BYTES = 64
/** Bytes of the size that stands before each of the further partitions but the last, §9.5. */
const SIZE_BYTES = 3
const START_CODE_EVIDENCE = 24
/** A size in the frame that is the track's. */
const SIZE_EVIDENCE = 20
/** A further partition whose size fits. */
const PARTITION_EVIDENCE = 6
/** A first partition that fits, and a version that is known. */
const TAG_EVIDENCE = 1

/**
 * VP8 frames, RFC 6386. They carry no length: a unit reaches to `end`, and what is known is how long it is at least, by its
 * partitions.
 */
export class Vp8Recogniser implements Recogniser {
  readonly codec = 'vp8'
  readonly timescale = 0
  readonly orderStep = 1
  readonly selfDelimiting = false
  readonly #width: number
  readonly #height: number
  readonly #pictures = new CountedPictures()

  constructor(width: number, height: number) {
    this.#width = width
    this.#height = height
  }

  recognise(reader: ByteReader, offset: number, end: number, unit: Unit): boolean {
    if (offset + TAG_BYTES > end) return false
    const tag = reader.u8(offset) | (reader.u8(offset + 1) << 8) | (reader.u8(offset + 2) << 16)
    const key = (tag & 1) === 0
    const firstBytes = tag >> 5
    const first = offset + (key ? KEY_BYTES : TAG_BYTES)
    if (((tag >> 1) & 7) > LAST_VERSION || firstBytes === 0 || first + firstBytes > end) return false
    unit.evidence = TAG_EVIDENCE
    if (key) {
      if (START_CODE.some((byte, index) => reader.u8(offset + TAG_BYTES + index) !== byte)) return false
      const width = reader.u16le(offset + 6) & 0x3fff
      const height = reader.u16le(offset + 8) & 0x3fff
      if (width === 0 || height === 0) return false
      unit.evidence = START_CODE_EVIDENCE
      if (width === this.#width && height === this.#height) unit.evidence += SIZE_EVIDENCE
    }
    const partitions = dctPartitions(reader.bytes(first, Math.min(firstBytes, FIELDS_BYTES)), key)
    if (partitions === undefined) return false
    let least = first + firstBytes + SIZE_BYTES * (partitions - 1)
    for (let i = 0; i < partitions - 1; i++) {
      const at = first + firstBytes + SIZE_BYTES * i
      if (at + SIZE_BYTES > end) return false
      least += reader.u16le(at) | (reader.u8(at + 2) << 16)
    }
    if (least > end) return false
    unit.evidence += PARTITION_EVIDENCE * (partitions - 1)
    unit.length = end - offset
    unit.leastLength = least - offset
    unit.lengthKnown = false
    unit.key = key
    unit.continues = false
    unit.recovery = false
    unit.damaged = false
    unit.duration = 0
    return true
  }

  accept(_reader: ByteReader, _offset: number, unit: Unit): void {
    this.#pictures.accept(unit)
  }

  discontinuity(): void {}

  search(reader: ByteReader, from: number, end: number): number {
    return Math.min(end, searchBytes(reader, from + TAG_BYTES, end + TAG_BYTES, START_CODE) - TAG_BYTES)
  }
}
