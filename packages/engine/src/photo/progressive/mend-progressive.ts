import { BLOCK_COEFFICIENTS, type LayoutComponent, type McuLayout } from '../../codecs/jpeg/mcu-layout.ts'
import { BandReader, DcReader } from '../../codecs/jpeg/progressive-readers.ts'
import type { ScanHeader } from '../../syntax/jpeg-markers/scan-header.ts'
import type { Section } from '../reading/pieces.ts'
import { bandSigns } from './band-signs.ts'
import { BlockEdges } from './block-edges.ts'
import { type PlacedUnits, placeLine } from './place-line.ts'
import { readLine, type ScanData } from './read-line.ts'

/** Blocks on either side of where others go on that may be damage's own. */
const DOUBTFUL = 12

/** A first scan of some AC coefficients of one component. */
export interface BandScan {
  readonly data: ScanData
  readonly component: LayoutComponent
  readonly table: Uint16Array
  readonly header: ScanHeader
}

/**
 * Reads a damaged first scan of AC coefficients into `coefficients`, in place of what they hold of them: its blocks go where DC
 * and other bands show them to belong. Sets those of `unknown` to 1 that are left without this detail, of the component's blocks
 * row by row.
 */
export function mendBand(
  { data, component, table, header }: BandScan,
  layout: McuLayout,
  quantisation: ArrayLike<number>,
  coefficients: Int16Array,
  unknown: Uint8Array,
): void {
  const { blocksWide, blocksHigh } = component
  const total = blocksWide * blocksHigh
  const reader = new BandReader(data.bytes, data.length, table, header)
  const offset = (block: number): number =>
    layout.blockOffset(component, block % blocksWide, Math.floor(block / blocksWide))
  for (let block = 0; block < total; block++) {
    const at = offset(block)
    coefficients.fill(0, at + header.first, at + header.last + 1)
  }
  const line = readLine(data, reader, total, BLOCK_COEFFICIENTS)
  const signs = bandSigns(line, reader, header, layout, component, quantisation, coefficients)
  let known = 0
  for (const { first, count, place } of line.count === 0 ? [] : placeLine(line, total, signs)) {
    unknown.fill(1, known, place)
    if (first > 0) unknown.fill(1, Math.max(0, place - DOUBTFUL), place + DOUBTFUL)
    for (let i = 0; i < count; i++) {
      const bit = line.bits[first + i]
      if (bit >= 0) reader.read(bit, coefficients, offset(place + i))
    }
    known = place + count
  }
  unknown.fill(1, known)
}

/** A first scan of DC of all components. */
export interface DcScan {
  readonly data: ScanData
  /** Tables of each block of an MCU. */
  readonly tables: readonly Uint16Array[]
  /** Lowest bits of DC that later scans tell. */
  readonly low: number
}

/** What was read of a damaged first scan of DC. */
export interface MendedDc {
  /** Stretches of the picture that have DC, those whose levels are not known from zero on. */
  readonly stretches: readonly Section[]
  /** What is wrong does not show where it is: levels behind it may be others. */
  readonly hidden: boolean
}

/**
 * Reads a damaged first scan of DC into `coefficients`, which hold what all other scans tell: its MCUs go where that detail shows
 * them to belong.
 */
export function mendDc(
  { data, tables, low }: DcScan,
  layout: McuLayout,
  quantisation: readonly ArrayLike<number>[],
  coefficients: Int16Array,
): MendedDc {
  const { mcuCount, blocksPerMcu } = layout
  const reader = new DcReader(data.bytes, data.length, tables)
  const { count, bits, ...line } = readLine(data, reader, mcuCount, blocksPerMcu)
  if (count === 0) return { stretches: [], hidden: false }
  const differences = new Int16Array(count * blocksPerMcu)
  for (let mcu = 0; mcu < count; mcu++) reader.read(bits[mcu], differences, mcu * blocksPerMcu)
  const edges = new BlockEdges(layout, quantisation)
  const signs = {
    told: edges.told(differences, count, low),
    wanted: edges.wanted(coefficients),
    count: edges.count,
  }
  const placed = placeLine({ count, bits, ...line }, mcuCount, signs)
  for (const each of placed) writeDc(differences, each, layout, low, coefficients)
  const stretches = placed.map((each) => ({
    ...{ first: each.place, count: each.count, known: each.first === 0 && each.place === 0 },
  }))
  // levels are told from others that are known; where none are the first are taken as they are read
  if (stretches.length > 0 && !stretches.some(({ known }) => known))
    stretches[0] = { ...stretches[0], known: true }
  return { stretches, hidden: line.starts.length === 1 }
}

/** A picture whose scans were read. */
export interface DcPlane {
  readonly layout: McuLayout
  readonly quantisation: readonly ArrayLike<number>[]
  readonly coefficients: Int16Array
}

/** Writes DC of MCUs whose differences are given to places of the picture: from zero, without its lowest `low` bits. */
export function writeDc(
  differences: Int16Array,
  { first, count, place }: PlacedUnits,
  { blocksPerMcu, mcuLength, componentOf, components }: McuLayout,
  low: number,
  coefficients: Int16Array,
): void {
  const predicted = new Int32Array(components.length)
  // bits that later scans told are there already
  const told = (1 << low) - 1
  for (let i = 0; i < count; i++) {
    for (let block = 0; block < blocksPerMcu; block++) {
      const component = componentOf[block]
      predicted[component] += differences[(first + i) * blocksPerMcu + block]
      const at = (place + i) * mcuLength + block * BLOCK_COEFFICIENTS
      coefficients[at] = (predicted[component] << low) | (coefficients[at] & told)
    }
  }
}
