import { entropyData } from '../../../codecs/jpeg/entropy-data.ts'
import { McuLayout } from '../../../codecs/jpeg/mcu-layout.ts'
import type { BlockTables } from '../../../codecs/jpeg/mcu-reader.ts'
import { atLikelyLevels } from '../../../photo/levels/likely-levels.ts'
import type { MendedPicture } from '../../../photo/picture/picture.ts'
import type { Preview } from '../../../photo/preview/preview.ts'
import { mendScan } from '../../../photo/scan/mend-scan.ts'
import { ScanPicture } from '../../../photo/scan/scan-picture.ts'
import type { FrameHeader } from '../../../syntax/jpeg-markers/frame.ts'
import { SOF2 } from '../../../syntax/jpeg-markers/markers.ts'
import type { ReadPicture, ReadScan } from '../read/read-picture.ts'
import { mendScans } from './mend-scans.ts'
import { isFalselyProgressive } from './usual-headers.ts'

/**
 * Pixels and coefficients of a picture that is mended: the largest of phones have 108 million pixels, of two coefficients each
 * where colour has half the columns. A coefficient takes two bytes and half as much beside it: mended within the 1,024 MiB that a
 * repair is given.
 */
const MOST_PIXELS = 125_000_000
const MOST_COEFFICIENTS = 216_000_000

/** Why a picture cannot be mended, in a word. */
export type Refusal = 'arithmetic' | 'lossless' | 'too-large' | 'tables' | 'components'

/** Why the picture cannot be mended, undefined when it can. */
export function refusalOf({ frame, scans, quantisation }: ReadPicture): Refusal | undefined {
  const process = frame.marker & 15
  if (process > 8) return 'arithmetic'
  if (process > 2) return 'lossless'
  if (isTooLarge(frame)) return 'too-large'
  if (frame.height === 0) return 'components'
  if (frame.components.some(({ table }) => !quantisation[table])) return 'tables'
  const [first] = scans
  if (isFalselyProgressive(frame, first.header)) return 'components'
  if (first.header.components.some(({ id }) => !frame.components.some((component) => component.id === id))) {
    return 'components'
  }
  return undefined
}

/** Whether a picture takes more memory than a repair is given. */
export function isTooLarge({ width, height, components }: FrameHeader): boolean {
  const { mcuCount, mcuLength } = new McuLayout(width, height, components)
  return width * height > MOST_PIXELS || mcuCount * mcuLength > MOST_COEFFICIENTS
}

/** What else is known of a picture that is put in order. */
export interface MendOptions {
  /** Asked where a scan of all components is not read whole at once: whether its header is to be taken for a wrong one. */
  readonly givenUp?: () => boolean
  /** The front of its data is gone, and with it all levels up to the first restart marker. */
  readonly frontLost?: boolean
}

/** Puts a picture in order; `previews`, one or those that may be it, are asked for when something is missing. */
export function mendPicture(
  bytes: Uint8Array,
  picture: ReadPicture,
  previews: (layout: McuLayout) => readonly Preview[],
  options: MendOptions = {},
): MendedPicture | Refusal {
  const refusal = refusalOf(picture)
  if (refusal) return refusal
  const { frame, quantisation, scans } = picture
  const layout = new McuLayout(frame.width, frame.height, frame.components)
  const tables = layout.components.map(({ table }) => quantisation[table] ?? new Uint16Array(64).fill(1))
  const [scan] = scans
  const single = scan.header.components.length === frame.components.length
  if (frame.marker === SOF2 || !single) return mendScans(bytes, picture, layout, tables, previews)
  return mendSingle(bytes, picture, scan, layout, tables, previews, options)
}

function mendSingle(
  bytes: Uint8Array,
  { frame }: ReadPicture,
  scan: ReadScan,
  layout: McuLayout,
  quantisation: readonly Uint16Array[],
  makePreviews: (layout: McuLayout) => readonly Preview[],
  { givenUp, frontLost = false }: MendOptions,
): MendedPicture | Refusal {
  const blocks = blockTables(layout, scan)
  if (!blocks) return 'tables'
  const data = entropyData(bytes, scan.start, scan.end, () => false)
  let previews: readonly Preview[] | undefined
  const mended = mendScan({
    data,
    layout,
    tables: blocks,
    quantisation,
    interval: scan.interval,
    precision: frame.precision,
    complete: scan.end < bytes.length,
    frontLost,
    previews: () => {
      previews ??= makePreviews(layout)
      return previews
    },
    ...(givenUp ? { givenUp } : {}),
  })
  if (!mended) return 'components'
  const untold = frontLost && !mended.preview && mended.sections.every(({ known }) => !known)
  const levelled = untold ? atLikelyLevels(mended, layout, quantisation) : mended
  return new ScanPicture(levelled, layout, quantisation).mended()
}

/** The tables of each block of an MCU of a scan; undefined where one of them is not there. */
export function blockTables(
  layout: McuLayout,
  { header, tables }: ReadScan,
): readonly BlockTables[] | undefined {
  const coding = layout.components.map(({ id }) => {
    const own = header.components.find((component) => component.id === id)
    const dc = own && tables.decoding(0, own.dc)
    const ac = own && tables.decoding(1, own.ac)
    return dc && ac ? { dc, ac } : undefined
  })
  const blocks = Array.from(layout.componentOf, (component) => coding[component])
  const known = blocks.filter((entry) => entry !== undefined)
  return known.length < layout.blocksPerMcu ? undefined : known
}
