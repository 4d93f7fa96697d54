import type { ByteReader } from '../../bytes/reader.ts'
import type { TrackDescription } from '../../model/track.ts'
import type { Codec } from '../codec.ts'
import { crc16 } from '../crc16.ts'
import { FixedHeader } from '../fixed-header.ts'
import type { Recogniser, Unit } from '../recogniser.ts'
import { searchSync } from '../search-sync.ts'
import { FIXED_BITS, LONGEST_FRAME, type MpegAudioHeader, parseHeader } from './header.ts'
import { checkSideInformation, sideInformationBytes } from './side-information.ts'

/** Bits that seldom change within a track, and what each is worth once they are known: layer's protection, mode, flags. */
const HABITUAL_BITS = 0x000101cf
const HABITUAL_EVIDENCE = 7
/** Sync word and reserved values of a header on its own. */
const HEADER_EVIDENCE = 12
/** Version, layer and sampling rate, where the track or its frames have told them. */
const KNOWN_EVIDENCE = 5
const KNOWN_RATE_EVIDENCE = 3
const CRC_EVIDENCE = 16
/** Bytes that begin every frame: eleven bits of ones. */
const SYNC_BYTE = 0xff
const SECOND_SYNC_BYTE = 0xe0
const CRC_START = 0xffff

/**
 * MPEG-1, MPEG-2 and "MPEG 2.5" audio, Layers I to III. Bit rates may change from frame to frame; version, layer and
 * sampling rate stay. Free format has no frame lengths and is not recognised.
 */
export const mp3: Codec = {
  name: 'mp3',
  recogniser(track: TrackDescription): Recogniser {
    return new Mp3Recogniser(track.sampleRate)
  },
}

/** Its time scale is the sampling rate of the track, or of the first frame learned when the track does not know. */
class Mp3Recogniser implements Recogniser {
  readonly codec = 'mp3'
  readonly orderStep = 1
  readonly selfDelimiting = true
  readonly #fixed = new FixedHeader(FIXED_BITS)
  #sampleRate: number
  #order = 0

  constructor(sampleRate: number | undefined) {
    this.#sampleRate = sampleRate ?? 0
  }

  get timescale(): number {
    return this.#sampleRate
  }

  recognise(reader: ByteReader, offset: number, end: number, unit: Unit): boolean {
    const word = reader.u32(offset)
    const header = this.#header(word)
    if (header === undefined || offset + header.length > Math.min(end, reader.size)) return false
    const evidence = this.#evidence(reader.bytes(offset, header.length), word, header)
    if (evidence < 0) return false
    unit.length = header.length
    unit.evidence = evidence
    unit.key = true
    unit.duration =
      this.#sampleRate > 0 ? (header.samples * this.#sampleRate) / header.sampleRate : header.samples
    unit.gap = 0
    unit.damaged = false
    unit.lengthKnown = true
    return true
  }

  accept(reader: ByteReader, offset: number, unit: Unit): void {
    unit.order = this.#order++
    unit.restart = false
    unit.gap = 0
    this.learn(reader, offset)
  }

  learn(reader: ByteReader, offset: number): void {
    const word = reader.u32(offset)
    const header = parseHeader(word)
    if (header === undefined) return
    if (this.#sampleRate === 0) this.#sampleRate = header.sampleRate
    this.#fixed.learn(word)
  }

  discontinuity(): void {}

  search(reader: ByteReader, from: number, end: number): number {
    const span = { sync: SYNC_BYTE, ahead: LONGEST_FRAME }
    return searchSync(
      reader,
      from,
      end,
      span,
      (bytes, at) => bytes[at + 1] >= SECOND_SYNC_BYTE && this.#starts(bytes, at),
    )
  }

  /** Whether a whole frame starts at `at`. */
  #starts(bytes: Uint8Array, at: number): boolean {
    if (at + 4 > bytes.length) return false
    const word = ((bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3]) >>> 0
    const header = this.#header(word)
    if (header === undefined || at + header.length > bytes.length) return false
    return this.#evidence(bytes.subarray(at), word, header) >= 0
  }

  #header(word: number): MpegAudioHeader | undefined {
    return word >>> 21 === 0x7ff && this.#fixed.fits(word) ? parseHeader(word) : undefined
  }

  #evidence(frame: Uint8Array, word: number, header: MpegAudioHeader): number {
    let evidence = HEADER_EVIDENCE
    if (this.#fixed.isKnown(word)) {
      evidence += KNOWN_EVIDENCE
      if (this.#fixed.isKnown(word, HABITUAL_BITS)) evidence += HABITUAL_EVIDENCE
    } else if (header.sampleRate === this.#sampleRate) evidence += KNOWN_RATE_EVIDENCE
    if (header.layer !== 3) return evidence
    const sides = checkSideInformation(header, frame)
    if (sides < 0) return -1
    if (header.protected && checksumHolds(frame, header)) evidence += CRC_EVIDENCE
    return evidence + sides
  }
}

/** The CRC of Layer III covers the header's last two bytes and the side information, ISO/IEC 11172-3:1993 §2.4.3.1. */
function checksumHolds(frame: Uint8Array, header: MpegAudioHeader): boolean {
  const crc = crc16(frame, 2, 4, CRC_START)
  return crc16(frame, 6, 6 + sideInformationBytes(header), crc) === ((frame[4] << 8) | frame[5])
}
