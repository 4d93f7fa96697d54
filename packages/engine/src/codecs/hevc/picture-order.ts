import { isBla, isIdr, isIrap, isRadl, isRasl, isSubLayerNonReference } from './nal-types.ts'
import type { SliceHeader } from './slice-header.ts'

/** Decoding process for picture order count, ITU-T H.265 (08/2021) §8.3.1. */
export class PictureOrder {
  #prevMsb = 0
  #prevLsb = 0
  #started = false
  /** The next IRAP picture begins a coded video sequence, as the stream's first one does. */
  #fresh = true
  /**
   * Numbers count from a picture behind the lost beginning of a sequence: they go on over its next IRAP picture unless that says
   * otherwise.
   */
  #midway = false
  /** The last IRAP picture had NoRaslOutputFlag equal to 1: the RASL pictures behind it are not output. */
  raslSkipped = false

  /** Whether this picture begins a coded video sequence (§8.1.3, NoRaslOutputFlag). */
  begins(slice: SliceHeader): boolean {
    return (
      isIrap(slice.nalType) &&
      (isIdr(slice.nalType) || isBla(slice.nalType) || (this.#fresh && !this.#midway))
    )
  }

  /** Display order of the picture; updates the state behind it. */
  next(slice: SliceHeader): number {
    const { sps, nalType, pocLsb } = slice
    if (!sps) return 0
    const begins = this.begins(slice)
    let msb = 0
    if (!begins && this.#started) {
      const max = 2 ** sps.log2MaxPocLsb
      msb = this.#prevMsb
      if (pocLsb < this.#prevLsb && this.#prevLsb - pocLsb >= max / 2) msb += max
      else if (pocLsb > this.#prevLsb && pocLsb - this.#prevLsb > max / 2) msb -= max
    }
    if (isIrap(nalType)) {
      // decoders leave them out behind the first one that they see, whatever was before
      this.raslSkipped = begins || this.#fresh
      this.#fresh = false
      this.#midway = false
    } else if (!this.#started) this.#midway = true
    const anchors = !isRasl(nalType) && !isRadl(nalType) && !isSubLayerNonReference(nalType)
    if (slice.temporalId === 0 && anchors) {
      this.#prevMsb = msb
      this.#prevLsb = pocLsb
    } else if (!this.#started) {
      this.#prevLsb = pocLsb
    }
    this.#started = true
    return msb + pocLsb
  }

  /** An end of sequence NAL unit followed the picture. */
  endSequence(): void {
    this.#fresh = true
    this.#midway = false
  }

  /** Pictures were lost and display order went back: counts anew from this picture's own number. */
  reanchor(slice: SliceHeader): void {
    this.#prevMsb = 0
    this.#prevLsb = slice.pocLsb
  }
}
