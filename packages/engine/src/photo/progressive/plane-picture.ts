import { BLOCK_COEFFICIENTS, type McuLayout } from '../../codecs/jpeg/mcu-layout.ts'
import type { McuSource } from '../../codecs/jpeg/sequential-writer.ts'
import { Fill, type KnownBlocks } from '../picture/fill.ts'
import { ESTIMATED, type MendedPicture, RECOVERED } from '../picture/picture.ts'
import type { Preview } from '../preview/preview.ts'

const BLOCK = 8

/** A picture whose coefficients are all in their places, put together from several scans; what has no DC is filled in. */
export class PlanePicture implements McuSource, KnownBlocks {
  coefficients: Int16Array
  offset = 0
  readonly dc: Int32Array
  readonly #layout: McuLayout
  readonly #quantisation: readonly ArrayLike<number>[]
  readonly #own: Int16Array
  readonly #missing: Uint8Array
  readonly #filled: Int16Array
  readonly #fill: Fill

  /** `missing`: 1 for each MCU of which nothing is known. */
  constructor(
    coefficients: Int16Array,
    missing: Uint8Array,
    layout: McuLayout,
    quantisation: readonly ArrayLike<number>[],
    preview: Preview | undefined,
  ) {
    this.coefficients = coefficients
    this.#own = coefficients
    this.#missing = missing
    this.#layout = layout
    this.#quantisation = quantisation
    this.dc = new Int32Array(layout.components.length)
    this.#filled = new Int16Array(layout.mcuLength)
    this.#fill = new Fill(layout, quantisation, this, preview)
  }

  known(position: number): boolean {
    return this.#missing[position] === 0
  }

  mean(position: number, component: number, column: number, row: number): number {
    const { h, firstBlock } = this.#layout.components[component]
    const at = position * this.#layout.mcuLength + (firstBlock + row * h + column) * BLOCK_COEFFICIENTS
    return (this.#own[at] * this.#quantisation[component][0]) / BLOCK
  }

  select(position: number): void {
    if (this.#missing[position] === 0) {
      this.coefficients = this.#own
      this.offset = position * this.#layout.mcuLength
      return
    }
    this.#fill.write(position, this.#filled)
    this.coefficients = this.#filled
    this.offset = 0
  }

  /** `estimated`: 1 for each MCU whose colour is. */
  mended(
    preview: Preview | undefined,
    detailLost: boolean,
    whole: boolean,
    estimated: Uint8Array,
  ): MendedPicture {
    const states = Uint8Array.from(this.#missing, (missing, position) => {
      if (missing !== 0) return this.#fill.state(position)
      return estimated[position] === 0 ? RECOVERED : ESTIMATED
    })
    return {
      layout: this.#layout,
      source: this,
      states,
      detailLost,
      placeEstimated: false,
      colourEstimated: states.includes(ESTIMATED),
      preview,
      whole,
    }
  }
}
