import type { McuLayout } from '../../codecs/jpeg/mcu-layout.ts'
import type { McuSource } from '../../codecs/jpeg/sequential-writer.ts'
import type { Preview } from '../preview/preview.ts'

/** What an MCU of a mended picture is: as it was recorded, own detail with estimated colour or place, filled in, or blank. */
export const RECOVERED = 0
export const ESTIMATED = 1
export const FILLED = 2
export const LOST = 3

/** A picture put in order, ready to be coded. */
export interface MendedPicture {
  readonly layout: McuLayout
  readonly source: McuSource
  /** The state of each MCU, one of the four above. */
  readonly states: Uint8Array
  /** Fine detail of MCUs that are there is gone. */
  readonly detailLost: boolean
  /** Some place, or some colour, is estimated. */
  readonly placeEstimated: boolean
  readonly colourEstimated: boolean
  readonly preview: Preview | undefined
  /** Nothing is missing, nothing is invented. */
  readonly whole: boolean
}
