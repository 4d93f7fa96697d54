/** Ranges of the less probable value by state and quarter of the range, ITU-T H.264 (08/2021) Table 9-44. */
const RANGE_LPS = Uint8Array.of(
  ...[128, 176, 208, 240, 128, 167, 197, 227, 128, 158, 187, 216, 123, 150, 178, 205],
  ...[116, 142, 169, 195, 111, 135, 160, 185, 105, 128, 152, 175, 100, 122, 144, 166],
  ...[95, 116, 137, 158, 90, 110, 130, 150, 85, 104, 123, 142, 81, 99, 117, 135],
  ...[77, 94, 111, 128, 73, 89, 105, 122, 69, 85, 100, 116, 66, 80, 95, 110],
  ...[62, 76, 90, 104, 59, 72, 86, 99, 56, 69, 81, 94, 53, 65, 77, 89],
  ...[51, 62, 73, 85, 48, 59, 69, 80, 46, 56, 66, 76, 43, 53, 63, 72],
  ...[41, 50, 59, 69, 39, 48, 56, 65, 37, 45, 54, 62, 35, 43, 51, 59],
  ...[33, 41, 48, 56, 32, 39, 46, 53, 30, 37, 43, 50, 29, 35, 41, 48],
  ...[27, 33, 39, 45, 26, 31, 37, 43, 24, 30, 35, 41, 23, 28, 33, 39],
  ...[22, 27, 32, 37, 21, 26, 30, 35, 20, 24, 29, 33, 19, 23, 27, 31],
  ...[18, 22, 26, 30, 17, 21, 25, 28, 16, 20, 23, 27, 15, 19, 22, 25],
  ...[14, 18, 21, 24, 14, 17, 20, 23, 13, 16, 19, 22, 12, 15, 18, 21],
  ...[12, 14, 17, 20, 11, 14, 16, 19, 11, 13, 15, 18, 10, 12, 15, 17],
  ...[10, 12, 14, 16, 9, 11, 13, 15, 9, 11, 12, 14, 8, 10, 12, 14],
  ...[8, 9, 11, 13, 7, 9, 11, 12, 7, 9, 10, 12, 7, 8, 10, 11],
  ...[6, 8, 9, 11, 6, 7, 9, 10, 6, 7, 8, 9, 2, 2, 2, 2],
)

/** The state after the less probable value, Table 9-45. */
const AFTER_LPS = Uint8Array.of(
  ...[0, 0, 1, 2, 2, 4, 4, 5, 6, 7, 8, 9, 9, 11, 11, 12, 13, 13, 15, 15, 16, 16, 18, 18, 19, 19, 21, 21],
  ...[22, 22, 23, 24, 24, 25, 26, 26, 27, 27, 28, 29, 29, 30, 30, 30, 31, 32, 32, 33, 33, 33, 34, 34, 35],
  ...[35, 35, 36, 36, 36, 37, 37, 37, 38, 38, 63],
)
const LAST_STATE = 62
/** Bits that ending a code reads past its trailing bit. */
const READ_AHEAD = 7

/**
 * The arithmetic decoding engine that ITU-T H.264 (08/2021) §9.3.3.2 and H.265 (08/2021) §9.3.4.3 share. Reading past the end
 * yields zeros and sets `overrun`.
 */
export class ArithmeticDecoder {
  /** By context: the state times two, plus the more probable value. */
  readonly states: Uint8Array
  #bytes: Uint8Array = new Uint8Array(0)
  #end = 0
  /** Bytes taken from the array, and the last of their bits that are not read yet. */
  #next = 0
  #window = 0
  #left = 0
  #range = 0
  #offset = 0
  /** Bits read so far, from the start of the array. */
  position = 0

  constructor(contexts: number) {
    this.states = new Uint8Array(contexts)
  }

  /** Starts at a byte of `bytes`; the contexts are the caller's to set. */
  start(bytes: Uint8Array, byte: number, end: number): void {
    this.#bytes = bytes
    this.#end = end
    this.restart(byte)
  }

  /** Starts again at another byte, contexts as they are: behind macroblocks of bare samples. */
  restart(byte: number): void {
    this.position = byte * 8
    this.#next = byte
    this.#left = 0
    this.#range = 510
    this.#offset = this.#bits(9)
  }

  get overrun(): boolean {
    // the engine reads ahead of what it decodes by its nine bits
    return this.position > this.#end * 8 + 9
  }

  decode(context: number): number {
    const state = this.states[context]
    const probability = state >> 1
    let value = state & 1
    const lps = RANGE_LPS[(probability << 2) | ((this.#range >> 6) & 3)]
    this.#range -= lps
    if (this.#offset >= this.#range) {
      this.#offset -= this.#range
      this.#range = lps
      this.states[context] = (AFTER_LPS[probability] << 1) | (probability === 0 ? value ^ 1 : value)
      value ^= 1
    } else if (probability < LAST_STATE) this.states[context] = state + 2
    if (this.#range < 256) this.#renormalise()
    return value
  }

  bypass(): number {
    this.#offset = (this.#offset << 1) | this.#bits(1)
    if (this.#offset < this.#range) return 0
    this.#offset -= this.#range
    return 1
  }

  /** The byte behind the code and its trailing bit, after `terminate` gave 1: bare samples and further substreams begin there. */
  get behind(): number {
    return Math.ceil((this.position - READ_AHEAD) / 8)
  }

  /** Whether the code ended where the last one bit of the bytes is: x264 fills the rest of that byte as it likes. */
  endsAt(stopBit: number): boolean {
    const ahead = this.position - stopBit
    return ahead > 0 && ahead <= READ_AHEAD + 1
  }

  /** The bin that ends a slice, a substream, or announces bare samples. */
  terminate(): number {
    this.#range -= 2
    const value = this.#offset >= this.#range ? 1 : 0
    if (value === 1) this.#range = 2
    if (this.#range < 256) this.#renormalise()
    return value
  }

  /** Brings the range back to nine bits. */
  #renormalise(): void {
    const shift = Math.clz32(this.#range) - 23
    this.#range <<= shift
    this.#offset = (this.#offset << shift) | this.#bits(shift)
  }

  /** The next 1 to 9 bits. */
  #bits(count: number): number {
    while (this.#left < count) {
      const byte = this.#next < this.#end ? this.#bytes[this.#next] : 0
      this.#next++
      this.#window = ((this.#window << 8) | byte) & 0xffff
      this.#left += 8
    }
    this.#left -= count
    this.position += count
    return (this.#window >> this.#left) & ((1 << count) - 1)
  }
}
