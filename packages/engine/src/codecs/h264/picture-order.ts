import type { SliceHeader } from './slice-header.ts'
import type { Sps } from './sps.ts'

/** Decoding process for picture order count, ITU-T H.264 (08/2021) §8.2.1, and the counting of reference pictures, §7.4.3. */
export class PictureOrder {
  /** TopFieldOrderCnt and BottomFieldOrderCnt of the last picture; the absent field's equals the other's. */
  top = 0
  bottom = 0
  #prevMsb = 0
  #prevLsb = 0
  #prevFrameNum = 0
  #prevOffset = 0
  #prevResets = false
  /** PrevRefFrameNum, or -1 while no picture was seen. */
  #prevRefFrameNum = -1

  /** frame_num that the next frame (or first field) should carry, or -1 when unknown. */
  expectedFrameNum(sps: Sps): number {
    return this.#prevRefFrameNum < 0 ? -1 : (this.#prevRefFrameNum + 1) % 2 ** sps.log2MaxFrameNum
  }

  /** Reference pictures that the counting says were left out before this frame or first field, modulo MaxFrameNum. */
  gapBefore(slice: SliceHeader, sps: Sps): number {
    const expected = this.expectedFrameNum(sps)
    if (slice.idr || expected < 0 || sps.gapsAllowed) return 0
    const modulus = 2 ** sps.log2MaxFrameNum
    const gap = (slice.frameNum - expected + modulus) % modulus
    // frame_num equal to the previous reference picture's is a repetition, not a loss of all but one
    return gap === modulus - 1 ? 0 : gap
  }

  /** The display order of a frame (the lower of its fields) or of a field, and updates the state behind it. */
  next(slice: SliceHeader, sps: Sps): number {
    if (slice.idr) {
      this.#prevMsb = 0
      this.#prevLsb = 0
      this.#prevOffset = 0
      this.#prevFrameNum = 0
    } else if (this.#prevRefFrameNum < 0) {
      this.#prevLsb = slice.pocLsb
      this.#prevFrameNum = slice.frameNum
    }
    if (sps.pocType === 0) this.#typeZero(slice, sps)
    else this.#byFrameNum(slice, sps)
    if (slice.field) {
      if (slice.bottom) this.top = this.bottom
      else this.bottom = this.top
    }
    const order = Math.min(this.top, this.bottom)
    if (slice.resets) {
      this.top -= order
      this.bottom -= order
      if (sps.pocType === 0) {
        this.#prevMsb = 0
        this.#prevLsb = slice.bottom ? 0 : this.top
      }
    }
    this.#prevResets = slice.resets
    this.#prevFrameNum = slice.resets ? 0 : slice.frameNum
    if (slice.refIdc !== 0) this.#prevRefFrameNum = this.#prevFrameNum
    else if (this.#prevRefFrameNum < 0 || this.#isGap(slice, sps)) {
      // frames that the gap stands for count as references up to the one before this picture
      const modulus = 2 ** sps.log2MaxFrameNum
      this.#prevRefFrameNum = (slice.frameNum - 1 + modulus) % modulus
    }
    return slice.resets ? 0 : order
  }

  #isGap(slice: SliceHeader, sps: Sps): boolean {
    return slice.frameNum !== this.#prevRefFrameNum && slice.frameNum !== this.expectedFrameNum(sps)
  }

  /** §8.2.1.1 */
  #typeZero(slice: SliceHeader, sps: Sps): void {
    const max = 2 ** sps.log2MaxPocLsb
    const lsb = slice.pocLsb
    let msb = this.#prevMsb
    if (lsb < this.#prevLsb && this.#prevLsb - lsb >= max / 2) msb += max
    else if (lsb > this.#prevLsb && lsb - this.#prevLsb > max / 2) msb -= max
    this.top = msb + lsb
    this.bottom = this.top + (slice.field ? 0 : slice.deltaBottom)
    if (slice.refIdc !== 0 && !slice.resets) {
      this.#prevMsb = msb
      this.#prevLsb = lsb
    }
  }

  /** §8.2.1.2 and §8.2.1.3 */
  #byFrameNum(slice: SliceHeader, sps: Sps): void {
    let offset = this.#prevResets ? 0 : this.#prevOffset
    if (!slice.idr && this.#prevFrameNum > slice.frameNum) offset += 2 ** sps.log2MaxFrameNum
    if (slice.idr) offset = 0
    this.#prevOffset = offset
    if (sps.pocType === 2) {
      const count = slice.idr ? 0 : 2 * (offset + slice.frameNum) - (slice.refIdc === 0 ? 1 : 0)
      this.top = count
      this.bottom = count
      return
    }
    const cycle = sps.offsetsForRefFrame.length
    let frame = cycle > 0 ? offset + slice.frameNum : 0
    if (slice.refIdc === 0 && frame > 0) frame--
    let expected = 0
    if (frame > 0) {
      const sum = sps.offsetsForRefFrame.reduce((total, value) => total + value, 0)
      expected = Math.floor((frame - 1) / cycle) * sum
      for (let i = 0; i <= (frame - 1) % cycle; i++) expected += sps.offsetsForRefFrame[i]
    }
    if (slice.refIdc === 0) expected += sps.offsetForNonRefPic
    if (slice.field && slice.bottom) {
      this.bottom = expected + sps.offsetForTopToBottomField + slice.delta0
      return
    }
    this.top = expected + slice.delta0
    this.bottom = this.top + sps.offsetForTopToBottomField + slice.delta1
  }

  /** Pictures were lost and display order went back: counts anew from this picture's own numbers. */
  reanchor(slice: SliceHeader): void {
    this.#prevMsb = 0
    this.#prevLsb = slice.pocLsb
    this.#prevOffset = 0
    this.#prevFrameNum = slice.frameNum
    this.#prevResets = false
  }
}
