import type { ArithmeticDecoder } from '../../cabac/arithmetic.ts'
import type { Sps } from '../sps.ts'
import * as context from './contexts.ts'

/** Which planes of a slice have offsets: slice_sao_luma_flag, slice_sao_chroma_flag. */
interface CodedPlanes {
  readonly saoLuma: boolean
  readonly saoChroma: boolean
}

/** Reads the offsets that a decoder adds to samples (sample adaptive offset), and counts them: ITU-T H.265 (08/2021) §7.4.9.3. */
export class SampleOffsets {
  readonly #engine: ArithmeticDecoder
  readonly #sps: Sps
  #count = 0
  #sum = 0

  constructor(engine: ArithmeticDecoder, sps: Sps) {
    this.#engine = engine
    this.#sps = sps
  }

  /** Offsets of the slice that are not 0. */
  get count(): number {
    return this.#count
  }

  /** What they add up to without their signs. */
  get sum(): number {
    return this.#sum
  }

  startSlice(): void {
    this.#count = 0
    this.#sum = 0
  }

  /** Reads those of a coding tree unit, whose neighbours of the same slice may lend theirs: §7.3.8.3. */
  read(slice: CodedPlanes, hasLeft: boolean, hasAbove: boolean): void {
    const engine = this.#engine
    if (hasLeft && engine.decode(context.SAO_MERGE) === 1) return
    if (hasAbove && engine.decode(context.SAO_MERGE) === 1) return
    let type = 0
    for (let component = 0; component < (this.#sps.chromaFormat === 0 ? 1 : 3); component++) {
      if (component === 0 ? !slice.saoLuma : !slice.saoChroma) continue
      if (component < 2) type = engine.decode(context.SAO_TYPE) === 0 ? 0 : engine.bypass() === 0 ? 1 : 2
      if (type === 0) continue
      const depth = component === 0 ? this.#sps.bitDepthLuma : this.#sps.bitDepthChroma
      const most = (1 << (Math.min(depth, 10) - 5)) - 1
      let nonzero = 0
      for (let i = 0; i < 4; i++) {
        let offset = 0
        while (offset < most && engine.bypass() === 1) offset++
        if (offset > 0) nonzero++
        this.#sum += offset
      }
      this.#count += nonzero
      if (type === 1) this.#skipBypass(nonzero + 5)
      else if (component < 2) this.#skipBypass(2)
    }
  }

  #skipBypass(count: number): void {
    for (let i = 0; i < count; i++) this.#engine.bypass()
  }
}
