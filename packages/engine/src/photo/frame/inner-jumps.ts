import { inverseDctColumn, inverseDctRow, UNQUANTISED } from '../../codecs/jpeg/dct.ts'
import { BLOCK_COEFFICIENTS } from '../../codecs/jpeg/mcu-layout.ts'

const BLOCK = 8
const LAST = 7
/** MCUs that are looked at. */
const MOST_MCUS = 2_000

/** How blocks of luminance within MCUs continue each other, if they stand in `h` columns and `v` rows. */
export class InnerJumps {
  readonly #h: number
  readonly #v: number
  readonly #one = new Float32Array(BLOCK)
  readonly #other = new Float32Array(BLOCK)
  #sum = 0
  #borders = 0
  #mcus = 0

  constructor({ h, v }: { readonly h: number; readonly v: number }) {
    this.#h = h
    this.#v = v
  }

  /** The mean difference of samples across borders between blocks; 0 where there are none. */
  get mean(): number {
    return this.#borders === 0 ? 0 : this.#sum / (BLOCK * this.#borders)
  }

  /** Takes in an MCU as it is coded: DC as differences from block to block. */
  add(mcu: Int16Array): void {
    if (this.#h * this.#v === 1 || this.#mcus++ >= MOST_MCUS) return
    for (let row = 0; row < this.#v; row++) {
      for (let column = 0; column < this.#h; column++) {
        const block = row * this.#h + column
        if (column + 1 < this.#h) this.#compare(mcu, block, block + 1, true)
        if (row + 1 < this.#v) this.#compare(mcu, block, block + this.#h, false)
      }
    }
  }

  #compare(mcu: Int16Array, first: number, second: number, beside: boolean): void {
    let higher = 0
    for (let block = first + 1; block <= second; block++) higher += mcu[block * BLOCK_COEFFICIENTS]
    const at = first * BLOCK_COEFFICIENTS
    const to = second * BLOCK_COEFFICIENTS
    if (beside) {
      inverseDctColumn(mcu, at, UNQUANTISED, 0, LAST, this.#one, 0)
      inverseDctColumn(mcu, to, UNQUANTISED, 0, 0, this.#other, 0)
    } else {
      inverseDctRow(mcu, at, UNQUANTISED, LAST, this.#one, 0)
      inverseDctRow(mcu, to, UNQUANTISED, 0, this.#other, 0)
    }
    // samples came with what DC is coded as
    const level = (mcu[to] - mcu[at] - higher) / BLOCK
    for (let i = 0; i < BLOCK; i++) this.#sum += Math.abs(this.#one[i] - this.#other[i] + level)
    this.#borders++
  }
}
