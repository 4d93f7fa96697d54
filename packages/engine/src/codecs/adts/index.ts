import type { ByteReader } from '../../bytes/reader.ts'
import type { TrackDescription } from '../../model/track.ts'
import { AAC_SSR } from '../aac/audio-specific-config.ts'
import { startingStatistics } from '../aac/prior.ts'
import { RawDataBlock } from '../aac/raw-data-block.ts'
import type { Codec } from '../codec.ts'
import { FixedHeader } from '../fixed-header.ts'
import type { Recogniser, Unit } from '../recogniser.ts'
import { searchSync } from '../search-sync.ts'
import {
  type AdtsHeader,
  configOf,
  FIXED_BITS,
  HEADER_BYTES,
  LONGEST_FRAME,
  parseAdtsHeader,
} from './header.ts'

/** Sync word, layer and reserved sampling rates. */
const HEADER_EVIDENCE = 14
/** The fixed header is the one of the frames before. */
const KNOWN_EVIDENCE = 12
/** The block ends where the header says, which chance gives one in as many lengths as it may have. */
const LENGTH_EVIDENCE = 10
/** The next frame's sync word follows. */
const FOLLOWED_EVIDENCE = 12
/** Parsers kept for different headers; a stream has one, chance offers more. */
const MAX_PARSERS = 8
const BLOCK_SAMPLES = 1024
const SYNC_BYTE = 0xff

/**
 * AAC with ADTS headers, as in transport streams, AVI and `.aac`: the header gives a frame's length, its content, parsed
 * like bare AAC, proves it.
 */
export const adts: Codec = {
  name: 'aac-adts',
  recogniser: (track: TrackDescription) => new AdtsRecogniser(track.sampleRate),
}

/** Its time scale is the core sampling rate: the track's until the first frame learned. */
class AdtsRecogniser implements Recogniser {
  readonly codec = 'aac-adts'
  readonly orderStep = 1
  readonly selfDelimiting = true
  readonly #parsers = new Map<number, RawDataBlock>()
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
    if (!this.#fits(reader.u32(offset))) return false
    const bytes = reader.bytes(offset, LONGEST_FRAME + HEADER_BYTES)
    const header = parseAdtsHeader(bytes, 0)
    const limit = Math.min(end - offset, bytes.length)
    if (header === undefined || header.length > limit) return false
    unit.length = header.length
    unit.evidence = HEADER_EVIDENCE
    if (this.#fixed.isKnown(reader.u32(offset))) unit.evidence += KNOWN_EVIDENCE
    if (header.length + HEADER_BYTES <= limit && this.#follows(bytes, header))
      unit.evidence += FOLLOWED_EVIDENCE
    this.#weigh(bytes, header, unit)
    unit.key = true
    unit.duration = header.blocks * BLOCK_SAMPLES
    unit.gap = 0
    unit.lengthKnown = true
    return true
  }

  accept(reader: ByteReader, offset: number, unit: Unit): void {
    unit.order = this.#order++
    unit.restart = false
    unit.gap = 0
    if (!unit.damaged) this.learn(reader, offset)
  }

  learn(reader: ByteReader, offset: number): void {
    const bytes = reader.bytes(offset, HEADER_BYTES)
    const header = parseAdtsHeader(bytes, 0)
    if (header === undefined) return
    this.#fixed.learn(reader.u32(offset))
    this.#sampleRate = configOf(header).coreSampleRate
  }

  discontinuity(): void {}

  search(reader: ByteReader, from: number, end: number): number {
    const span = { sync: SYNC_BYTE, ahead: LONGEST_FRAME + HEADER_BYTES }
    return searchSync(reader, from, end, span, (bytes, at) => {
      const header = parseAdtsHeader(bytes, at)
      return header !== undefined && this.#fits(word(bytes, at)) && at + header.length <= bytes.length
    })
  }

  /** Once a stream is known its fixed header cannot change. */
  #fits(start: number): boolean {
    return start >>> 20 === 0xfff && this.#fixed.fits(start)
  }

  #follows(bytes: Uint8Array, header: AdtsHeader): boolean {
    return parseAdtsHeader(bytes, header.length) !== undefined && this.#fits(word(bytes, header.length))
  }

  /** Parses a frame of one block without checksums inside; content of other frames is taken on trust. */
  #weigh(bytes: Uint8Array, header: AdtsHeader, unit: Unit): void {
    unit.damaged = false
    if (header.blocks > 1 || header.objectType === AAC_SSR) return
    const parser = this.#parser(header)
    const length = header.length - header.headerLength
    const content = bytes.subarray(header.headerLength, header.length)
    if (parser.parse(content, 0, content.length) === length)
      unit.evidence += LENGTH_EVIDENCE + Math.max(0, parser.evidence)
    else unit.damaged = true
  }

  #parser(header: AdtsHeader): RawDataBlock {
    const key = header.objectType * 256 + header.samplingIndex * 16 + header.channelConfiguration
    let parser = this.#parsers.get(key)
    if (parser === undefined) {
      if (this.#parsers.size >= MAX_PARSERS) this.#parsers.clear()
      const config = configOf(header)
      parser = new RawDataBlock(config, startingStatistics(config))
      this.#parsers.set(key, parser)
    }
    return parser
  }
}

function word(bytes: Uint8Array, at: number): number {
  return ((bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3]) >>> 0
}
