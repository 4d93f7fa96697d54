import { type EntropyData, entropyData } from '../../../codecs/jpeg/entropy-data.ts'
import { BLOCK_COEFFICIENTS, McuLayout } from '../../../codecs/jpeg/mcu-layout.ts'
import { McuReader } from '../../../codecs/jpeg/mcu-reader.ts'
import { STANDARD_HUFFMAN } from '../../../codecs/jpeg/standard-tables.ts'
import { HuffmanTables } from '../../../codecs/jpeg/tables.ts'
import type { PictureReport } from '../../../model/photo.ts'
import {
  qualityOfStep,
  scaledTable,
  stepByPreview,
  stepByRange,
} from '../../../photo/estimate-quantisation.ts'
import { type FittedFrame, fitFrame, type SizeHint } from '../../../photo/fit-frame.ts'
import type { Preview } from '../../../photo/preview.ts'
import type { MeanPlanes } from '../../../photo/reference.ts'
import type { FrameHeader } from '../../../syntax/jpeg-markers/frame.ts'
import { SOF0, SOF2 } from '../../../syntax/jpeg-markers/markers.ts'
import type { ScanHeader } from '../../../syntax/jpeg-markers/scan-header.ts'
import { type ReadPicture, type ReadScan, readOn } from '../read/read-picture.ts'
import { dataStart } from './data-start.ts'
import type { Salvage } from './salvage.ts'

/** A picture whose header was completed, and what of it is not its own. */
export interface Completed {
  readonly picture: ReadPicture
  readonly rebuilt: PictureReport['rebuilt']
  readonly sizeEstimated: boolean
  readonly quantisationEstimated: boolean
  /** The sample served. */
  readonly sampleUsed: readonly string[]
}

type Rebuilt = PictureReport['rebuilt'][number]

const LAST_COEFFICIENT = 63
/** Completes what survives of a picture's header from the standard's tables, a sample, and by fitting. Undefined when nothing fits. */
export function complete(
  bytes: Uint8Array,
  found: Salvage,
  hints: readonly SizeHint[],
  sample: ReadPicture | undefined,
  preview: (layout: McuLayout) => Preview | undefined,
): Completed | undefined {
  const rebuilt: Rebuilt[] = []
  const sampleUsed: string[] = []
  const tables = completeTables(found, sample, rebuilt, sampleUsed)
  const begin = found.header ? found.start : startOf(bytes, found, tables)
  const data = entropyData(bytes, begin, found.end, () => false)
  let fitted: FittedFrame | undefined
  let frame = found.frame
  if (!frame || frame.height === 0) {
    const sizes = sample ? [...hints, ...bothWays(sample.frame)] : hints
    fitted = fitFrame(
      data,
      (component) => tablesOf(tables, found.header, component),
      sizes,
      frame?.components,
    )
    if (!fitted) return undefined
    frame = frameOf(fitted, found, sample)
    rebuilt.push({ part: 'frame header', from: 'fitted' })
  }
  if (!found.header) rebuilt.push({ part: 'scan header', from: 'standard' })
  const further = furtherScans(bytes, found, frame)
  const header = found.header ?? (frame.marker === SOF2 ? firstScanOf(frame, further.scans) : scanOf(frame))
  const quantisation = [...found.quantisation]
  let quantisationEstimated = false
  for (const { table } of frame.components) {
    if (quantisation[table]) continue
    const own = sample?.quantisation[table]
    if (own) {
      quantisation[table] = own
      sampleUsed.push('quantisation tables')
      rebuilt.push({ part: 'quantisation tables', from: 'sample' })
    } else rebuilt.push({ part: 'quantisation tables', from: 'fitted' })
    quantisationEstimated = true
  }
  const layout = new McuLayout(frame.width, frame.height, frame.components)
  const interval = found.interval ?? fitted?.interval ?? 0
  if (quantisationEstimated) {
    const means = readMeans(data, layout, header, tables, interval)
    estimate(quantisation, frame, means, preview(layout)?.means(layout))
  }
  return {
    picture: {
      start: 0,
      end: further.end,
      segments: [...found.segments, ...further.segments],
      frame,
      quantisation,
      scans: [{ header, tables, interval, start: begin, end: found.end }, ...further.scans],
      ended: further.ended,
    },
    rebuilt,
    sizeEstimated: fitted !== undefined && !fitted.confirmed,
    quantisationEstimated,
    sampleUsed,
  }
}

function completeTables(
  found: Salvage,
  sample: ReadPicture | undefined,
  rebuilt: Rebuilt[],
  sampleUsed: string[],
): HuffmanTables {
  const tables = new HuffmanTables()
  tables.define(STANDARD_HUFFMAN)
  const own = found.tables.all()
  const complete = [0, 1].every((kind) => own.some((spec) => spec.kind === kind))
  if (!complete) {
    const lent = sample?.scans[0].tables.all() ?? []
    tables.define(lent)
    if (lent.length > 0) sampleUsed.push('Huffman tables')
    rebuilt.push({ part: 'Huffman tables', from: lent.length > 0 ? 'sample' : 'standard' })
  }
  tables.define(own)
  return tables
}

function tablesOf(tables: HuffmanTables, header: ScanHeader | undefined, component: number) {
  const own = header?.components[component]
  const id = component === 0 ? 0 : 1
  const dc = tables.decoding(0, own?.dc ?? id)
  const ac = tables.decoding(1, own?.ac ?? id)
  return dc && ac ? { dc, ac } : undefined
}

/** Where the data begin whose scan header is gone. */
function startOf(bytes: Uint8Array, { frame, start, end }: Salvage, tables: HuffmanTables): number {
  if (!frame || frame.marker === SOF2) return start
  const layout = new McuLayout(8, 8, frame.components)
  const blocks = Array.from(layout.componentOf, (component) => tablesOf(tables, undefined, component))
  const known = blocks.filter((entry) => entry !== undefined)
  return known.length < blocks.length ? start : dataStart(bytes, start, end, frame, known)
}

function bothWays({ width, height }: FrameHeader): SizeHint[] {
  return [
    { width, height },
    { width: height, height: width },
  ]
}

function frameOf(fitted: FittedFrame, found: Salvage, sample: ReadPicture | undefined): FrameHeader {
  const { width, height } = fitted
  const ids = found.header?.components.map(({ id }) => id) ?? sample?.frame.components.map(({ id }) => id)
  const lone = found.quantisation.filter((table) => table !== undefined).length === 1
  const components = fitted.components.map((component, index) => ({
    ...component,
    id: ids && ids.length === fitted.components.length ? ids[index] : component.id,
    table: lone ? found.quantisation.findIndex((table) => table !== undefined) : component.table,
  }))
  return { marker: SOF0, precision: 8, width, height, components }
}

/** The scans behind the first, where there may be some, and where the picture ends. */
function furtherScans(
  bytes: Uint8Array,
  { header, quantisation, tables, interval, end }: Salvage,
  frame: FrameHeader,
): Pick<ReadPicture, 'segments' | 'scans' | 'end' | 'ended'> {
  const single = frame.marker !== SOF2 && (!header || header.components.length === frame.components.length)
  if (single) return { segments: [], scans: [], end, ended: end + 1 < bytes.length }
  const reading = {
    segments: [],
    quantisation: [...quantisation],
    tables: tables.copy(),
    scans: [],
    frame,
    interval: interval ?? 0,
  }
  return { ...readOn(bytes, end, reading), segments: reading.segments, scans: reading.scans }
}

/** The first scan of a progressive picture: DC of all components, without the bits that further scans bring. */
function firstScanOf(frame: FrameHeader, further: readonly ReadScan[]): ScanHeader {
  const refined = further.map(({ header }) => header).filter(({ first, high }) => first === 0 && high > 0)
  return { ...scanOf(frame), last: 0, low: Math.max(0, ...refined.map(({ high }) => high)) }
}

function scanOf({ components }: FrameHeader): ScanHeader {
  return {
    components: components.map(({ id }, index) => ({ id, dc: Math.min(index, 1), ac: Math.min(index, 1) })),
    first: 0,
    last: LAST_COEFFICIENT,
    high: 0,
    low: 0,
  }
}

/** Mean quantised DC of each MCU that can be read from the start, by component. */
interface QuantisedMeans {
  readonly count: number
  readonly components: readonly Float32Array[]
}

/**
 * Tables for the numbers that have none: of the quality whose step of DC makes the picture as bright as its preview, or, without one, reach as
 * far from grey as photos do.
 */
function estimate(
  quantisation: (Uint16Array | undefined)[],
  frame: FrameHeader,
  means: QuantisedMeans,
  preview: MeanPlanes | undefined,
): void {
  const missing = frame.components.flatMap(({ table }, component) =>
    quantisation[table] ? [] : [{ table, component }],
  )
  if (missing.length === 0) return
  const [{ table: luminance }] = frame.components
  const step =
    quantisation[luminance]?.[0] ??
    told(preview, means, 0) ??
    stepByRange(Int32Array.from(means.components[0]))
  const quality = qualityOfStep(0, step)
  for (const { table, component } of missing) {
    if (quantisation[table]) continue
    const which = component === 0 ? 0 : 1
    const own = component === 0 ? step : told(preview, means, component)
    const values = scaledTable(which, own === undefined ? quality : qualityOfStep(which, own))
    if (own !== undefined) values[0] = Math.max(1, Math.round(own))
    quantisation[table] = values
  }
}

/** The step of DC that a preview tells of a component; undefined without one, or where nothing varies. */
function told(preview: MeanPlanes | undefined, means: QuantisedMeans, component: number): number | undefined {
  const plane = preview?.planes[component]
  return plane && stepByPreview(means.components[component].subarray(0, means.count), plane)
}

function readMeans(
  data: EntropyData,
  layout: McuLayout,
  header: ScanHeader,
  tables: HuffmanTables,
  interval: number,
): QuantisedMeans {
  const components = layout.components.map(() => new Float32Array(layout.mcuCount))
  const blocks = Array.from(layout.componentOf, (component) => tablesOf(tables, header, component))
  const known = blocks.filter((entry) => entry !== undefined)
  if (known.length < blocks.length) return { count: 0, components }
  const reader = new McuReader(data.bytes, data.length, known)
  const mcu = new Int16Array(layout.mcuLength)
  const predicted = new Float32Array(components.length)
  let count = 0
  for (let at = 0; count < layout.mcuCount; count++) {
    if (interval > 0 && count % interval === 0) {
      at = Math.ceil(at / 8) * 8
      predicted.fill(0)
    }
    mcu.fill(0)
    at = reader.read(at, mcu, 0)
    if (at < 0) break
    layout.componentOf.forEach((component, block) => {
      const { h, v } = layout.components[component]
      predicted[component] += mcu[block * BLOCK_COEFFICIENTS]
      components[component][count] += predicted[component] / (h * v)
    })
  }
  return { count, components }
}
