import type { PictureReport } from '../../../model/photo.ts'
import { scaledTable } from '../../../photo/frame/estimate-quantisation.ts'
import { type MendedSteps, mendSteps } from '../../../photo/frame/hit-steps.ts'
import { KNOWN_TABLES } from '../../../photo/frame/known-tables.ts'
import { spreadsInSteps } from '../../../photo/frame/spectrum.ts'
import type { MendedPicture } from '../../../photo/picture/picture.ts'
import { DQT } from '../../../syntax/jpeg-markers/markers.ts'
import {
  type QuantisationTable,
  readQuantisation,
  writeQuantisation,
} from '../../../syntax/jpeg-markers/quantisation.ts'
import type { ReadPicture } from '../read/read-picture.ts'

/** Quantisation tables of which values were hit, put right in the file's bytes. */
export interface HitTables {
  readonly bytes: Uint8Array
  /** Of the first segment that changed. */
  readonly offset: number
  readonly length: number
  readonly changed: number
  readonly proven: boolean
  readonly from: PictureReport['rebuilt'][number]['from']
}

/** Tables that encoders scale by quality, and those of cameras. */
const WRITTEN: readonly Uint16Array[] = [
  ...Array.from({ length: 100 }, (_, i) => [scaledTable(0, i + 1), scaledTable(1, i + 1)]).flat(),
  ...KNOWN_TABLES.flatMap(({ luminance, chrominance }) => [luminance, chrominance]),
]

/**
 * The tables of a picture that was read whole in which single values, or a stretch of them, contradict all others and the picture
 * itself; undefined where none do.
 */
export function hitTables(
  bytes: Uint8Array,
  { quantisation, segments }: ReadPicture,
  { source, layout }: MendedPicture,
  sample: ReadPicture | undefined,
): HitTables | undefined {
  const lent = (sample?.quantisation ?? []).filter((table) => table !== undefined)
  const mended = new Map<number, MendedSteps>()
  for (const number of new Set(layout.components.map(({ table }) => table))) {
    const table = quantisation[number]
    if (!table || isOf(WRITTEN, table) || isOf(lent, table)) continue
    const others = quantisation.filter((other) => other !== undefined).filter((other) => other !== table)
    const steps = mendSteps(table, [...WRITTEN, ...lent, ...others], () =>
      spreadsInSteps(source, layout, number),
    )
    if (steps) mended.set(number, steps)
  }
  if (mended.size === 0) return undefined
  const out = Uint8Array.from(bytes)
  const hit = segments.filter(({ marker, offset, body }) => {
    if (marker !== DQT) return false
    const tables = readQuantisation(body) ?? []
    // a number may stand for several tables, one after the other
    const isHit = ({ id, values }: QuantisationTable): boolean => {
      const own = quantisation[id]
      return mended.has(id) && own !== undefined && isOf([own], values)
    }
    const right = tables.map((table) =>
      isHit(table) ? { ...table, values: mended.get(table.id)?.values ?? table.values } : table,
    )
    out.set(writeQuantisation(right), offset + HEADER)
    return tables.some(isHit)
  })
  const all = [...mended.values()]
  const proven = all.every((steps) => steps.proven)
  return {
    bytes: out,
    offset: hit[0].offset,
    length: hit[0].end - hit[0].offset,
    changed: all.reduce((sum, { changed }) => sum + changed, 0),
    proven,
    from: proven ? sourceOf(all, lent) : 'fitted',
  }
}

/** Where proven tables are from: encoders write them all, a sample has them, or else the file itself. */
function sourceOf(all: readonly MendedSteps[], lent: readonly Uint16Array[]): HitTables['from'] {
  if (all.every(({ values }) => isOf(WRITTEN, values))) return 'standard'
  return all.some(({ values }) => isOf(lent, values)) ? 'sample' : 'file'
}

function isOf(tables: readonly Uint16Array[], table: Uint16Array): boolean {
  return tables.some((other) => other.every((value, i) => value === table[i]))
}

/** Bytes of a segment's marker and length. */
const HEADER = 4
