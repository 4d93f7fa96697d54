import { AAC_LTP, AAC_MAIN } from './audio-specific-config.ts'
import type { ScaleFactorBands } from './bands.ts'
import {
  SCALE_FACTOR_LONG,
  SCALE_FACTOR_TABLE,
  SKIP_MASK,
  spectrumTable,
  TABLE_BITS,
  VALUE_SHIFT,
} from './huffman-tables.ts'
import { skipEscapeSpectrum, skipSpectrum } from './spectrum.ts'
import * as field from './statistics.ts'

const EIGHT_SHORT = 2
/** Codebook numbers with a meaning of their own, ISO/IEC 14496-3:2019 Table 4.151. */
const ZERO_BOOK = 0
const ESCAPE_BOOK = 11
const RESERVED_BOOK = 12
const NOISE_BOOK = 13
/** Bands of long term prediction, Table 4.148. */
const MAX_LTP_BANDS = 40
/** Sections: eight groups of up to 15 bands, or one of up to 51. */
const MAX_SECTIONS = 128

/** Syntax that depends on the track's configuration. */
export interface StreamProfile {
  readonly objectType: number
  readonly frameLength: number
  readonly bands: ScaleFactorBands
}

/**
 * Reads individual_channel_stream() and what belongs to it, ISO/IEC 14496-3:2019 §4.4.2.7. A field that the standard
 * rules out makes a method return false. Positions are in bits; the buffer has room behind the data, so that
 * reading on is harmless and one check of `position` against `end` per part is enough.
 */
export class ChannelStream {
  /** The bytes being parsed, with room behind `end`. */
  bytes: Uint8Array
  position = 0
  /** One past the last valid bit. */
  end = 0
  evidence = 0
  score: Float32Array
  sectionsLong: Float32Array
  sectionsShort: Float32Array
  /** Counts fields by value when set. */
  seen: Uint32Array | undefined
  /** Groups of windows and bands of the latest ics_info(). */
  groups = 1
  maxSfb = 0
  /** Bands with a scale factor, noise energy or intensity position in the latest channel. */
  codedBands = 0
  readonly #profile: StreamProfile
  readonly #groupLength = new Uint8Array(8)
  #short = false
  #sections = 0
  readonly #sectionBook = new Uint8Array(MAX_SECTIONS)
  readonly #sectionStart = new Uint8Array(MAX_SECTIONS)
  readonly #sectionEnd = new Uint8Array(MAX_SECTIONS)
  readonly #sectionGroup = new Uint8Array(MAX_SECTIONS)

  constructor(bytes: Uint8Array, profile: StreamProfile, statistics: field.Statistics) {
    this.bytes = bytes
    this.#profile = profile
    this.score = statistics.score
    this.sectionsLong = statistics.sectionsLong
    this.sectionsShort = statistics.sectionsShort
  }

  /** The next `count` bits, 1 to 25. */
  take(count: number): number {
    const at = this.position
    this.position = at + count
    const byte = at >>> 3
    const bytes = this.bytes
    const window = (bytes[byte] << 24) | (bytes[byte + 1] << 16) | (bytes[byte + 2] << 8) | bytes[byte + 3]
    return (window << (at & 7)) >>> (32 - count)
  }

  /** Weighs one value of a field, and counts it when learning. */
  note(index: number): void {
    this.evidence += this.score[index]
    if (this.seen !== undefined) this.seen[index]++
  }

  /** ics_info(), §4.4.2.1 Table 4.6. */
  info(common: boolean): boolean {
    if (this.take(1) !== 0) return false
    // ics_reserved_bit
    this.evidence += 1
    const sequence = this.take(2)
    this.note(field.WINDOW_SEQUENCE + sequence)
    this.note(field.WINDOW_SHAPE + this.take(1))
    const bands = this.#profile.bands
    if (sequence === EIGHT_SHORT) {
      this.#short = true
      this.maxSfb = this.take(4)
      this.note(field.MAX_SFB_SHORT + this.maxSfb)
      const grouping = this.take(7)
      this.note(field.GROUPING + grouping)
      this.#group(grouping)
      return this.maxSfb < bands.short.length
    }
    this.#short = false
    this.groups = 1
    this.#groupLength[0] = 1
    this.maxSfb = this.take(6)
    if (this.maxSfb >= bands.long.length) return false
    this.note(field.MAX_SFB_LONG + this.maxSfb)
    const predictor = this.take(1)
    this.note(field.PREDICTOR + predictor)
    return predictor === 0 || this.#prediction(common)
  }

  /** ms_mask_present and ms_used, Table 4.5. */
  midSide(): boolean {
    const mask = this.take(2)
    if (mask === 3) return false
    this.note(field.MS_MASK + mask)
    if (mask === 1) this.position += this.groups * this.maxSfb
    return true
  }

  /** individual_channel_stream() without scale flag, Table 4.50; `common` when ics_info() came before it. */
  channel(common: boolean): boolean {
    const gain = this.take(8)
    this.note(field.GLOBAL_GAIN + (gain >> 2))
    if (!common && !this.info(false)) return false
    if (!this.#sectionData() || this.position > this.end) return false
    if (!this.#scaleFactorData(gain) || this.position > this.end) return false
    const pulse = this.take(1)
    if (pulse && !this.#pulseData()) return false
    const shaping = this.take(1)
    if (shaping && !this.#noiseShaping()) return false
    // gain_control_data() exists in AAC SSR alone, which is not read here.
    if (this.take(1)) return false
    this.note(field.TOOLS + (this.#short ? 8 : 0) + pulse + shaping * 2)
    return this.#spectralData()
  }

  /** One code word of the scale factor code: the difference + 60. */
  scaleFactor(): number {
    const window = this.take(25)
    const entry = SCALE_FACTOR_TABLE[window >>> (25 - TABLE_BITS)]
    if (entry > 0) {
      this.position += (entry & SKIP_MASK) - 25
      return entry >> VALUE_SHIFT
    }
    const { first, counts, index, values } = SCALE_FACTOR_LONG
    let bits = TABLE_BITS + 1
    let rank = (window >>> (25 - bits)) - first[bits]
    while (rank >= counts[bits]) {
      bits++
      rank = (window >>> (25 - bits)) - first[bits]
    }
    this.position += bits - 25
    return values[index[bits] + rank]
  }

  #group(grouping: number): void {
    let group = 0
    this.#groupLength[0] = 1
    for (let bit = 6; bit >= 0; bit--) {
      if ((grouping >> bit) & 1) this.#groupLength[group]++
      else this.#groupLength[++group] = 1
    }
    this.groups = group + 1
  }

  /** Main profile prediction and long term prediction, which LC has not; Table 4.6 and 4.52. */
  #prediction(common: boolean): boolean {
    const { objectType, bands } = this.#profile
    if (objectType === AAC_MAIN) {
      if (this.take(1)) {
        const resetGroup = this.take(5)
        if (resetGroup === 0 || resetGroup > 30) return false
      }
      this.position += Math.min(this.maxSfb, bands.predicted)
      return true
    }
    if (objectType !== AAC_LTP) return false
    if (this.take(1)) this.#longTerm()
    if (common && this.take(1)) this.#longTerm()
    return true
  }

  #longTerm(): void {
    this.position += 11 + 3 + Math.min(this.maxSfb, MAX_LTP_BANDS)
  }

  /** section_data(), Table 4.52. */
  #sectionData(): boolean {
    const short = this.#short
    const maxSfb = this.maxSfb
    const lengthBits = short ? 3 : 5
    const escapeLength = (1 << lengthBits) - 1
    const bookField = short ? field.SECTION_BOOK_SHORT : field.SECTION_BOOK_LONG
    const lengthField = short ? field.SECTION_LENGTH_SHORT : field.SECTION_LENGTH_LONG
    const exact = short ? this.sectionsShort[maxSfb] : this.sectionsLong[maxSfb]
    let section = 0
    for (let group = 0; group < this.groups; group++) {
      let band = 0
      while (band < maxSfb) {
        const book = this.take(4)
        if (book === RESERVED_BOOK) return false
        this.note(bookField + book)
        const start = band
        let increment = this.take(lengthBits)
        this.note(lengthField + increment)
        while (increment === escapeLength) {
          band += escapeLength
          if (band > maxSfb) return false
          increment = this.take(lengthBits)
          this.note(lengthField + increment)
        }
        band += increment
        if (band > maxSfb || this.position > this.end) return false
        if (band === start) continue
        this.#sectionBook[section] = book
        this.#sectionStart[section] = start
        this.#sectionEnd[section] = band
        this.#sectionGroup[section] = group
        section++
      }
      this.evidence += exact
    }
    this.#sections = section
    return true
  }

  /** scale_factor_data(), Table 4.53; scale factors stay within 0 and 255, §4.6.2.3.2. */
  #scaleFactorData(gain: number): boolean {
    let factor = gain
    let noise = false
    let coded = 0
    for (let section = 0; section < this.#sections; section++) {
      const book = this.#sectionBook[section]
      if (book === ZERO_BOOK) continue
      let count = this.#sectionEnd[section] - this.#sectionStart[section]
      coded += count
      if (book === NOISE_BOOK && !noise) {
        noise = true
        this.position += 9
        count--
      }
      if (book >= NOISE_BOOK) this.#factors(count, Number.NaN)
      else {
        factor = this.#factors(count, factor)
        if (factor < 0) return false
      }
      if (this.position > this.end) return false
    }
    this.codedBands = coded
    return true
  }

  /**
   * `count` scale factors from `before` on: the last one, or -1 when one is out of range. For differences that are no scale
   * factors `before` is NaN. Most of a frame's fields are these: the loop keeps to local variables.
   */
  #factors(count: number, before: number): number {
    const { bytes, score, seen } = this
    let at = this.position
    let evidence = 0
    let factor = before
    for (let left = count; left > 0; left--) {
      const byte = at >>> 3
      const window = (bytes[byte] << 24) | (bytes[byte + 1] << 16) | (bytes[byte + 2] << 8)
      const entry = SCALE_FACTOR_TABLE[(window << (at & 7)) >>> (32 - TABLE_BITS)]
      let symbol = entry >> VALUE_SHIFT
      if (entry > 0) at += entry & SKIP_MASK
      else {
        this.position = at
        symbol = this.scaleFactor()
        at = this.position
      }
      evidence += score[field.SCALE_FACTOR + symbol]
      if (seen !== undefined) seen[field.SCALE_FACTOR + symbol]++
      factor += symbol - 60
      if (factor < 0 || factor > 255) {
        factor = -1
        break
      }
    }
    this.position = at
    this.evidence += evidence
    return factor
  }

  /** pulse_data(), Table 4.7: long windows only, within the spectrum. */
  #pulseData(): boolean {
    if (this.#short) return false
    const { bands, frameLength } = this.#profile
    const pulses = this.take(2) + 1
    const startBand = this.take(6)
    if (startBand >= bands.long.length - 1) return false
    let line = bands.long[startBand]
    for (let pulse = 0; pulse < pulses; pulse++) {
      line += this.take(5)
      this.position += 4
    }
    return line < frameLength
  }

  /** tns_data(), Table 4.54; orders as §4.6.9.4 limits them. */
  #noiseShaping(): boolean {
    const short = this.#short
    const maxOrder = short ? 7 : this.#profile.objectType === AAC_MAIN ? 20 : 12
    for (let window = 0; window < (short ? 8 : 1); window++) {
      const filters = this.take(short ? 1 : 2)
      this.note((short ? field.TNS_FILTERS_SHORT : field.TNS_FILTERS_LONG) + filters)
      if (filters === 0) continue
      const resolution = 3 + this.take(1)
      for (let filter = 0; filter < filters; filter++) {
        this.position += short ? 4 : 6
        const order = this.take(short ? 3 : 5)
        if (order > maxOrder) return false
        if (!short) this.note(field.TNS_ORDER_LONG + order)
        if (order === 0) continue
        const compressed = this.take(2) & 1
        this.position += order * (resolution - compressed)
      }
    }
    return this.position <= this.end
  }

  /** spectral_data(), Table 4.56. */
  #spectralData(): boolean {
    const edges = this.#short ? this.#profile.bands.short : this.#profile.bands.long
    for (let section = 0; section < this.#sections; section++) {
      const book = this.#sectionBook[section]
      const table = spectrumTable(book)
      if (table === undefined) continue
      const lines =
        (edges[this.#sectionEnd[section]] - edges[this.#sectionStart[section]]) *
        this.#groupLength[this.#sectionGroup[section]]
      const words = lines / table.dimension
      this.position =
        book === ESCAPE_BOOK
          ? skipEscapeSpectrum(this.bytes, this.position, words, table)
          : skipSpectrum(this.bytes, this.position, words, table)
      if (this.position < 0 || this.position > this.end) return false
    }
    return true
  }
}
