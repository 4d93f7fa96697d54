import { entropyData } from '../../../codecs/jpeg/entropy-data.ts'
import { BLOCK_COEFFICIENTS, type McuLayout } from '../../../codecs/jpeg/mcu-layout.ts'
import { ScanDecoder } from '../../../codecs/jpeg/scan-decoder.ts'
import type { MendedPicture } from '../../../photo/picture/picture.ts'
import { onlyOf, type Preview } from '../../../photo/preview/preview.ts'
import { type DcScan, mendBand, mendDc } from '../../../photo/progressive/mend-progressive.ts'
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

/** Scans read one after the other into the places of their coefficients. */
class ScansReader {
  readonly coefficients: Int16Array
  /** 1 for each MCU of which nothing is known. */
  readonly missing: Uint8Array
  /** A first scan of DC of all components, and whether it is damaged. */
  #dc: (DcScan & { readonly whole: boolean }) | undefined
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
      this.#keepDc(data, scan, progress.whole)
      if (this.#dc && !progress.whole) this.#emptyDc()
    }
    if (progress.whole) return
    const first = this.#progressive && header.high === 0 && interval === 0
    if (first && alone && component && table) {
      const band = { data, component, table, header }
      mendBand(band, layout, this.#quantisation[index], this.coefficients, unknown)
      return
    }
    if (alone) unknown.fill(1, progress.read)
    if (first && header.first === 0 && this.#dc) return
    if (header.first === 0 && header.high === 0) {
      this.missing.fill(1, Math.floor((progress.read / progress.total) * layout.mcuCount))
    }
  }

  /** Puts DC in order, once all scans were read. Returns 1 for each MCU whose levels are estimated. */
  mendDc(previews: () => readonly Preview[]): Uint8Array {
    const layout = this.#layout
    const quantisation = this.#quantisation
    const { coefficients } = this
    if (!this.#dc) return new Uint8Array(layout.mcuCount)
    if (this.#dc.whole) {
      const turned = turnLevels(this.#dc, { layout, quantisation, coefficients }, previews)
      return new Uint8Array(layout.mcuCount).fill(1, turned)
    }
    const { stretches, hidden } = mendDc(this.#dc, layout, quantisation, coefficients)
    this.missing.fill(1)
    for (const { first, count } of stretches) this.missing.fill(0, first, first + count)
    const plane = { coefficients, layout, quantisation, stretches, unit: 1 << this.#dc.low, turned: hidden }
    const estimated = solveLevels({ ...plane, previews })
    return hidden ? estimated.fill(1) : estimated
  }

  /** Keeps a first scan of DC if it is of all components. */
  #keepDc(data: ScanData, { header, tables }: ReadScan, whole: boolean): void {
    const layout = this.#layout
    const dcTables = Array.from(layout.componentOf, (index) => {
      const own = header.components.find(({ id }) => id === layout.components[index].id)
      return own && tables.decoding(0, own.dc)
    }).filter((entry) => entry !== undefined)
    const interleaved = header.components.length > 1 || layout.components.length === 1
    if (!this.#progressive || !interleaved || dcTables.length < layout.blocksPerMcu) return
    this.#dc = { data, tables: dcTables, low: header.low, whole }
  }

  #emptyDc(): void {
    for (let at = 0; at < this.coefficients.length; at += BLOCK_COEFFICIENTS) this.coefficients[at] = 0
  }
}
