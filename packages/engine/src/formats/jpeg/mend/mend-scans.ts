import { entropyData } from '../../../codecs/jpeg/entropy-data.ts'
import { BLOCK_COEFFICIENTS, type McuLayout } from '../../../codecs/jpeg/mcu-layout.ts'
import { ScanDecoder } from '../../../codecs/jpeg/scan-decoder.ts'
import type { MendedPicture } from '../../../photo/picture/picture.ts'
import { onlyOf, type Preview } from '../../../photo/preview/preview.ts'
import { componentPlane, fillDc, mcusOf, writeComponent } from '../../../photo/progressive/component-plane.ts'
import { type DcPlane, type DcScan, mendBand, mendDc } from '../../../photo/progressive/mend-progressive.ts'
import { mendRefinement } from '../../../photo/progressive/mend-refinement.ts'
import { solveLevels } from '../../../photo/progressive/plane-levels.ts'
import { PlanePicture } from '../../../photo/progressive/plane-picture.ts'
import type { ScanData } from '../../../photo/progressive/read-line.ts'
import { turnLevels } from '../../../photo/progressive/turned-levels.ts'
import { constantRuns } from '../../../photo/reading/constant-runs.ts'
import { SOF2 } from '../../../syntax/jpeg-markers/markers.ts'
import type { ReadPicture, ReadScan } from '../read/read-picture.ts'

/** Equal bytes in a row that no refinement holds: what follows them would be read at another place. */
const EMPTY_RUN = 256

/** Puts a picture of several scans in order: of one component each, or of a progressive frame. */
export function mendScans(
  bytes: Uint8Array,
  picture: ReadPicture,
  layout: McuLayout,
  quantisation: readonly Uint16Array[],
  makePreviews: (layout: McuLayout) => readonly Preview[],
): MendedPicture {
  const progressive = picture.frame.marker === SOF2
  const scans = picture.scans.map((scan) => ({
    scan,
    data: {
      ...entropyData(bytes, scan.start, scan.end, () => false),
      closed: scan.end < bytes.length,
    },
  }))
  const sound = new ScansReader(layout, quantisation, progressive)
  const whole = scans.every(({ scan, data }) => sound.readWhole(data, scan)) && picture.ended
  let reader = sound
  if (!whole) {
    reader = new ScansReader(layout, quantisation, progressive)
    for (const { scan, data } of scans) reader.read(data, scan)
  }
  let previews: readonly Preview[] | undefined
  const newPreviews = (): readonly Preview[] => {
    previews ??= makePreviews(layout)
    return previews
  }
  const estimated = whole ? new Uint8Array(layout.mcuCount) : reader.mendDc(newPreviews)
  const preview = whole ? undefined : onlyOf(newPreviews())
  const { coefficients, missing } = reader
  const plane = new PlanePicture(coefficients, missing, layout, quantisation, preview)
  return plane.mended(preview, !whole, whole, estimated)
}

/** A first scan of DC as it was found. */
interface KeptDc extends DcScan {
  readonly whole: boolean
  /** The one that it is of, none where it is of all. */
  readonly component: number | undefined
}

/** Scans read one after the other into the places of their coefficients. */
class ScansReader {
  readonly coefficients: Int16Array
  /** 1 for each MCU of which nothing is known. */
  readonly missing: Uint8Array
  /** First scans of DC. */
  readonly #dc: KeptDc[] = []
  readonly #layout: McuLayout
  readonly #quantisation: readonly Uint16Array[]
  readonly #progressive: boolean
  /** For each component 1 where AC coefficients of a block are not known as far as scans went, row by row. */
  readonly #unknown: readonly Uint8Array[]

  constructor(layout: McuLayout, quantisation: readonly Uint16Array[], progressive: boolean) {
    this.#layout = layout
    this.#quantisation = quantisation
    this.#progressive = progressive
    this.coefficients = new Int16Array(layout.mcuCount * layout.mcuLength)
    this.missing = new Uint8Array(layout.mcuCount)
    this.#unknown = layout.components.map(
      ({ blocksWide, blocksHigh }) => new Uint8Array(blocksWide * blocksHigh),
    )
  }

  /** Reads a scan that is sound. False where it is not. */
  readWhole(data: ScanData, { header, tables, interval }: ReadScan): boolean {
    const decoder = new ScanDecoder(this.#layout, this.coefficients, header, tables, this.#progressive)
    // further bits of DC are alike where the picture is even
    const emptied =
      header.high > 0 &&
      header.first > 0 &&
      constantRuns(data.bytes, data.length).some(({ from, to }) => to - from >= EMPTY_RUN)
    if (!decoder.possible || emptied) return false
    const { whole, parted } = decoder.decode(data, interval)
    // encoders part no run of their own: reading was at a wrong place
    return whole && (interval > 0 || !parted)
  }

  /** Reads what can be read of a scan, from both of its ends where it is damaged, and of a refinement between. */
  read(data: ScanData, scan: ReadScan): void {
    const { header, tables, interval } = scan
    const layout = this.#layout
    const index = layout.components.findIndex(({ id }) => id === header.components[0].id)
    const component = layout.components[index]
    const table = tables.decoding(1, header.components[0].ac)
    const unknown = this.#unknown[index]
    const alone = this.#progressive && header.first > 0 && header.components.length === 1
    if (alone && component && table && header.high > 0 && interval === 0) {
      const { coefficients } = this
      mendRefinement({ data, layout, component, table, header, coefficients, unknown })
      return
    }
    const decoder = new ScanDecoder(layout, this.coefficients, header, tables, this.#progressive)
    if (!decoder.possible) return
    const progress = decoder.decode(data, interval)
    if (header.first === 0 && header.high === 0 && interval === 0) {
      const kept = this.#keepDc(data, scan, progress.whole)
      if (kept && !progress.whole) this.#emptyDc(kept)
      if (kept) return
    }
    if (progress.whole) return
    const first = this.#progressive && header.high === 0 && interval === 0
    if (first && alone && component && table) {
      const band = { data, component, table, header }
      mendBand(band, layout, this.#quantisation[index], this.coefficients, unknown)
      return
    }
    if (alone) unknown.fill(1, progress.read)
    if (header.first === 0 && header.high === 0) {
      this.missing.fill(1, Math.floor((progress.read / progress.total) * layout.mcuCount))
    }
  }

  /** Puts DC in order, once all scans were read. Returns 1 for each MCU whose levels are estimated. */
  mendDc(previews: () => readonly Preview[]): Uint8Array {
    const layout = this.#layout
    const picture = { layout, quantisation: this.#quantisation, coefficients: this.coefficients }
    const estimated = new Uint8Array(layout.mcuCount)
    for (const scan of this.#dc) {
      const { component } = scan
      if (component === undefined) {
        const mended = mendLevels(scan, picture, previews)
        mark(this.missing, mended.missing)
        mark(estimated, mended.estimated)
        continue
      }
      const plane = componentPlane(picture, component)
      const own = () => previews().map((preview) => preview.only(component))
      const mended = mendLevels(scan, plane, own)
      // what has no luminance is missing; colour of its own is filled in
      if (component === 0) mark(this.missing, mcusOf(mended.missing, layout, component))
      else {
        fillDc(plane.coefficients, mended.missing, plane.layout)
        mark(estimated, mcusOf(mended.missing, layout, component))
      }
      mark(estimated, mcusOf(mended.estimated, layout, component))
      writeComponent(plane.coefficients, picture, component)
    }
    return estimated
  }

  /** Keeps a first scan of DC of all components, or of one alone. */
  #keepDc(data: ScanData, { header, tables }: ReadScan, whole: boolean): KeptDc | undefined {
    const layout = this.#layout
    const alone = header.components.length === 1 && layout.components.length > 1
    const component = alone
      ? layout.components.findIndex(({ id }) => id === header.components[0].id)
      : undefined
    const owners = component === undefined ? Array.from(layout.componentOf) : [component]
    const dcTables = owners
      .map((index) => {
        const own = header.components.find(({ id }) => id === layout.components[index]?.id)
        return own && tables.decoding(0, own.dc)
      })
      .filter((entry) => entry !== undefined)
    if (!this.#progressive || dcTables.length < owners.length) return undefined
    const kept = { data, tables: dcTables, low: header.low, whole, component }
    this.#dc.push(kept)
    return kept
  }

  #emptyDc({ component }: KeptDc): void {
    const { mcuLength, components } = this.#layout
    const own = component === undefined ? undefined : components[component]
    const first = (own?.firstBlock ?? 0) * BLOCK_COEFFICIENTS
    const end = own ? first + own.h * own.v * BLOCK_COEFFICIENTS : mcuLength
    for (let mcu = 0; mcu < this.coefficients.length; mcu += mcuLength)
      for (let at = first; at < end; at += BLOCK_COEFFICIENTS) this.coefficients[mcu + at] = 0
  }
}

/**
 * Puts levels in order of a picture all of whose other scans were read, by its first scan of DC. `missing`: 1 for each MCU
 * without DC, `estimated`: 1 for each whose levels are told by what lies around it.
 */
function mendLevels(
  dc: KeptDc,
  plane: DcPlane,
  previews: () => readonly Preview[],
): { readonly missing: Uint8Array; readonly estimated: Uint8Array } {
  const { layout, quantisation, coefficients } = plane
  const { mcuCount } = layout
  if (dc.whole) {
    const estimated = new Uint8Array(mcuCount).fill(1, turnLevels(dc, plane, previews))
    return { missing: new Uint8Array(mcuCount), estimated }
  }
  const { stretches, hidden } = mendDc(dc, layout, quantisation, coefficients)
  const missing = new Uint8Array(mcuCount).fill(1)
  for (const { first, count } of stretches) missing.fill(0, first, first + count)
  const levels = { ...plane, stretches, unit: 1 << dc.low, turned: hidden, previews }
  const estimated = solveLevels(levels)
  return { missing, estimated: hidden ? estimated.fill(1) : estimated }
}

/** Adds marks to others. */
function mark(marks: Uint8Array, more: Uint8Array): void {
  more.forEach((each, i) => {
    marks[i] |= each
  })
}
