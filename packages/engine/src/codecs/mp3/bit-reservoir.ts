import { parseHeader } from './header.ts'
import { mainDataBegin, sideInformationBytes } from './side-information.ts'

/** Bytes of a header, and of the main_data_begin that its checksum may stand in front of. */
const HEADER_BYTES = 4
const LEAST_BYTES = 8
/** Farther back than this no main data begins: nine bits tell where. */
const FARTHEST = 511

/**
 * The bit reservoir of Layer III, ISO/IEC 11172-3:1993 §2.4.3.4.1: a frame's main data may begin in frames in front of it. Behind a
 * loss frames are whole whose main data is not: decoders leave them silent.
 */
export class BitReservoir {
  /** Bytes of main data that were taken since something was lost. */
  #held = Number.POSITIVE_INFINITY

  /** Something was lost, and what was taken since may not be enough for the next frame. */
  get isLow(): boolean {
    return this.#held < FARTHEST
  }

  /** Frames, or bytes of the one taken last, are lost. */
  lose(): void {
    this.#held = 0
  }

  /** Takes the stream's next frames, one behind the other. Says whether all of the main data is there that they begin with. */
  take(bytes: Uint8Array): boolean {
    let isFed = true
    let at = 0
    while (this.isLow && at < bytes.length) {
      const header = at + LEAST_BYTES <= bytes.length ? parseHeader(wordAt(bytes, at)) : undefined
      // where frames do not begin where bytes do, or are of another layer, nothing tells what of them is missing
      if (header?.layer !== 3 || at + header.length > bytes.length) {
        this.#held = Number.POSITIVE_INFINITY
        return isFed
      }
      if (mainDataBegin(header, bytes, at) > this.#held) isFed = false
      const front = HEADER_BYTES + (header.protected ? 2 : 0) + sideInformationBytes(header)
      this.#held += header.length - front
      at += header.length
    }
    return isFed
  }
}

function wordAt(bytes: Uint8Array, at: number): number {
  return ((bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3]) >>> 0
}
