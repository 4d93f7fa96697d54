import { entropyData } from '../../../codecs/jpeg/entropy-data.ts'
import { McuLayout } from '../../../codecs/jpeg/mcu-layout.ts'
import { McuReader } from '../../../codecs/jpeg/mcu-reader.ts'
import { STANDARD_HUFFMAN } from '../../../codecs/jpeg/standard-tables.ts'
import { HuffmanTables } from '../../../codecs/jpeg/tables.ts'
import type { PictureReport } from '../../../model/photo.ts'
import { qualityOfStep, scaledTable, stepByRange } from '../../../photo/estimate-quantisation.ts'
import { type FittedFrame, fitFrame, type SizeHint } from '../../../photo/fit-frame.ts'
import type { FrameHeader } from '../../../syntax/jpeg-markers/frame.ts'
import { SOF0, SOF2 } from '../../../syntax/jpeg-markers/markers.ts'
import type { ScanHeader } from '../../../syntax/jpeg-markers/scan-header.ts'
import type { ReadPicture } from '../read/read-picture.ts'
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
/** Bytes that may lie between the last table and the data where the scan header was overwritten: its length for 3, 1 and 4 components, or it was cut out. */
const LOST_HEADER_BYTES = [0, 14, 10, 16]
/** MCUs read to tell where the data begin. */
const TRIAL_MCUS = 400

/** Completes what survives of a picture's header from the standard's tables, a sample, and by fitting. Undefined when nothing fits. */
export function complete(
  bytes: Uint8Array,
  found: Salvage,
  hints: readonly SizeHint[],
  sample: ReadPicture | undefined,
): Completed | undefined {
  const rebuilt: Rebuilt[] = []
  const sampleUsed: string[] = []
  const tables = completeTables(found, sample, rebuilt, sampleUsed)
  const begin = found.header ? found.start : dataStart(bytes, found, tables)
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
  const header = found.header ?? scanOf(frame)
  if (!found.header) rebuilt.push({ part: 'scan header', from: 'standard' })
  if (frame.marker === SOF2 && !found.header) return undefined
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
  if (quantisationEstimated) estimate(quantisation, frame, () => luminanceDc(data, layout, header, tables))
  const interval = found.interval ?? fitted?.interval ?? 0
  return {
    picture: {
      start: 0,
      end: found.end,
      segments: found.segments,
      frame,
      quantisation,
      scans: [{ header, tables, interval, start: begin, end: found.end }],
      ended: found.end + 1 < bytes.length,
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

/** Where the data begin when the scan header is gone: where most MCUs can be read. */
function dataStart(bytes: Uint8Array, found: Salvage, tables: HuffmanTables): number {
  let best = found.start
  let most = -1
  const layout = found.frame && new McuLayout(8, 8, found.frame.components)
  if (!layout) return best
  const blocks = Array.from(layout.componentOf, (component) => tablesOf(tables, undefined, component))
  const known = blocks.filter((entry) => entry !== undefined)
  if (known.length < blocks.length) return best
  const mcu = new Int16Array(layout.mcuLength)
  for (const skipped of LOST_HEADER_BYTES) {
    const data = entropyData(
      bytes,
      found.start + skipped,
      Math.min(found.end, found.start + (1 << 18)),
      () => false,
    )
    const reader = new McuReader(data.bytes, data.length, known)
    let at = 0
    let count = 0
    while (count < TRIAL_MCUS) {
      at = reader.read(at, mcu, 0)
      if (at < 0) break
      count++
    }
    if (count > most) {
      most = count
      best = found.start + skipped
    }
  }
  return best
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

function scanOf({ components }: FrameHeader): ScanHeader {
  return {
    components: components.map(({ id }, index) => ({ id, dc: Math.min(index, 1), ac: Math.min(index, 1) })),
    first: 0,
    last: LAST_COEFFICIENT,
    high: 0,
    low: 0,
  }
}

/** Tables for the numbers that have none, of the quality that the picture's range of brightness speaks for. */
function estimate(
  quantisation: (Uint16Array | undefined)[],
  frame: FrameHeader,
  values: () => Int32Array,
): void {
  const missing = frame.components.filter(({ table }) => !quantisation[table])
  if (missing.length === 0) return
  const first = quantisation[frame.components[0].table]
  const quality = qualityOfStep(first ? first[0] : stepByRange(values()))
  for (const { table } of missing) {
    quantisation[table] ??= scaledTable(table === frame.components[0].table ? 0 : 1, quality)
  }
}

/** DC of the first block of each MCU that can be read from the start. */
function luminanceDc(
  data: ReturnType<typeof entropyData>,
  layout: McuLayout,
  header: ScanHeader,
  tables: HuffmanTables,
): Int32Array {
  const blocks = Array.from(layout.componentOf, (component) => tablesOf(tables, header, component))
  const known = blocks.filter((entry) => entry !== undefined)
  if (known.length < blocks.length) return new Int32Array(0)
  const reader = new McuReader(data.bytes, data.markers[0]?.at ?? data.length, known)
  const mcu = new Int16Array(layout.mcuLength)
  const values: number[] = []
  let predicted = 0
  for (let at = 0; values.length < layout.mcuCount; ) {
    mcu.fill(0)
    at = reader.read(at, mcu, 0)
    if (at < 0) break
    for (let block = 0; layout.componentOf[block] === 0; block++) predicted += mcu[block * 64]
    values.push(predicted)
  }
  return Int32Array.from(values)
}
