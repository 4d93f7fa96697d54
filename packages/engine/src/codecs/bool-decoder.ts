/** More padding than this no encoder writes. */
const MOST_PADDING = 256
const EVEN = 128

/**
 * The boolean decoder of VP8, RFC 6386 §7, and VP9, VP9 Bitstream & Decoding Process Specification v0.6 §9.2. Behind its end it
 * reads zeros.
 */
export class BoolDecoder {
  #bytes: Uint8Array
  #from = 0
  #end = 0
  /** Next byte to load. */
  #at = 0
  /** The eight bits that decide, and below them those loaded beforehand. */
  #value = 0
  /** Bits loaded beforehand; below 0 as many of the eight are still to be loaded. */
  #spare = 0
  #range = 255

  constructor(bytes: Uint8Array, from = 0, end = bytes.length) {
    this.#bytes = bytes
    this.begin(bytes, from, end)
  }

  /** Begins anew, with the bytes from `from` up to `end`. */
  begin(bytes: Uint8Array, from: number, end: number): void {
    this.#bytes = bytes
    this.#from = from
    this.#end = end
    this.#at = from
    this.#value = 0
    this.#spare = -8
    this.#range = 255
  }

  /** Bits that symbols so far depend on, the eight that decide the next one included. */
  get taken(): number {
    return (this.#at - this.#from) * 8 - this.#spare
  }

  /** Bits that there are. */
  get bits(): number {
    return (this.#end - this.#from) * 8
  }

  /** More was read than there is. */
  get overrun(): boolean {
    return this.taken > (this.#end - this.#from) * 8
  }

  /** The range, 128 to 255, in which the eight bits lie that decide the next symbol. */
  get range(): number {
    return this.#range
  }

  /**
   * The eight bits that decide the next symbol, less those of all symbols so far: 0 where the encoder wrote the least number that
   * it may.
   */
  get window(): number {
    if (this.#spare < 0) this.#load()
    return this.#value >> this.#spare
  }

  #load(): void {
    const at = this.#at
    const bytes = this.#bytes
    const more = at + 1 < this.#end ? (bytes[at] << 8) | bytes[at + 1] : at < this.#end ? bytes[at] << 8 : 0
    this.#value = (this.#value << 16) | more
    this.#at = at + 2
    this.#spare += 16
  }

  /** One bit whose probability of being 0 is `probability`/256. */
  bool(probability: number): number {
    if (this.#spare < 0) this.#load()
    const split = 1 + (((this.#range - 1) * probability) >> 8)
    const least = split << this.#spare
    let range = split
    let bit = 0
    if (this.#value >= least) {
      range = this.#range - split
      this.#value -= least
      bit = 1
    }
    const shift = Math.clz32(range) - 24
    this.#range = range << shift
    this.#spare -= shift
    return bit
  }

  /** A number of `count` evenly distributed bits. */
  literal(count: number): number {
    let value = 0
    for (let i = 0; i < count; i++) value = value * 2 + this.bool(EVEN)
    return value
  }

  /** A leaf of a tree that has two entries a node, leaves negated; `probabilities` has one a node, from `first` on. */
  leaf(tree: Int8Array, probabilities: Uint8Array, first: number): number {
    let node = 0
    do node = tree[node + this.bool(probabilities[first + (node >> 1)])]
    while (node > 0)
    return -node
  }

  /** Whether what was not taken is zero, as the padding at the end must be. */
  padded(): boolean {
    if (this.overrun) return false
    const taken = this.taken
    let at = this.#from + (taken >> 3)
    const within = taken & 7
    if (within > 0 && (this.#bytes[at++] & (0xff >> within)) !== 0) return false
    if (this.#end - at > MOST_PADDING) return false
    for (; at < this.#end; at++) if (this.#bytes[at] !== 0) return false
    return true
  }
}
