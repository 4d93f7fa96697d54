import { frameBytes, frameRow, headerMask } from './sound-frames.ts'

/** Codecs whose frames are followed. */
const CODECS = ['aac-adts', 'mp2', 'ac3', 'eac3', 'dts', 'aac-latm'] as const
/** Bytes of the longest header up to the end of its frame's length. */
const HEADER_BYTES = 12
/** Frames in a row that show which coding they are of. */
const SETTLED = 4
/** Bytes in which the next header is, whatever the length of a frame. */
const LOOK = 1 << 13
const ROOM = LOOK * 4
/** Bytes without a row of frames after which none is looked for. */
const MOST_UNKNOWN = 1 << 18

/** The byte that is to stand at an offset of the file. */
export type TurnedByte = (offset: number, byte: number) => void

/**
 * Follows the frames of a stream of sound, each of which leads to the next. Where the row breaks off, the one bit of a header is
 * turned back that makes it go on: a decoder that misses a header loses up to a second behind it.
 */
export class SoundHeaders {
  /** Places where the row breaks off, and no single bit tells why. */
  breaks = 0
  readonly #turn: TurnedByte
  #codec: (typeof CODECS)[number] | undefined
  #usual = new Uint8Array(0)
  #unknown = 0
  /** Bytes not yet followed, `#length` of them, from a frame on if `#isJoined`. */
  readonly #bytes = new Uint8Array(ROOM)
  #length = 0
  #isJoined = false
  /** Where pieces begin in the bytes, and in the file. */
  #pieces: { readonly at: number; readonly offset: number }[] = []

  constructor(turn: TurnedByte) {
    this.#turn = turn
  }

  /** What frames are of; undefined before some were found. */
  get codec(): string | undefined {
    return this.#codec
  }

  /** The header of a frame; empty before some were found. */
  get usual(): Uint8Array {
    return this.#usual
  }

  /** Bytes are missing behind those taken, or the last of those are none: what follows joins nothing. */
  interrupt(): void {
    this.#follow(true)
    this.#pieces = []
    this.#length = 0
    this.#isJoined = false
  }

  /** Takes the stream's next bytes, a packet's or fewer, which lie at `offset` of the file. */
  add(bytes: Uint8Array, offset: number): void {
    if (this.#unknown > MOST_UNKNOWN || bytes.length > LOOK) return
    if (this.#length + bytes.length > ROOM) this.#follow(false)
    this.#pieces.push({ at: this.#length, offset })
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
  }

  /** `isLast`: nothing follows, so that the last frame may end anywhere. */
  #follow(isLast: boolean): void {
    let at = 0
    let next = 0
    while (next >= 0) {
      at = next
      next = this.#isJoined ? this.#step(at, isLast) : this.#find(at)
    }
    if (!this.#isJoined) at = Math.max(at, this.#length - LOOK)
    if (!this.#codec) this.#unknown += at
    this.#drop(at)
  }

  /** Where a row of frames begins; -1 where none does. */
  #find(from: number): number {
    const bytes = this.#bytes.subarray(from, this.#length)
    for (const codec of this.#codec ? [this.#codec] : CODECS) {
      const row = frameRow(codec, bytes)
      if (!row || row.count < SETTLED) continue
      this.#codec = codec
      this.#usual = bytes.slice(row.start, row.start + HEADER_BYTES)
      this.#isJoined = true
      return from + row.start
    }
    return -1
  }

  /** Where the frame behind that at `at` begins, or bytes that are none; -1 where more bytes are needed to tell. */
  #step(at: number, isLast: boolean): number {
    if (!isLast && at + LOOK + HEADER_BYTES > this.#length) return -1
    const length = this.#lengthAt(this.#bytes, at)
    const next = at + length
    if (length > 0 && (next + HEADER_BYTES > this.#length || this.#strange(this.#bytes, next) <= 1))
      return next + HEADER_BYTES > this.#length ? -1 : next
    const turned = this.#turned(at)
    if (turned) {
      const { place, byte, end } = turned
      this.#bytes[at + place] = byte
      this.#turn(this.#offsetOf(at + place), byte)
      return end
    }
    if (!isLast) this.breaks++
    this.#isJoined = false
    return at + 1
  }

  /** The single bit of the header at `at` that leads to another when it is turned, to the nearest where some do. */
  #turned(at: number): { readonly place: number; readonly byte: number; readonly end: number } | undefined {
    let found: { readonly place: number; readonly byte: number; readonly end: number } | undefined
    const header = this.#bytes.slice(at, at + HEADER_BYTES)
    for (let bit = 0; bit < HEADER_BYTES * 8; bit++) {
      const place = bit >> 3
      const turned = header.slice()
      turned[place] ^= 0x80 >> (bit & 7)
      const length = this.#lengthAt(turned, 0)
      const end = at + length
      const isNearer = found === undefined || end < found.end
      if (length > 0 && isNearer && this.#lengthAt(this.#bytes, end) > 0)
        found = { place, byte: turned[place], end }
    }
    return found
  }

  /** Bytes of the frame whose header is at `at` and is as usual; 0 where none is. */
  #lengthAt(bytes: Uint8Array, at: number): number {
    const isUsual = this.#codec && this.#strange(bytes, at) === 0
    return isUsual ? frameBytes(this.#codec ?? '', bytes, at) : 0
  }

  /** Bits in which what is at `at` differs from what is the same in all headers; infinite where it is not all there. */
  #strange(bytes: Uint8Array, at: number): number {
    const end = bytes === this.#bytes ? this.#length : bytes.length
    if (!this.#codec || at + HEADER_BYTES > end) return Number.POSITIVE_INFINITY
    let count = 0
    for (const [place, mask] of headerMask(this.#codec).entries())
      for (let bits = (bytes[at + place] ^ this.#usual[place]) & mask; bits > 0; bits &= bits - 1) count++
    return count
  }

  #offsetOf(at: number): number {
    const piece = this.#pieces.findLast((one) => one.at <= at)
    return piece ? piece.offset + at - piece.at : -1
  }

  /** Forgets the first `count` bytes. */
  #drop(count: number): void {
    this.#bytes.copyWithin(0, count, this.#length)
    this.#length -= count
    const first = Math.max(
      0,
      this.#pieces.findLastIndex(({ at }) => at <= count),
    )
    this.#pieces = this.#pieces.slice(first).map(({ at, offset }) => ({ at: at - count, offset }))
  }
}
