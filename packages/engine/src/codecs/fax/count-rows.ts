import {
  CODE_BITS,
  HORIZONTAL,
  LEFTMOST,
  LENGTH_BITS,
  MAKE_UP,
  MODE_BITS,
  MODE_OF,
  PASS,
  RUNS,
} from './codes.ts'

/**
 * How rows are written. `bytes`: in one dimension, each from a byte on (TIFF 6.0 §10). `g3`: each behind an end of line, in one
 * dimension, or in two where a bit behind that says so (ITU-T T.4). `g4`: all in two dimensions (ITU-T T.6).
 */
export interface FaxLayout {
  readonly writing: 'bytes' | 'g3' | 'g4'
  /** Of `g3`: rows may be of two dimensions. */
  readonly tagged: boolean
  readonly width: number
  readonly height: number
}

const BYTE = 8
/** Zeros of an end of line, in front of a one: T.4 §4.1.2. More of them fill up. */
const LINE_ZEROS = 11
const LENGTH = (1 << LENGTH_BITS) - 1

/**
 * How many rows of a strip can be read before the first that is wrong: bits are no code, or its runs are not as wide as the
 * picture. All of them where the strip ends itself as its coding has it. `bytes` hold the first pixel in the highest bit.
 */
export function faxRows(bytes: Uint8Array, layout: FaxLayout): number {
  return new FaxReader(bytes, layout).rows()
}

class FaxReader {
  readonly #bytes: Uint8Array
  readonly #layout: FaxLayout
  readonly #end: number
  #at = 0
  /** Where colours change in the row above, from the left, and in this one: white comes first. */
  #above: number[] = []
  #row: number[] = []

  constructor(bytes: Uint8Array, layout: FaxLayout) {
    this.#bytes = bytes
    this.#layout = layout
    this.#end = bytes.length * BYTE
  }

  rows(): number {
    const { writing, height } = this.#layout
    for (let row = 0; row < height; row++) {
      const flat = writing === 'g4' ? false : this.#begins()
      // an end of line where a row should begin, the second of two where rows begin with one: all rows are written
      if (writing !== 'bytes' && this.#zeros() === LINE_ZEROS && this.#lineEnds()) return height
      this.#row = []
      if (!(flat ? this.#oneDimension() : this.#twoDimensions()) || this.#at > this.#end) return row
      this.#above = this.#row
    }
    return height
  }

  /** Goes to where a row's codes begin; whether they are of one dimension. */
  #begins(): boolean {
    const { writing, tagged } = this.#layout
    if (writing === 'bytes') this.#at = Math.ceil(this.#at / BYTE) * BYTE
    else if (this.#zeros() >= LINE_ZEROS && this.#lineEnds()) {
      this.#at += this.#zeros() + 1
      if (tagged) return this.#next(1, this.#at++) === 1
    }
    return true
  }

  #oneDimension(): boolean {
    const { width } = this.#layout
    let place = 0
    for (let colour = 0; place < width; colour ^= 1) {
      const run = this.#run(colour)
      if (run < 0) return false
      place += run
      this.#change(place)
    }
    return place === width
  }

  #twoDimensions(): boolean {
    const { width } = this.#layout
    const above = this.#above
    let colour = 0
    let place = -1
    let next = 0
    while (place < width) {
      while (next > 0 && above[next - 1] > place) next--
      while (next < above.length && above[next] <= place) next++
      if ((next & 1) !== colour) next++
      const entry = MODE_OF[this.#next(MODE_BITS, this.#at)]
      const mode = (entry >> LENGTH_BITS) - LEFTMOST
      this.#at += entry & LENGTH
      if (entry === 0 || this.#at > this.#end) return false
      if (mode === PASS) place = above[next + 1] ?? width
      else if (mode === HORIZONTAL) {
        const [first, second] = [this.#run(colour), this.#run(colour ^ 1)]
        if (first < 0 || second < 0) return false
        const from = Math.max(place, 0) + first
        place = from + second
        if (place > width) return false
        this.#change(from)
        this.#change(place)
      } else {
        const to = (above[next] ?? width) + mode
        if (to < Math.max(place, 0) || to > width) return false
        place = to
        this.#change(place)
        colour ^= 1
      }
    }
    return true
  }

  /** Pixels of one colour; -1 where bits are no code. */
  #run(colour: number): number {
    let pixels = 0
    while (this.#at < this.#end) {
      const entry = RUNS[colour][this.#next(CODE_BITS, this.#at)]
      const run = entry >> LENGTH_BITS
      if (entry === 0) return -1
      this.#at += entry & LENGTH
      pixels += run
      if (run < MAKE_UP) return pixels
    }
    return -1
  }

  /** Two changes at one place are none. */
  #change(place: number): void {
    if (place >= this.#layout.width) return
    if (this.#row.at(-1) === place) this.#row.pop()
    else this.#row.push(place)
  }

  /** Zeros in front of the next one. */
  #zeros(): number {
    let at = this.#at
    while (at < this.#end && this.#next(1, at) === 0)
      at += at % BYTE === 0 && this.#bytes[at / BYTE] === 0 ? BYTE : 1
    return at - this.#at
  }

  #lineEnds(): boolean {
    return this.#at + this.#zeros() < this.#end
  }

  #next(bits: number, at: number): number {
    const byte = at >>> 3
    const bytes = this.#bytes
    const word = ((bytes[byte] ?? 0) << 16) | ((bytes[byte + 1] ?? 0) << 8) | (bytes[byte + 2] ?? 0)
    return (word >>> (24 - bits - (at & 7))) & ((1 << bits) - 1)
  }
}
