import type { ByteReader } from '../../bytes/reader.ts'
import type { Codec } from '../codec.ts'
import type { Recogniser, Unit } from '../recogniser.ts'
import { ENTRY_BYTES, hintSampleAt } from './sample.ts'

/** A sample without packets: a count of zero and what is reserved. */
const EMPTY_BYTES = 4
/** One stands right behind a sample of packets, or alone in its place, where the recording has such: still to be borne out. */
const EMPTY_EVIDENCE = 24
/** Bytes looked at in one piece by `search`. */
const SEARCH_BYTES = 1 << 14
/** From a sample's start to behind its first packet's payload type. */
const HEAD_BYTES = 10

/** How media are to be put into RTP packets, one sample for each of theirs or for a stretch of it. */
export const rtpHint: Codec = {
  name: 'rtp',
  recogniser: () => new RtpHintRecogniser(),
}

class RtpHintRecogniser implements Recogniser {
  readonly codec = 'rtp'
  readonly timescale = 0
  readonly orderStep = 1
  readonly selfDelimiting = true
  #order = 0
  /** Payload type of all packets of the recording, -1 where they differ or none was seen. */
  #payloadType = -1
  #typed = false
  /** The recording has samples without packets. */
  #hasEmpty = false
  /** Where the last sample with packets ended. */
  #end = -1

  recognise(reader: ByteReader, offset: number, end: number, unit: Unit): boolean {
    const sample = hintSampleAt(reader, offset, end, this.#payloadType)
    const empty = !sample && this.#isEmpty(reader, offset, end)
    if (!sample && !empty) return false
    unit.length = sample?.length ?? EMPTY_BYTES
    unit.evidence = sample?.evidence ?? EMPTY_EVIDENCE
    unit.key = true
    unit.duration = 0
    unit.gap = 0
    return true
  }

  accept(_reader: ByteReader, offset: number, unit: Unit): void {
    unit.order = this.#order++
    unit.restart = false
    this.#end = unit.length > EMPTY_BYTES ? offset + unit.length : -1
  }

  learn(reader: ByteReader, offset: number, length: number): void {
    if (length === EMPTY_BYTES) this.#hasEmpty ||= reader.u32(offset) === 0
    const sample = hintSampleAt(reader, offset, offset + length, -1)
    if (!sample) return
    if (this.#typed && sample.payloadType !== this.#payloadType) this.#payloadType = -1
    else if (!this.#typed) this.#payloadType = sample.payloadType
    this.#typed = true
  }

  discontinuity(): void {
    this.#end = -1
  }

  search(reader: ByteReader, from: number, end: number): number {
    for (let at = from; at < end; at += SEARCH_BYTES) {
      const bytes = reader.bytes(at, SEARCH_BYTES + HEAD_BYTES)
      const until = Math.min(SEARCH_BYTES, end - at, bytes.length - HEAD_BYTES)
      for (let start = 0; start < until; start++) {
        if (bytes[start + 2] !== 0 || bytes[start + 3] !== 0) continue
        if (bytes[start] === 0 && bytes[start + 1] === 0) continue
        if (this.#payloadType < 0 || (bytes[start + 9] & 0x7f) === this.#payloadType) return at + start
      }
    }
    return end
  }

  /** Zeros behind zeros are lost bytes: the last entry of a sample with packets never is all zeros. */
  #isEmpty(reader: ByteReader, offset: number, end: number): boolean {
    if (!this.#hasEmpty || offset + EMPTY_BYTES > end || reader.u32(offset) !== 0) return false
    if (offset === this.#end) return true
    const before = Math.min(offset, ENTRY_BYTES)
    return offset + EMPTY_BYTES === end && reader.bytes(offset - before, before).some((byte) => byte !== 0)
  }
}
