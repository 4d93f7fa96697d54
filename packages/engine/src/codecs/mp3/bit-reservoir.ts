import { joined } from '../../bytes/joined.ts'
import { FIXED_BITS, LONGEST_FRAME, parseHeader } from './header.ts'
import { mainDataBegin, sideInformationBytes } from './side-information.ts'

/** Bytes of a header, and of the main_data_begin that its checksum may stand in front of. */
const HEADER_BYTES = 4
const LEAST_BYTES = 8
/** Farther back than this no main data begins: nine bits tell where. */
const FARTHEST = 511
const NONE = new Uint8Array(0)

/**
 * The bit reservoir of Layer III, ISO/IEC 11172-3:1993 §2.4.3.4.1: a frame's main data may begin in frames in front of it. Behind
 * a loss frames are whole whose main data is not: decoders leave them silent. Containers may cut frames anywhere.
 */
export class BitReservoir {
  /** Bytes of main data that were taken since something was lost. */
  #held = Number.POSITIVE_INFINITY
  /** Bytes that were taken and belong to no frame yet: what is there of the last one, or what may hold the first one's header. */
  #rest: Uint8Array = NONE
  /** `#rest` begins where a frame does. */
  #isAligned = false

  /** Something was lost, and what was taken since may not be enough for the next frame. */
  get isLow(): boolean {
    return this.#held < FARTHEST
  }

  /** Frames, or bytes of the one taken last, are lost. */
  lose(): void {
    this.#held = 0
    this.#rest = NONE
    this.#isAligned = false
  }

  /**
   * Takes the stream's next bytes. Says whether all of the main data is there that the frames begin with of which these bytes are
   * a part. Nothing is said of bytes in front of the first frame behind a loss, nor of other layers.
   */
  take(bytes: Uint8Array): boolean {
    if (!this.isLow) return true
    const all = this.#rest.length > 0 ? joined([this.#rest, bytes]) : bytes
    let isFed = true
    let at = 0
    while (this.isLow) {
      if (!this.#isAligned) at = firstFrame(all, at)
      const header = at + LEAST_BYTES <= all.length ? parseHeader(wordAt(all, at)) : undefined
      this.#isAligned = header !== undefined
      if (header === undefined) {
        if (at + LONGEST_FRAME >= all.length) break
        at++
        continue
      }
      if (header.layer !== 3) {
        this.#held = Number.POSITIVE_INFINITY
        break
      }
      if (mainDataBegin(header, all, at) > this.#held) isFed = false
      if (at + header.length > all.length) break
      this.#held += header.length - HEADER_BYTES - (header.protected ? 2 : 0) - sideInformationBytes(header)
      at += header.length
    }
    this.#rest = this.isLow ? all.slice(at) : NONE
    return isFed
  }
}

/**
 * Where the first frame begins that another of its kind follows or that ends with the bytes; where nothing shows one, the place
 * from which on more bytes may.
 */
function firstFrame(bytes: Uint8Array, from: number): number {
  for (let at = from; at + HEADER_BYTES <= bytes.length; at++) {
    if (bytes[at] !== 0xff) continue
    const word = wordAt(bytes, at)
    const header = parseHeader(word)
    if (header === undefined) continue
    const next = at + header.length
    if (next === bytes.length || next + HEADER_BYTES > bytes.length) return at
    const following = wordAt(bytes, next)
    if (parseHeader(following) && ((following ^ word) & FIXED_BITS) === 0) return at
  }
  return Math.max(from, bytes.length - HEADER_BYTES + 1)
}

function wordAt(bytes: Uint8Array, at: number): number {
  return ((bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3]) >>> 0
}
