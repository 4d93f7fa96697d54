import { type EntropyData, entropyData } from '../../../codecs/jpeg/entropy-data.ts'
import { FIXED_HUFFMAN } from '../../../codecs/jpeg/fixed-tables.ts'
import { STANDARD_HUFFMAN } from '../../../codecs/jpeg/standard-tables.ts'
import { HuffmanTables } from '../../../codecs/jpeg/tables.ts'
import type { PictureReport } from '../../../model/photo.ts'
import { SAMPLINGS } from '../../../photo/frame/fit-frame.ts'
import { type Reading, readWith } from '../../../photo/frame/scan-reading.ts'
import { sizeByCount } from '../../../photo/frame/size-by-count.ts'
import type { FrameComponent, FrameHeader } from '../../../syntax/jpeg-markers/frame.ts'
import { SOF0, SOF1 } from '../../../syntax/jpeg-markers/markers.ts'
import type { ScanHeader } from '../../../syntax/jpeg-markers/scan-header.ts'
import { exifOf } from '../read/exif.ts'
import type { ReadPicture } from '../read/read-picture.ts'
import { type Salvage, salvage } from './salvage.ts'
import { bothWays, scanOf, tablesOf } from './usual-headers.ts'

/** A header of which some parts are others than it tells: those by which its scan can be read whole. */
export interface Overruled {
  readonly found: Salvage
  readonly rebuilt: PictureReport['rebuilt']
  /** How the header contradicts its scan. */
  readonly contradiction: string
  /** Nothing but the number of MCUs tells the size. */
  readonly sizeEstimated: boolean
  /** The header is likely that of another photo. */
  readonly foreign: boolean
}

/** Bytes of a scan below which other tables read it to its end by chance: that they do proves nothing. */
const LEAST_SCAN = 64

type From = PictureReport['rebuilt'][number]['from']

/** Tables and a scan header that names them. */
interface Coding {
  readonly tables: HuffmanTables
  readonly header: ScanHeader
  /** Undefined for those of the file. */
  readonly from: From | undefined
}

/**
 * Overrules a header whose scan can be read to its very end with other tables, sampling or restart interval, or in as many MCUs
 * as another size has. The scan must be closed by an end of image and be one of all components. Undefined where the header
 * agrees, or no other is as good as proven.
 */
export function overrule(
  bytes: Uint8Array,
  picture: ReadPicture,
  sample: ReadPicture | undefined,
): Overruled | undefined {
  const { frame, scans, ended } = picture
  const [scan] = scans
  const sequential = frame.marker === SOF0 || frame.marker === SOF1
  const { length } = frame.components
  if (!ended || !sequential || scans.length > 1 || scan.header.components.length !== length) return undefined
  if (scan.end - scan.start < LEAST_SCAN) return undefined
  const data = entropyData(bytes, scan.start, scan.end, () => false)
  const read = wholeReading(data, frame, codingsOf(picture, sample))
  if (!read) return undefined
  const { reading, coding } = read
  const exif = exifOf(picture)
  const stated = exif?.width && exif.height ? bothWays({ width: exif.width, height: exif.height }) : []
  const lent = sample ? bothWays(sample.frame) : []
  const size = sizeByCount(reading, frame, [...stated, ...lent])
  if (!size) return undefined
  const found = salvage(bytes)
  if (!found?.header || found.start !== scan.start) return undefined
  const parts: string[] = []
  if (size.by !== 'frame') parts.push('size')
  if (reading.components.some(({ h, v }, i) => h !== frame.components[i].h || v !== frame.components[i].v))
    parts.push('sampling')
  if (coding.header !== scan.header) parts.push('choice of tables')
  if (coding.from) parts.push('Huffman tables')
  if (reading.interval !== scan.interval && data.restarts.count > 0) parts.push('restart interval')
  if (parts.length === 0) return undefined
  const { width, height } = size
  const isOf = (others: readonly { width: number; height: number }[]): boolean =>
    others.some((other) => other.width === width && other.height === height)
  const rebuilt: Overruled['rebuilt'][number][] = []
  if (parts.includes('size') || parts.includes('sampling'))
    rebuilt.push({ part: 'frame header', from: 'fitted' })
  if (parts.includes('choice of tables')) rebuilt.push({ part: 'scan header', from: 'standard' })
  if (coding.from) rebuilt.push({ part: 'Huffman tables', from: coding.from })
  const foreign = size.by === 'scan' || (size.by === 'told' && !isOf(stated))
  return {
    found: {
      ...found,
      frame: { ...frame, width, height, components: reading.components },
      header: coding.header,
      tables: coding.tables,
      interval: data.restarts.count > 0 ? reading.interval : scan.interval,
      quantisationWhole: found.quantisationWhole && !foreign,
    },
    rebuilt,
    contradiction: `the header contradicts its scan, which reads whole with another: ${parts.join(', ')}`,
    sizeEstimated: size.by === 'scan' || size.by === 'bit',
    foreign,
  }
}

/** Tables of the file as its scan header names them, as encoders do, and others' behind them. */
function codingsOf({ frame, scans }: ReadPicture, sample: ReadPicture | undefined): Coding[] {
  const [{ tables, header }] = scans
  const usual = scanOf(frame)
  const named = usual.components.every(
    ({ dc, ac }, i) => dc === header.components[i].dc && ac === header.components[i].ac,
  )
  const others = [
    ...(sample ? [{ specs: sample.scans[0].tables.all(), from: 'sample' } as const] : []),
    ...FIXED_HUFFMAN.map(
      (specs) => ({ specs, from: specs === STANDARD_HUFFMAN ? 'standard' : 'fitted' }) as const,
    ),
  ]
  return [
    { tables, header, from: undefined },
    ...(named ? [] : [{ tables, header: usual, from: undefined }]),
    ...others.map(({ specs, from }) => {
      const own = new HuffmanTables()
      own.define(specs)
      return { tables: own, header: named ? header : usual, from }
    }),
  ]
}

/**
 * The first reading to the very end of the data: with the header's sampling and tables, or with other sampling, or with other
 * tables.
 */
function wholeReading(
  data: EntropyData,
  frame: FrameHeader,
  codings: readonly Coding[],
): { readonly reading: Reading; readonly coding: Coding } | undefined {
  for (const coding of codings) {
    const tables = (component: number) => tablesOf(coding.tables, coding.header, component)
    const own = readWith(data, frame.components, tables)
    if (own?.whole) return { reading: own, coding }
    const others = SAMPLINGS.filter(({ length }) => length === frame.components.length)
      .map((components) =>
        components.map(({ h, v }, i): FrameComponent => ({ ...frame.components[i], h, v })),
      )
      .flatMap((components) => readWith(data, components, tables) ?? [])
      .filter(({ whole }) => whole)
    if (others.length > 0) return { reading: others.reduce((a, b) => (b.jump < a.jump ? b : a)), coding }
  }
  return undefined
}
