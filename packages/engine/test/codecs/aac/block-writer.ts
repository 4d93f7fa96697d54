import { type HuffmanBook, SCALE_FACTOR_BOOK, SPECTRUM_BOOKS } from '../../../src/codecs/aac/huffman-books.ts'
import { BitWriter } from '../support/bit-writer.ts'

/** What random raw_data_block()s are to contain. */
export interface BlockOptions {
  /** Edges of scale factor bands, long and short. */
  readonly long: ArrayLike<number>
  readonly short: ArrayLike<number>
  readonly objectType: 1 | 2 | 4
  /** Bands of Main profile prediction. */
  readonly predicted: number
  /** id_syn_ele of the channel elements, in order. */
  readonly elements: readonly number[]
  /** Adds data stream, fill and coupling elements at random. */
  readonly others: boolean
}

/** Code words of a book by the standard's index. */
function codeWords(book: HuffmanBook): [number, number][] {
  const words: [number, number][] = []
  let code = 0
  let next = 0
  for (const [index, count] of book.counts.entries()) {
    code *= 2
    for (let word = 0; word < count; word++) words[book.symbols[next++]] = [code++, index + 1]
  }
  return words
}

const SPECTRUM_WORDS = SPECTRUM_BOOKS.map(codeWords)
const SCALE_FACTOR_WORDS = codeWords(SCALE_FACTOR_BOOK)

/**
 * Writes raw_data_block()s with random contents straight from the syntax tables of ISO/IEC 14496-3:2019 §4.4.2, so that tools
 * no encoder at hand uses are covered: prediction, long term prediction, pulses, noise, intensity, coupling, escapes.
 */
export class BlockWriter {
  readonly #options: BlockOptions
  readonly #random: () => number
  #bits = new BitWriter()

  constructor(options: BlockOptions, random: () => number) {
    this.#options = options
    this.#random = random
  }

  /** One block, aligned to bytes. */
  block(): Uint8Array {
    this.#bits = new BitWriter()
    const tags = new Map<number, number>()
    for (const id of this.#options.elements) {
      if (this.#options.others) this.#others()
      const tag = tags.get(id) ?? 0
      tags.set(id, tag + 1)
      this.#bits.put(id, 3).put(tag, 4)
      if (id === 1) this.#pair()
      else this.#channel(undefined, 0)
    }
    if (this.#options.others) this.#others()
    return this.#bits.put(7, 3).align().bytes()
  }

  #below(limit: number): number {
    return this.#random() % limit
  }

  #flip(): number {
    return this.#below(2)
  }

  #others(): void {
    const bits = this.#bits
    while (this.#below(3) === 0) {
      const kind = this.#below(3)
      if (kind === 0) this.#data()
      else if (kind === 1) this.#fill()
      else {
        bits.put(2, 3).put(this.#below(16), 4)
        this.#coupling()
      }
    }
  }

  #data(): void {
    const bits = this.#bits.put(4, 3).put(this.#below(16), 4)
    const aligned = this.#flip()
    const count = this.#below(8) === 0 ? 255 + this.#below(40) : this.#below(20)
    bits.put(aligned, 1).put(Math.min(count, 255), 8)
    if (count >= 255) bits.put(count - 255, 8)
    if (aligned) bits.align()
    for (let byte = 0; byte < count; byte++) bits.put(this.#below(256), 8)
  }

  #fill(): void {
    const count = this.#below(40)
    const bits = this.#bits.put(6, 3).put(Math.min(count, 15), 4)
    if (count >= 15) bits.put(count - 14, 8)
    for (let byte = 0; byte < count; byte++) bits.put(this.#below(256), 8)
  }

  #coupling(): void {
    const bits = this.#bits
    const independent = this.#flip()
    const coupled = this.#below(8)
    bits.put(independent, 1).put(coupled, 3)
    let lists = 0
    for (let target = 0; target <= coupled; target++) {
      const pair = this.#flip()
      bits.put(pair, 1).put(this.#below(16), 4)
      lists++
      if (pair) {
        const sides = this.#below(4)
        bits.put(sides, 2)
        if (sides === 3) lists++
      }
    }
    bits.put(this.#below(16), 4)
    const coded = this.#channel(undefined, 0)
    for (let list = 1; list < lists; list++) {
      const common = independent || this.#flip()
      if (!independent) bits.put(common, 1)
      for (let gain = common ? 1 : coded; gain > 0; gain--) this.#difference(0)
    }
  }

  #pair(): void {
    const common = this.#flip()
    this.#bits.put(common, 1)
    let info: Info | undefined
    if (common) {
      info = this.#info(true)
      const mask = this.#below(3)
      this.#bits.put(mask, 2)
      if (mask === 1) this.#flags(info.groups.length * info.maxSfb)
    }
    this.#channel(info, 0)
    this.#channel(info, 1)
  }

  /** ics_info() and what it decides. */
  #info(common: boolean): Info {
    const { long, short, objectType } = this.#options
    const sequence = this.#below(4)
    const bits = this.#bits.put(0, 1).put(sequence, 2).put(this.#flip(), 1)
    if (sequence === 2) {
      const maxSfb = this.#below(short.length)
      const grouping = this.#below(128)
      bits.put(maxSfb, 4).put(grouping, 7)
      const groups = [1]
      for (let bit = 6; bit >= 0; bit--) {
        if ((grouping >> bit) & 1) groups[groups.length - 1]++
        else groups.push(1)
      }
      return { short: true, maxSfb, groups, edges: short }
    }
    const maxSfb = this.#below(long.length)
    bits.put(maxSfb, 6)
    const predictor = objectType === 2 ? 0 : this.#flip()
    bits.put(predictor, 1)
    if (predictor && objectType === 1) {
      const reset = this.#flip()
      bits.put(reset, 1)
      if (reset) bits.put(1 + this.#below(30), 5)
      this.#flags(Math.min(maxSfb, this.#options.predicted))
    } else if (predictor) {
      for (let channel = 0; channel < (common ? 2 : 1); channel++) {
        const present = this.#flip()
        bits.put(present, 1)
        if (!present) continue
        bits.put(this.#below(2048), 11).put(this.#below(8), 3)
        this.#flags(Math.min(maxSfb, 40))
      }
    }
    return { short: false, maxSfb, groups: [1], edges: long }
  }

  #flags(count: number): void {
    for (let flag = 0; flag < count; flag++) this.#bits.put(this.#flip(), 1)
  }

  /** individual_channel_stream(). Returns the number of bands with a scale factor of any kind. */
  #channel(common: Info | undefined, side: number): number {
    const bits = this.#bits
    const gain = 100 + this.#below(60)
    bits.put(gain, 8)
    const info = common ?? this.#info(false)
    const sections = this.#sections(info, common !== undefined && side === 1)
    const coded = this.#scaleFactors(sections, gain)
    const pulse = info.short ? 0 : this.#flip()
    bits.put(pulse, 1)
    if (pulse) {
      bits.put(1, 2).put(this.#below(10), 6)
      for (let count = 0; count < 2; count++) bits.put(this.#below(32), 5).put(this.#below(16), 4)
    }
    const shaping = this.#flip()
    bits.put(shaping, 1)
    if (shaping) this.#shaping(info)
    bits.put(0, 1)
    for (const section of sections) this.#spectrum(section, info)
    return coded
  }

  #sections(info: Info, intensity: boolean): Section[] {
    const lengthBits = info.short ? 3 : 5
    const longest = 2 ** lengthBits - 1
    const books = intensity
      ? [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15]
      : [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13]
    const sections: Section[] = []
    for (let group = 0; group < info.groups.length; group++) {
      for (let band = 0; band < info.maxSfb; ) {
        const length = 1 + this.#below(info.maxSfb - band)
        const book = books[this.#below(books.length)]
        this.#bits.put(book, 4)
        let left = length
        for (; left >= longest; left -= longest) this.#bits.put(longest, lengthBits)
        this.#bits.put(left, lengthBits)
        sections.push({ book, group, from: band, to: band + length })
        band += length
      }
    }
    return sections
  }

  #scaleFactors(sections: readonly Section[], gain: number): number {
    let factor = gain
    let noise = false
    let coded = 0
    for (const { book, from, to } of sections) {
      if (book === 0) continue
      for (let band = from; band < to; band++) {
        coded++
        if (book === 13 && !noise) {
          this.#bits.put(this.#below(512), 9)
          noise = true
        } else if (book >= 13) {
          this.#difference(this.#below(7) - 3)
        } else {
          const wide = this.#below(12) === 0 ? 121 : 9
          let step = this.#below(wide) - (wide - 1) / 2
          if (factor + step < 0 || factor + step > 255) step = 0
          factor += step
          this.#difference(step)
        }
      }
    }
    return coded
  }

  #difference(step: number): void {
    const [code, length] = SCALE_FACTOR_WORDS[60 + step]
    this.#bits.put(code, length)
  }

  #shaping(info: Info): void {
    const bits = this.#bits
    const maxOrder = info.short ? 7 : this.#options.objectType === 1 ? 20 : 12
    for (let window = 0; window < (info.short ? 8 : 1); window++) {
      const filters = this.#below(info.short ? 2 : 4)
      bits.put(filters, info.short ? 1 : 2)
      if (filters === 0) continue
      const resolution = this.#flip()
      bits.put(resolution, 1)
      for (let filter = 0; filter < filters; filter++) {
        const order = this.#below(maxOrder + 1)
        bits.put(this.#below(info.short ? 16 : 64), info.short ? 4 : 6).put(order, info.short ? 3 : 5)
        if (order === 0) continue
        const compressed = this.#flip()
        bits.put(this.#flip(), 1).put(compressed, 1)
        for (let at = 0; at < order; at++) bits.put(this.#below(4), 3 + resolution - compressed)
      }
    }
  }

  #spectrum(section: Section, info: Info): void {
    if (section.book === 0 || section.book > 11) return
    const book = SPECTRUM_BOOKS[section.book - 1]
    const words = SPECTRUM_WORDS[section.book - 1]
    const lines = (info.edges[section.to] - info.edges[section.from]) * info.groups[section.group]
    for (let line = 0; line < lines; line += book.dimension) {
      const index = this.#below(words.length)
      const [code, length] = words[index]
      this.#bits.put(code, length)
      if (!book.unsigned) continue
      const values = Array.from({ length: book.dimension }, (_, at) => {
        return Math.floor(index / book.base ** (book.dimension - 1 - at)) % book.base
      })
      for (const value of values) if (value > 0) this.#bits.put(this.#flip(), 1)
      for (const value of values) {
        if (section.book !== 11 || value !== 16) continue
        const extra = this.#below(9)
        this.#bits.put(2 ** (extra + 1) - 2, extra + 1).put(this.#below(2 ** (extra + 4)), extra + 4)
      }
    }
  }
}

interface Info {
  readonly short: boolean
  readonly maxSfb: number
  readonly groups: number[]
  readonly edges: ArrayLike<number>
}

interface Section {
  readonly book: number
  readonly group: number
  readonly from: number
  readonly to: number
}
