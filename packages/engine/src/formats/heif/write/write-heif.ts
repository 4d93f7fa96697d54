import { RangeWriter } from '../../../bytes/range-writer.ts'
import type { ByteReader } from '../../../bytes/reader.ts'
import type { Region } from '../../../bytes/regions.ts'
import type { ByteSink } from '../../../bytes/sink.ts'
import type { Monitor } from '../../../model/monitor.ts'
import { type Box, boxBytes } from '../../../syntax/iso-boxes/box.ts'
import { BoxWriter } from '../../../syntax/iso-boxes/box-writer.ts'
import { boxesBeside } from '../read/boxes-beside.ts'
import type { HeifMeta, Item } from '../read/meta.ts'
import { withoutSequences } from './file-type.ts'

/** An item as it is to be written, with the place of its bytes in the damaged file; those of the `idat` box keep theirs. */
export interface PlacedItem {
  readonly item: Item
  readonly places: readonly Region[]
  /** In place of those bytes, where they lie in one place. */
  readonly bytes?: Uint8Array
}

/** Where structures come from: the damaged file itself, or a sample. */
export interface Structures {
  readonly reader: ByteReader
  readonly meta: HeifMeta
  readonly fileType: Uint8Array
  /** In place of the `idat` box among them. */
  readonly idat?: Uint8Array
  /** In place of the `ipco` box among them. */
  readonly ipco?: PropertyBoxes
}

/** An `ipco` box, and the types of the properties in it. */
export interface PropertyBoxes {
  readonly box: Uint8Array
  readonly types: readonly string[]
}

/** Largest structure that is taken over. */
const MOST_STRUCTURE = 16 * 1024 * 1024
const LONG_HEADER = 16

/** What a file that was written lacks. */
export interface Written {
  /** The damaged file ends within a box beside its pictures, which was left out. */
  readonly besideCut: boolean
}

/**
 * Writes a file of these items: type, a `meta` box made anew, the items' bytes, each once, in one `mdat`, and behind them as they
 * are the boxes that stand beside the pictures in the damaged file, `payload`.
 * @throws EnvironmentError, AbortedError
 */
export async function writeHeif(
  structures: Structures,
  items: readonly PlacedItem[],
  payload: ByteReader,
  sink: ByteSink,
  monitor: Monitor,
): Promise<Written> {
  const placed = new Map<string, number>()
  const ranges: (Region & Pick<PlacedItem, 'bytes'>)[] = []
  let total = 0
  for (const { item, places, bytes } of items) {
    if (item.inside) continue
    for (const place of places) {
      const key = `${place.offset} ${place.length}`
      if (placed.has(key)) continue
      placed.set(key, total)
      ranges.push(bytes ? { ...place, bytes } : place)
      total += place.length
    }
  }
  const fileType = withoutSequences(structures.fileType)
  const base = fileType.length + metaBytes(structures, items, () => 0).length + LONG_HEADER
  const meta = metaBytes(
    structures,
    items,
    ({ offset, length: bytes }) => base + (placed.get(`${offset} ${bytes}`) ?? 0),
  )
  const picturesEnd = ranges.reduce((end, { offset, length }) => Math.max(end, offset + length), 0)
  const beside = boxesBeside(payload, picturesEnd)
  const whole = beside.places.reduce((sum, place) => sum + place.length, base + total)
  const writer = new RangeWriter(payload, sink, monitor, whole)
  writer.write(fileType)
  writer.write(meta)
  const header = new BoxWriter()
  header.u32(1)
  header.fourcc('mdat')
  header.i64(LONG_HEADER + total)
  writer.write(header.bytes())
  for (const { offset, length, bytes } of ranges)
    if (bytes) writer.write(bytes)
    else await writer.copy(offset, length)
  for (const { offset, length } of beside.places) await writer.copy(offset, length)
  await writer.end()
  return { besideCut: beside.cut }
}

/** The `meta` box, ISO/IEC 14496-12:2022 §8.11.1. */
function metaBytes(
  { reader, meta, idat, ipco }: Structures,
  items: readonly PlacedItem[],
  offsetOf: (place: Region) => number,
): Uint8Array {
  const writer = new BoxWriter()
  const kept = new Set(items.map(({ item }) => item.id))
  const types = ipco?.types ?? meta.properties.map(({ type }) => type)
  const verbatim = (box: Box | undefined): void => {
    if (box) writer.raw(boxBytes(reader, box, MOST_STRUCTURE))
  }
  writer.fullBox('meta', 0, 0, () => {
    verbatim(meta.handler)
    writer.fullBox('pitm', 1, 0, () => writer.u32(meta.primary))
    writer.fullBox('iinf', 1, 0, () => {
      writer.u32(items.length)
      for (const { item } of items) verbatim(item.entry)
    })
    writer.fullBox('iref', 1, 0, () => {
      for (const { type, from, to } of meta.references) {
        const left = to.filter((id) => kept.has(id))
        if (!kept.has(from) || left.length === 0) continue
        writer.box(type, () => {
          writer.u32(from)
          writer.u16(left.length)
          for (const id of left) writer.u32(id)
        })
      }
    })
    writer.box('iprp', () => {
      if (ipco) writer.raw(ipco.box)
      else verbatim(meta.ipco)
      writer.fullBox('ipma', 1, 1, () => {
        const described = items.filter(({ item }) => item.properties.length > 0)
        writer.u32(described.length)
        for (const { item } of described) {
          writer.u32(item.id)
          writer.u8(item.properties.length)
          // what decoders cannot do without is marked as such: how it is coded, and how it is turned
          for (const number of item.properties) {
            const type = types[number - 1] ?? ''
            writer.u16(number | (ESSENTIAL.has(type) ? 0x8000 : 0))
          }
        }
      })
    })
    if (idat) writer.raw(idat)
    else verbatim(meta.idat)
    writer.fullBox('iloc', 2, 0, () => {
      writer.u16(0x8800)
      writer.u32(items.length)
      for (const { item, places } of items) {
        writer.u32(item.id)
        writer.u16(item.inside ? 1 : 0)
        writer.u16(0)
        const parts = item.inside ? item.extents : places
        writer.u16(parts.length)
        for (const part of parts) {
          writer.i64(item.inside ? part.offset : offsetOf(part))
          writer.i64(part.length)
        }
      }
    })
  })
  return writer.bytes().slice()
}

const ESSENTIAL: ReadonlySet<string> = new Set(['hvcC', 'av1C', 'irot', 'imir', 'clap', 'lsel'])
