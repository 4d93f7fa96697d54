import { entropyData } from '../../../codecs/jpeg/entropy-data.ts'
import { McuLayout } from '../../../codecs/jpeg/mcu-layout.ts'
import { ScanDecoder } from '../../../codecs/jpeg/scan-decoder.ts'
import { mendScan } from '../../../photo/mend-scan.ts'
import type { MendedPicture } from '../../../photo/picture.ts'
import { PlanePicture } from '../../../photo/plane-picture.ts'
import type { Preview } from '../../../photo/preview.ts'
import { ScanPicture } from '../../../photo/scan-picture.ts'
import { SOF2 } from '../../../syntax/jpeg-markers/markers.ts'
import type { ReadPicture, ReadScan } from '../read/read-picture.ts'

/** Pixels of a picture that is mended: the largest of phones have 108 million. Memory is up to 20 bytes for each. */
export const MOST_PIXELS = 125_000_000

/** Why a picture cannot be mended, in a word. */
export type Refusal = 'arithmetic' | 'lossless' | 'too-large' | 'tables' | 'components'

/** Why the picture cannot be mended, undefined when it can. */
export function refusalOf({ frame, scans, quantisation }: ReadPicture): Refusal | undefined {
  const process = frame.marker & 15
  if (process > 8) return 'arithmetic'
  if (process > 2) return 'lossless'
  if (frame.width * frame.height > MOST_PIXELS) return 'too-large'
  if (frame.height === 0) return 'components'
  if (frame.components.some(({ table }) => !quantisation[table])) return 'tables'
  const [first] = scans
  if (first.header.components.some(({ id }) => !frame.components.some((component) => component.id === id))) {
    return 'components'
  }
  return undefined
}

/** Puts a picture in order; `preview` is asked for when something is missing. */
export function mendPicture(
  bytes: Uint8Array,
  picture: ReadPicture,
  preview: (layout: McuLayout) => Preview | undefined,
): MendedPicture | Refusal {
  const refusal = refusalOf(picture)
  if (refusal) return refusal
  const { frame, quantisation, scans } = picture
  const layout = new McuLayout(frame.width, frame.height, frame.components)
  const tables = layout.components.map(({ table }) => quantisation[table] ?? new Uint16Array(64).fill(1))
  const [scan] = scans
  const single = scan.header.components.length === frame.components.length
  if (frame.marker === SOF2 || !single) return mendScans(bytes, picture, layout, tables, preview)
  return mendSingle(bytes, picture, scan, layout, tables, preview)
}

function mendSingle(
  bytes: Uint8Array,
  { frame }: ReadPicture,
  scan: ReadScan,
  layout: McuLayout,
  quantisation: readonly Uint16Array[],
  makePreview: (layout: McuLayout) => Preview | undefined,
): MendedPicture | Refusal {
  const coding = layout.components.map(({ id }) => {
    const own = scan.header.components.find((component) => component.id === id)
    const dc = own && scan.tables.decoding(0, own.dc)
    const ac = own && scan.tables.decoding(1, own.ac)
    return dc && ac ? { dc, ac } : undefined
  })
  const blocks = Array.from(layout.componentOf, (component) => coding[component]).filter(
    (entry) => entry !== undefined,
  )
  if (blocks.length < layout.blocksPerMcu) return 'tables'
  const data = entropyData(bytes, scan.start, scan.end, () => false)
  let preview: Preview | undefined
  const mended = mendScan({
    data,
    layout,
    tables: blocks,
    quantisation,
    interval: scan.interval,
    precision: frame.precision,
    complete: scan.end < bytes.length,
    preview: () => {
      preview = makePreview(layout)
      return preview
    },
  })
  return new ScanPicture(mended, layout, quantisation, preview).mended(preview)
}

/** Several scans: of one component each, or of a progressive frame. */
function mendScans(
  bytes: Uint8Array,
  { frame, scans, ended }: ReadPicture,
  layout: McuLayout,
  quantisation: readonly Uint16Array[],
  makePreview: (layout: McuLayout) => Preview | undefined,
): MendedPicture {
  const coefficients = new Int16Array(layout.mcuCount * layout.mcuLength)
  const missing = new Uint8Array(layout.mcuCount)
  let whole = ended
  for (const scan of scans) {
    const decoder = new ScanDecoder(layout, coefficients, scan.header, scan.tables, frame.marker === SOF2)
    if (!decoder.possible) {
      whole = false
      continue
    }
    const data = entropyData(bytes, scan.start, scan.end, () => false)
    const progress = decoder.decode(data, scan.interval)
    if (progress.whole) continue
    whole = false
    if (scan.header.first === 0 && scan.header.high === 0) {
      const from = Math.floor((progress.read / progress.total) * layout.mcuCount)
      missing.fill(1, from)
    }
  }
  const preview = whole ? undefined : makePreview(layout)
  return new PlanePicture(coefficients, missing, layout, quantisation, preview).mended(preview, !whole, whole)
}
