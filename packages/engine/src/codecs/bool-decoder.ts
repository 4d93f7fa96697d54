/** More padding than this no encoder writes. */
const MOST_PADDING = 256
const EVEN = 128

/**
 * The boolean decoder of VP8, RFC 6386 §7, and VP9, VP9 Bitstream & Decoding Process Specification v0.6 §9.2. Behind its end it
 * reads zeros.
 */
export class BoolDecoder {
  // Its state. Who reads many symbols in a row takes it into variables, as `bool` does it, and puts it back: three times as fast.
  bytes: Uint8Array
  end = 0
  /** Next byte to load. */
  at = 0
  /** The eight bits that decide, and below them those loaded beforehand. */
  value = 0
  /** Bits loaded beforehand, at most 22; below 0 as many of the eight are still to be loaded. */
  spare = 0
  /** The range, 128 to 255, in which the eight bits lie that decide the next symbol. */
  range = 255
  #from = 0

  constructor(bytes: Uint8Array, from = 0, end = bytes.length) {
    this.bytes = bytes
    this.begin(bytes, from, end)
  }

  /** Begins anew, with the bytes from `from` up to `end`. */
  begin(bytes: Uint8Array, from: number, end: number): void {
    this.bytes = bytes
    this.#from = from
    this.end = end
    this.at = from
    this.value = 0
    this.spare = -8
    this.range = 255
  }

  /** Bits that symbols so far depend on, the eight that decide the next one included. */
  get taken(): number {
    return (this.at - this.#from) * 8 - this.spare
  }

  /** Bits that there are. */
  get bits(): number {
    return (this.end - this.#from) * 8
  }

  /** More was read than there is. */
  get overrun(): boolean {
    return this.taken > (this.end - this.#from) * 8
  }

  /**
   * The eight bits that decide the next symbol, less those of all symbols so far: 0 where the encoder wrote the least number that
   * it may.
   */
  get window(): number {
    if (this.spare < 0) this.#load()
    return this.value >> this.spare
  }

  /** Takes two bytes, zeros where there are none any more. */
  nextTwo(): number {
    const { bytes, at, end } = this
    this.at = at + 2
    if (at + 1 < end) return (bytes[at] << 8) | bytes[at + 1]
    return at < end ? bytes[at] << 8 : 0
  }

  #load(): void {
    this.value = (this.value << 16) | this.nextTwo()
    this.spare += 16
  }

  /** One bit whose probability of being 0 is `probability`/256. */
  bool(probability: number): number {
    if (this.spare < 0) this.#load()
    const split = 1 + (((this.range - 1) * probability) >> 8)
    const least = split << this.spare
    let range = split
    let bit = 0
    if (this.value >= least) {
      range = this.range - split
      this.value -= least
      bit = 1
    }
    const shift = Math.clz32(range) - 24
    this.range = range << shift
    this.spare -= shift
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
    let { value, spare, range } = this
    let node = 0
    do {
      if (spare < 0) {
        value = (value << 16) | this.nextTwo()
        spare += 16
      }
      const split = 1 + (Math.imul(range - 1, probabilities[first + (node >> 1)]) >> 8)
      const least = split << spare
      if (value >= least) {
        value = (value - least) | 0
        range = (range - split) | 0
        node = tree[node + 1]
      } else {
        range = split
        node = tree[node]
      }
      const shift = Math.clz32(range) - 24
      range <<= shift
      spare -= shift
    } while (node > 0)
    this.value = value
    this.spare = spare
    this.range = range
    return -node
  }

  /** Whether what was not taken is zero, as the padding at the end must be. */
  padded(): boolean {
    if (this.overrun) return false
    const taken = this.taken
    let at = this.#from + (taken >> 3)
    const within = taken & 7
    if (within > 0 && (this.bytes[at++] & (0xff >> within)) !== 0) return false
    if (this.end - at > MOST_PADDING) return false
    for (; at < this.end; at++) if (this.bytes[at] !== 0) return false
    return true
  }
}
