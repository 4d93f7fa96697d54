import { BLOCK_COEFFICIENTS, type McuLayout } from '../../codecs/jpeg/mcu-layout.ts'
import type { McuSource } from '../../codecs/jpeg/sequential-writer.ts'
import { Fill, type KnownBlocks } from '../picture/fill.ts'
import { ESTIMATED, type MendedPicture, RECOVERED } from '../picture/picture.ts'
import type { MendedScan } from './mend-scan.ts'

const BLOCK = 8

/** The picture of a mended scan: MCUs of the stream in their places with their colours, and what is lost filled in. */
export class ScanPicture implements McuSource, KnownBlocks {
  coefficients: Int16Array
  offset = 0
  dc: Int32Array
  readonly #layout: McuLayout
  readonly #quantisation: readonly ArrayLike<number>[]
  readonly #scan: MendedScan
  readonly #sectionOf: Int32Array
  readonly #unchanged: Int32Array
  readonly #filled: Int16Array
  readonly #fill: Fill

  constructor(scan: MendedScan, layout: McuLayout, quantisation: readonly ArrayLike<number>[]) {
    this.#scan = scan
    this.#layout = layout
    this.#quantisation = quantisation
    this.#unchanged = new Int32Array(layout.components.length)
    this.#filled = new Int16Array(layout.mcuLength)
    this.coefficients = scan.stream.coefficients
    this.dc = this.#unchanged
    this.#sectionOf = new Int32Array(scan.stream.count).fill(-1)
    scan.sections.forEach(({ first, count }, index) => {
      this.#sectionOf.fill(index, first, first + count)
    })
    this.#fill = new Fill(layout, quantisation, this, scan.preview)
  }

  known(position: number): boolean {
    return this.#scan.source[position] >= 0
  }

  mean(position: number, component: number, column: number, row: number): number {
    const mcu = this.#scan.source[position]
    const { h, firstBlock } = this.#layout.components[component]
    const at = mcu * this.#layout.mcuLength + (firstBlock + row * h + column) * BLOCK_COEFFICIENTS
    const dc = this.#scan.stream.coefficients[at] + this.#offsets(mcu)[component]
    return (dc * this.#quantisation[component][0]) / BLOCK
  }

  select(position: number): void {
    const mcu = this.#scan.source[position]
    if (mcu >= 0) {
      this.coefficients = this.#scan.stream.coefficients
      this.offset = mcu * this.#layout.mcuLength
      this.dc = this.#offsets(mcu)
      return
    }
    this.#fill.write(position, this.#filled)
    this.coefficients = this.#filled
    this.offset = 0
    this.dc = this.#unchanged
  }

  /** The whole account of it. */
  mended(): MendedPicture {
    const { source, sections, whole, doubtfulPlaces, preview } = this.#scan
    const states = new Uint8Array(this.#layout.mcuCount)
    for (let position = 0; position < states.length; position++) {
      const mcu = source[position]
      if (mcu < 0) states[position] = this.#fill.state(position)
      else
        states[position] =
          this.#sectionOf[mcu] >= 0 && !sections[this.#sectionOf[mcu]].known ? ESTIMATED : RECOVERED
    }
    return {
      layout: this.#layout,
      source: this,
      states,
      detailLost: false,
      placeEstimated: doubtfulPlaces > 0,
      colourEstimated: sections.some(({ known }) => !known),
      preview,
      whole,
    }
  }

  #offsets(mcu: number): Int32Array {
    const section = this.#sectionOf[mcu]
    return section < 0 ? this.#unchanged : this.#scan.sections[section].dc
  }
}
