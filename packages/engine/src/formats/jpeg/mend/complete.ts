import { type EntropyData, entropyData, offsetOf } from '../../../codecs/jpeg/entropy-data.ts'
import { FIXED_HUFFMAN } from '../../../codecs/jpeg/fixed-tables.ts'
import { McuLayout } from '../../../codecs/jpeg/mcu-layout.ts'
import { STANDARD_HUFFMAN } from '../../../codecs/jpeg/standard-tables.ts'
import { HuffmanTables } from '../../../codecs/jpeg/tables.ts'
import type { PictureReport } from '../../../model/photo.ts'
import { type FittedFrame, fitFrame, type SizeHint } from '../../../photo/frame/fit-frame.ts'
import { withoutPadding } from '../../../photo/frame/padding.ts'
import { onlyOf, type Preview } from '../../../photo/preview/preview.ts'
import type { FrameHeader } from '../../../syntax/jpeg-markers/frame.ts'
import { EOI, isRestart, SOF0, SOF2 } from '../../../syntax/jpeg-markers/markers.ts'
import type { ScanHeader } from '../../../syntax/jpeg-markers/scan-header.ts'
import { type ReadPicture, type ReadScan, readOn } from '../read/read-picture.ts'
import { type DataStart, dataStart } from './data-start.ts'
import { isReadable, likeliestTables } from './find-huffman.ts'
import { findTables } from './find-tables.ts'
import { isTooLarge } from './mend-picture.ts'
import type { Overruled } from './overrule.ts'
import type { Salvage } from './salvage.ts'
import { aroundGrey, bestTrial } from './trial.ts'
import { bothWays, scanOf, tablesOf } from './usual-headers.ts'

/** A picture whose header was completed, and what of it is not its own. */
export interface Completed {
  readonly picture: ReadPicture
  readonly rebuilt: PictureReport['rebuilt']
  readonly sizeEstimated: boolean
  readonly quantisationEstimated: boolean
  /** Where the data begin is known, */
  readonly startSure: boolean
  /** or they begin with the picture's first MCU, as far as can be told: the levels that all others build on. */
  readonly levelsSure: boolean
  /** The front of its data is gone, and what is left goes on from levels that nothing tells. */
  readonly frontLost: boolean
  /** The sample served. */
  readonly sampleUsed: readonly string[]
}

type Rebuilt = PictureReport['rebuilt'][number]

/**
 * Completes what survives of a picture's header from the standard's tables, a sample, and by fitting. `unreadable` when no tables
 * read the data, undefined when nothing fits.
 */
export function complete(
  bytes: Uint8Array,
  found: Salvage,
  hints: readonly SizeHint[],
  sample: ReadPicture | undefined,
  previews: (layout: McuLayout) => readonly Preview[],
  overruled?: Overruled,
): Completed | 'unreadable' | undefined {
  const rebuilt: Rebuilt[] = [...(overruled?.rebuilt ?? [])]
  const sampleUsed: string[] = []
  const tables = completeTables(bytes, found, sample, rebuilt, sampleUsed)
  if (!tables) return 'unreadable'
  let { start: begin, sure } = startOf(bytes, found, tables)
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
      begin - (found.segments.at(-1)?.end ?? 0),
    )
    if (!fitted) return undefined
    frame = frameOf(fitted, found, sample)
    if (fitted.start > 0) begin = offsetOf(bytes, begin, fitted.start)
    rebuilt.push({ part: 'frame header', from: 'fitted' })
  }
  if (!found.header) rebuilt.push({ part: 'scan header', from: 'standard' })
  const further = furtherScans(bytes, found, frame)
  const header =
    (found.header && inFrame(found.header, frame)) ??
    (frame.marker === SOF2 ? firstScanOf(frame, further.scans) : scanOf(frame))
  const interval = found.interval ?? fitted?.interval ?? 0
  const scans = [{ header, tables, interval, start: begin, end: found.end }, ...further.scans]
  let size = { width: frame.width, height: frame.height }
  const quantisation = [...found.quantisation]
  const missing = frame.components.some(({ table }) => !quantisation[table])
  // what is too large is refused, whatever its tables were
  if ((missing || (fitted && !fitted.confirmed)) && !isTooLarge(frame)) {
    const layout = new McuLayout(frame.width, frame.height, frame.components)
    const from = fitted?.frontLost ? startsBehind(bytes, begin, data, fitted.inStep) : [begin]
    const trials = from.map((start) => ({ ...scans[0], start }))
    const read = bestTrial(bytes, layout, trials, scans.slice(1), frame.marker === SOF2)
    const trial = fitted?.frontLost && data.restarts.count === 0 ? aroundGrey(read) : read
    const { table } = frame.components[0]
    const estimated = !quantisation[table]
    if (missing) {
      const from = findTables(
        quantisation,
        sample?.quantisation,
        trial,
        onlyOf(previews(layout))?.means(layout),
      )
      rebuilt.push({ part: 'quantisation tables', from })
      if (from === 'sample') sampleUsed.push('quantisation tables')
    }
    const steps = quantisation[table]
    if (fitted && !fitted.hinted && trial.whole && steps)
      size = withoutPadding({ layout, coefficients: trial.coefficients, steps, estimated })
  }
  return {
    picture: {
      start: 0,
      end: further.end,
      segments: [...found.segments, ...further.segments],
      frame: { ...frame, ...size },
      quantisation,
      scans,
      ended: further.ended,
    },
    rebuilt,
    sizeEstimated: overruled?.sizeEstimated || (fitted !== undefined && !fitted.confirmed),
    quantisationEstimated: missing || !found.quantisationWhole,
    startSure: sure,
    levelsSure: sure || !fitted || fitted.fromFirst,
    frontLost: fitted?.frontLost ?? false,
    sampleUsed,
  }
}

/** Bytes of data at which MCUs are looked for where they are read in step: one of them begins there, or soon behind. */
const TRIAL_STARTS = 4

/** Where a scan without its front may be read from: behind its first restart marker, or places from which on it is in step. */
function startsBehind(bytes: Uint8Array, begin: number, data: EntropyData, inStep: number): number[] {
  const { restarts } = data
  if (restarts.count > 0) {
    // what stands behind one numbered 7 is numbered as a scan's start is, ITU-T T.81 §E.1.4
    const numbers = Array.from({ length: Math.min(restarts.count, 8) }, (_, i) => restarts.code(i) & 7)
    const marker = offsetOf(bytes, begin, restarts.at(Math.max(0, numbers.indexOf(7))))
    return [isRestart(bytes[marker + 1]) ? marker + 2 : marker]
  }
  return Array.from({ length: TRIAL_STARTS }, (_, i) => offsetOf(bytes, begin, inStep + i))
}

/**
 * Tables of the file itself; where one of them is gone, those among a sample's and such as encoders write into every file by
 * which the data can be read. Undefined where none do: then they were made for this photo.
 */
function completeTables(
  bytes: Uint8Array,
  found: Salvage,
  sample: ReadPicture | undefined,
  rebuilt: Rebuilt[],
  sampleUsed: string[],
): HuffmanTables | undefined {
  const own = found.tables.all()
  if ([0, 1].every((kind) => own.some((spec) => spec.kind === kind))) {
    const tables = new HuffmanTables()
    tables.define(STANDARD_HUFFMAN)
    tables.define(own)
    return tables
  }
  const lent = sample?.scans[0].tables.all() ?? []
  const sets = (lent.length > 0 ? [lent, ...FIXED_HUFFMAN] : FIXED_HUFFMAN).map((specs) => {
    const tables = new HuffmanTables()
    for (const each of [STANDARD_HUFFMAN, specs, own]) tables.define(each)
    return {
      tables,
      from: specs === lent ? 'sample' : specs === STANDARD_HUFFMAN ? 'standard' : 'fitted',
    } as const
  })
  const { frame, header } = found
  const data = entropyData(bytes, found.start, found.end, () => false)
  const choices = sets.map((set) => (component: number) => tablesOf(set.tables, header, component))
  const progressive = frame?.marker === SOF2
  const index = progressive ? 0 : likeliestTables(data, choices, frame?.components)
  if (!progressive && !isReadable(data, choices[index], frame?.components)) return undefined
  const { tables, from } = sets[index]
  if (from === 'sample') sampleUsed.push('Huffman tables')
  rebuilt.push({ part: 'Huffman tables', from })
  return tables
}

/** Where the data begin. */
function startOf(
  bytes: Uint8Array,
  { frame, header, quantisation, start, end }: Salvage,
  tables: HuffmanTables,
): DataStart {
  if (header) return { start, sure: true }
  if (!frame || frame.marker === SOF2) return { start, sure: false }
  const layout = new McuLayout(8, 8, frame.components)
  const blocks = Array.from(layout.componentOf, (component) => tablesOf(tables, undefined, component))
  const known = blocks.filter((entry) => entry !== undefined)
  const steps = layout.components.map(({ table }) => quantisation[table]?.[0])
  return known.length < blocks.length
    ? { start, sure: false }
    : dataStart(bytes, start, end, frame, known, steps)
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
  if (single) {
    const closed = bytes[end] === 0xff && bytes[end + 1] === EOI
    return { segments: [], scans: [], end: closed ? end + 2 : end, ended: end + 1 < bytes.length }
  }
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

/** A scan header with the frame's names of its components, in order, where it has others of as many. */
function inFrame(header: ScanHeader, { components }: FrameHeader): ScanHeader {
  const foreign = header.components.some(({ id }) => components.every((component) => component.id !== id))
  if (!foreign || header.components.length !== components.length) return header
  return { ...header, components: header.components.map((own, i) => ({ ...own, id: components[i].id })) }
}

/** The first scan of a progressive picture: DC of all components, without the bits that further scans bring. */
function firstScanOf(frame: FrameHeader, further: readonly ReadScan[]): ScanHeader {
  const refined = further.map(({ header }) => header).filter(({ first, high }) => first === 0 && high > 0)
  return { ...scanOf(frame), last: 0, low: Math.max(0, ...refined.map(({ high }) => high)) }
}
