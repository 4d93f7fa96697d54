import { INTRA_COPY, RESTORATION, SKIP, USE_SELF_GUIDED, USE_WIENER } from './mode-symbols.ts'
import { USE_PALETTE_UV, USE_PALETTE_Y } from './palette-symbols.ts'
import { LEAST, learn, SHIFT, SymbolDecoder, WINDOW } from './symbol-decoder.ts'

/** Symbols that are not left to chance, the contexts of their kinds, and which: no residual, no palette, nothing copied. */
const CHOSEN = [
  [SKIP, 3, 1],
  [INTRA_COPY, 1, 0],
  [USE_PALETTE_Y, 21, 0],
  [USE_PALETTE_UV, 2, 0],
  [RESTORATION, 1, 0],
  [USE_WIENER, 1, 0],
  [USE_SELF_GUIDED, 1, 0],
] as const
const CHOICES: ReadonlyMap<number, number> = new Map(
  CHOSEN.flatMap(([{ at, values }, contexts, symbol]) =>
    Array.from({ length: contexts }, (_, i) => [at + values * i, symbol] as const),
  ),
)
/** Bits that are held back for a carry, and those of them that a byte is taken off once there are more. */
const [HELD, MOST_HELD] = [24, 32]
/** Of two that are about as likely the second is chosen: it ends the length of a coefficient that the hole is in, §5.11.39. */
const CLEARLY = 2
/** The bits behind the last symbol inverted, as many as decide it: a one and zeros, AV1 specification (2019-01-08) §8.2.4. */
const END = (1 << (WINDOW - 1)) - 1

/**
 * Reads symbols up to a hole, and from there on makes them up instead of reading them, and the bits that say so: those most
 * likely, and blocks without a residual, so that what is lost goes on as its borders are. A coder of ranges inverse to §8.2.
 */
export class ClosingDecoder extends SymbolDecoder {
  /** The byte from which on nothing is read. */
  readonly #hole: number
  #closing = false
  /** Bytes written, inverted as the decoder takes them, and how many. */
  #written = new Uint8Array(0)
  #count = 0
  /** The lower bound of the code behind these, and its bits. */
  #low = 0
  #width = 0

  constructor(hole: number) {
    super()
    this.#hole = hole
  }

  override get overrun(): boolean {
    return this.#closing ? 8 * this.#count + this.#width - WINDOW >= 8 * this.#written.length : super.overrun
  }

  override get exact(): boolean {
    return this.#closing ? !this.overrun : super.exact
  }

  override symbol(at: number, values: number): number {
    if (!this.#closes()) return super.symbol(at, values)
    const distributions = this.distributions
    const last = values - 1
    const chosen = CHOICES.get(at)
    let [symbol, most, from] = [0, 0, 0]
    let above = this.range
    for (let i = 0; i <= last; i++) {
      const bound = ((this.range >> 8) * (distributions[at + i] >> SHIFT)) >> 1
      const least = i === last ? 0 : bound + LEAST * (last - i)
      if (chosen === undefined ? above - least > most : i === chosen) {
        symbol = i
        most = above - least
        from = least
      }
      above = least
    }
    this.#put(from, most)
    if (this.learns) learn(distributions, at, last, symbol)
    return symbol
  }

  protected override first(least: number): number {
    if (!this.#closes()) return super.first(least)
    const rest = this.range - least
    const isFirst = rest >= CLEARLY * least
    this.#put(isFirst ? least : 0, isFirst ? rest : least)
    return isFirst ? 0 : 1
  }

  /**
   * The bytes of the tile from `from` up to `end`, closed; undefined where nothing was made up, or more than there is room for.
   */
  closed(): Uint8Array | undefined {
    if (!this.#closing || this.overrun) return undefined
    const period = (END + 1) << 1
    const end = Math.ceil((this.#low - END) / period) * period + END
    const more = (8 - (this.#width % 8)) % 8
    this.#low = (end + 1) * 2 ** more - 1
    this.#width += more
    while (this.#width > 0) this.#flush()
    return this.#written.map((byte, i) => (i < this.#count ? 255 - byte : 0))
  }

  /** Whether what decides the next symbol reaches into the hole: from there on none is read. */
  #closes(): boolean {
    if (this.#closing) return true
    const bits = this.trailing + WINDOW
    if (bits <= 8 * (this.#hole - this.from)) return false
    this.#closing = true
    this.#written = this.bytes.slice(this.from, this.end).map((byte) => 255 - byte)
    this.#count = Math.max(0, Math.floor((bits - HELD) / 8))
    this.#width = bits - 8 * this.#count
    let read = 0
    for (let bit = 8 * this.#count; bit < bits; bit++) {
      const byte = this.#written[bit >> 3] ?? 255
      read = 2 * read + ((byte >> (7 - (bit & 7))) & 1)
    }
    this.#low = read - (this.value >> this.spare)
    if (this.#low < 0) {
      this.#low += 2 ** this.#width
      this.#carry(-1)
    }
    return true
  }

  #put(least: number, range: number): void {
    const bits = Math.clz32(range) - 16
    this.range = range << bits
    this.#low = (this.#low + least) * 2 ** bits
    this.#width += bits
    while (this.#width >= MOST_HELD) this.#flush()
  }

  /** Writes the eight bits on top. */
  #flush(): void {
    const unit = 2 ** (this.#width - 8)
    const top = Math.floor(this.#low / unit)
    this.#low -= top * unit
    this.#width -= 8
    if (top > 255) this.#carry(1)
    this.#written[this.#count++] = top & 255
  }

  #carry(by: 1 | -1): void {
    for (let at = this.#count - 1; at >= 0; at--) {
      const sum = this.#written[at] + by
      this.#written[at] = sum & 255
      if (sum === (sum & 255)) return
    }
  }
}
