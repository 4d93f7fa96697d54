/** Frames of one kind after which others are no longer taken for the track's. */
const SETTLED_FRAMES = 4

/** Those bits of the first four bytes of a track's frames that stay the same from frame to frame. */
export class FixedHeader {
  readonly #mask: number
  #word = 0
  #frames = 0

  /** `mask` has the bits that stay. */
  constructor(mask: number) {
    this.#mask = mask
  }

  /** Takes in the first four bytes of a frame of the track. */
  learn(word: number): void {
    this.#frames = this.#differs(word, this.#mask) ? 1 : this.#frames + 1
    this.#word = word
  }

  /** Whether a frame was learned, and `word` has its bits of `mask`: those that stay, if nothing else is said. */
  isKnown(word: number, mask = this.#mask): boolean {
    return this.#frames > 0 && !this.#differs(word, mask)
  }

  /** Whether a frame that begins with `word` may be the track's: any until its frames have settled on one kind. */
  fits(word: number): boolean {
    return this.#frames < SETTLED_FRAMES || !this.#differs(word, this.#mask)
  }

  #differs(word: number, mask: number): boolean {
    return ((word ^ this.#word) & mask) !== 0
  }
}
