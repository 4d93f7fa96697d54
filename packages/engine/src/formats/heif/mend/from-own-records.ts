import type { ByteReader } from '../../../bytes/reader.ts'
import type { RepairJob } from '../../format.ts'
import { sequenceOf } from '../read/av1-record.ts'
import { HevcSymbols, HIT } from '../read/hevc-symbols.ts'
import { knownRecord, knownSize } from '../read/known-records.ts'
import { type LooseRecord, looseProperties, type Size } from '../read/loose-properties.ts'
import { sliceStart } from '../read/nal-items.ts'
import { findAv1Pictures } from './find-av1-pictures.ts'
import { type FoundPicture, findPictures } from './find-pictures.ts'
import type { FromSample } from './found-photo.ts'
import { type Canvas, type Coding, madePhoto } from './made-photo.ts'

/** Tiles beside each other at most, ISO/IEC 23008-12:2022 §6.6.2.3. */
const MOST_TILES = 256
/** The part of pictures that stand in one row, behind each other and coded alike, which a photo's tiles are at least. */
const MAIN_PART = 0.5

/** Pictures in one row, and how they may make a photo. */
interface Layout {
  readonly tiles: readonly FoundPicture[]
  readonly coding: Coding
  readonly canvas: Canvas | undefined
  readonly width: number
  readonly height: number
  /** There is one more picture in the row than the photo has tiles, at least. */
  readonly more: boolean
}

/**
 * A photo whose `meta` box is hit, from what is left in it: how large the photo is, and how pictures are coded. Where either is
 * gone, the beginnings of the pictures tell it if one maker's begin so. The pictures lie in the payload one behind the other,
 * tiles in the order of their rows. The largest photo that they make; undefined where what is left makes none.
 */
export async function fromOwnRecords({ damaged, monitor }: RepairJob): Promise<FromSample | undefined> {
  const { reader } = damaged
  const { records, sizes, colours, turn } = looseProperties(reader)
  const symbols = new HevcSymbols(reader)
  const layouts: Layout[] = []
  let guessed = false
  for (const [codec, find] of FINDERS) {
    const found = await find(reader, monitor)
    const kinds = found.map((picture) => kindOf(reader, picture, codec))
    const alike = longestRow(found, kinds)
    const layoutsOf = (
      row: readonly FoundPicture[],
      record: LooseRecord,
      among: readonly Size[],
    ): readonly Layout[] => {
      const coding = codingOf(reader, record, row[0])
      const made = coding ? among.flatMap((size) => layoutOf(row, coding, size) ?? []) : []
      // a single record is the photo's own, and its pictures were hit
      return made.filter(({ tiles }) => records.length === 1 || !isForeign(symbols, tiles, record))
    }
    // some encoders begin the tiles of a photo in different ways, others put something else between them
    const scattered = found.filter((_, i) => kinds[i] === kinds[found.indexOf(alike[0])])
    const kind = alike[0] && kindOf(reader, alike[0], codec)
    const ofKind = knownRecord(kind)
    // a record for pictures of another size is a smaller version's
    const fitting = records.filter((each) => each.codec === codec && (!ofKind || isOfSize(each, ofKind.size)))
    const [own] = [alike, longestRow(found, []), scattered]
      .map((row) => fitting.flatMap((each) => layoutsOf(row, each, sizes)))
      .filter((each) => each.length > 0)
    const known = own ? undefined : ofKind
    const told = known ? layoutsOf(alike, known, sizes) : []
    const size = known && told.length === 0 ? knownSize(kind, alike.length) : undefined
    guessed ||= size !== undefined
    layouts.push(...(own ?? []), ...told, ...(known && size ? layoutsOf(alike, known, [size]) : []))
  }
  const [largest] = layouts.sort((a, b) => b.width * b.height - a.width * a.height)
  if (!largest) return undefined
  const shown = [colours, turn].flatMap((box) => box ?? [])
  const made = await madePhoto(largest.tiles, largest.coding, largest.canvas, shown)
  const lentCoding =
    largest.coding.codec === 'hvc1' && !records.some(({ config }) => config === largest.coding.config)
  return made && { ...made, guessed: guessed || largest.more, ownSize: !guessed, lentCoding }
}

/** Pictures by which it is told whether they are coded as a record says. */
const READ = 4

/** Whether the shortest of some pictures, read symbol by symbol, are all coded otherwise than a record says. */
function isForeign(
  symbols: HevcSymbols,
  tiles: readonly FoundPicture[],
  { codec, config }: LooseRecord,
): boolean {
  if (codec !== 'hvc1') return false
  const shortest = tiles.toSorted((a, b) => a.length - b.length).slice(0, READ)
  return shortest.every((tile) => tile.whole && HIT.has(symbols.read(tile, config)))
}

function isOfSize({ size }: LooseRecord, other: Size | undefined): boolean {
  return size?.width === other?.width && size?.height === other?.height
}

const FINDERS = [
  ['hvc1', findPictures],
  ['av01', findAv1Pictures],
] as const

/** How a picture begins: its first slice, or the size that it tells itself. */
function kindOf(reader: ByteReader, picture: FoundPicture, codec: Coding['codec']): string | undefined {
  if (codec === 'hvc1') return sliceStart(reader, picture)
  const sequence = sequenceOf(reader, picture)
  return sequence && `${sequence.width}x${sequence.height}`
}

/** The most pictures that lie behind each other, or the longest one, and are of one kind. */
function longestRow(
  found: readonly FoundPicture[],
  kinds: readonly (string | undefined)[],
): readonly FoundPicture[] {
  let row: FoundPicture[] = []
  let best: readonly FoundPicture[] = row
  let last: string | undefined
  for (const [i, picture] of found.entries()) {
    const end = row.at(-1)
    const kind = kinds[i]
    if (!end || end.offset + end.length !== picture.offset || kind !== last) row = []
    row.push(picture)
    last = kind
    const longer = row.length === 1 && best.length === 1 && picture.length > best[0].length
    if (row.length > best.length || longer) best = row
  }
  return best
}

function codingOf(
  reader: ByteReader,
  { codec, config, depth, channels, size }: LooseRecord,
  picture: FoundPicture | undefined,
): Coding | undefined {
  const told = size ?? (picture && sequenceOf(reader, picture))
  return told && { codec, config, depth, channels, width: told.width, height: told.height }
}

/** How a row makes a photo of a size; undefined where it has too few pictures for it, or far more. */
function layoutOf(row: readonly FoundPicture[], coding: Coding, { width, height }: Size): Layout | undefined {
  const columns = Math.ceil(width / coding.width)
  const rows = Math.ceil(height / coding.height)
  const count = columns * rows
  if (count > row.length || count <= MAIN_PART * row.length) return undefined
  if (columns > MOST_TILES || rows > MOST_TILES) return undefined
  const canvas = count === 1 ? undefined : { width, height, columns, rows }
  return { tiles: row.slice(0, count), coding, canvas, width, height, more: row.length > count }
}
