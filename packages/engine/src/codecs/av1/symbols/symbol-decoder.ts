/** Bits that decide the next symbol. */
export const WINDOW = 15
/** EC_PROB_SHIFT and EC_MIN_PROB, AV1 specification (2019-01-08) §8.2.6. */
export const SHIFT = 6
export const LEAST = 4
const EVEN_RANGE = 7
/** The rate of learning falls where a context was used more often than this, and stays from twice as often on. */
const SLOWER = 15
const SLOWEST = 31

/**
 * The symbol decoder, AV1 specification §8.2. Distributions are inverse ones, with a count behind each; behind its end it reads
 * zeros.
 */
export class SymbolDecoder {
  /** Distributions that symbols are read by, and learn from where `learns`. */
  distributions = new Uint16Array(0)
  learns = true
  protected bytes: Uint8Array = new Uint8Array(0)
  protected from = 0
  protected end = 0
  /** Next byte to load. */
  protected at = 0
  /** What decides, and below it `spare` bits loaded beforehand. */
  protected value = 0
  protected spare = 0
  protected range = 0

  /** Begins with the bytes from `from` up to `end`. */
  begin(bytes: Uint8Array, from: number, end: number): void {
    this.bytes = bytes
    this.from = from
    this.end = end
    this.at = from
    this.value = 0
    this.spare = -WINDOW
    this.range = 1 << WINDOW
    this.#load()
    this.#load()
  }

  #load(): void {
    const byte = this.at < this.end ? this.bytes[this.at] : 0
    this.at++
    this.value = (((this.value + 1) << 8) - 1) ^ byte
    this.spare += 8
  }

  /** The place of the bit behind all that symbols so far need, from the first byte on: trailingBitPosition, §8.2.4. */
  protected get trailing(): number {
    return (this.at - this.from) * 8 - this.spare - WINDOW
  }

  /** More was read than there is. */
  get overrun(): boolean {
    return this.trailing >= (this.end - this.from) * 8
  }

  /** Whether symbols end where bytes do: behind them a one stands, and zeros alone follow (exit process, §8.2.4). */
  get exact(): boolean {
    const trailing = this.trailing
    const at = this.from + (trailing >> 3)
    if (trailing < 0 || at >= this.end) return false
    const one = 0x80 >> (trailing & 7)
    if ((this.bytes[at] & (2 * one - 1)) !== one) return false
    for (let i = at + 1; i < this.end; i++) if (this.bytes[i] !== 0) return false
    return true
  }

  /** A symbol of the context at a place among the distributions, which has so many values: §8.2.6. */
  symbol(at: number, values: number): number {
    const distributions = this.distributions
    const high = this.range >> 8
    const value = this.value
    const spare = this.spare
    const last = values - 1
    let above = this.range
    let least = 0
    let symbol = 0
    for (; symbol < last; symbol++) {
      least = ((high * (distributions[at + symbol] >> SHIFT)) >> 1) + LEAST * (last - symbol)
      if (value >= least << spare) break
      above = least
    }
    if (symbol === last) least = 0
    this.#take(above - least, value - (least << spare))
    if (this.learns) learn(distributions, at, last, symbol)
    return symbol
  }

  /** Whether the rarer of two comes, the first of which has this inverse probability. */
  flag(inverse: number): number {
    return this.first((((this.range >> 8) * (inverse >> SHIFT)) >> 1) + LEAST)
  }

  /** A bit of which both values are alike, §8.2.3. */
  bit(): number {
    return this.first(((this.range >> 8) << EVEN_RANGE) + LEAST)
  }

  /** An unsigned number of so many bits, §8.2.5. */
  bits(count: number): number {
    let value = 0
    for (let i = 0; i < count; i++) value = 2 * value + this.bit()
    return value
  }

  /** One of `count` numbers, all alike: NS(n), §4.10.10. */
  oneOf(count: number): number {
    const width = 32 - Math.clz32(count)
    const short = (1 << width) - count
    const value = this.bits(width - 1)
    return value < short ? value : 2 * value - short + this.bit()
  }

  /** The first of two where what decides is at least the bound, else the second. */
  protected first(least: number): number {
    const bound = least << this.spare
    if (this.value >= bound) {
      this.#take(this.range - least, this.value - bound)
      return 0
    }
    this.#take(least, this.value)
    return 1
  }

  #take(range: number, value: number): void {
    const bits = Math.clz32(range) - 16
    this.range = range << bits
    this.value = value
    this.spare -= bits
    while (this.spare < 0) this.#load()
  }
}

export function learn(distributions: Uint16Array, at: number, last: number, symbol: number): void {
  const count = distributions[at + last]
  const rate = 3 + (count > SLOWER ? 1 : 0) + (count > SLOWEST ? 1 : 0) + (last > 2 ? 2 : 1)
  for (let i = at; i < at + symbol; i++) distributions[i] += (32768 - distributions[i]) >> rate
  for (let i = at + symbol; i < at + last; i++) distributions[i] -= distributions[i] >> rate
  if (count <= SLOWEST) distributions[at + last] = count + 1
}
