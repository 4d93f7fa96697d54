import type { ByteReader } from '../../bytes/reader.ts'
import { isZero } from '../../bytes/zeros.ts'
import type { Monitor } from '../../model/monitor.ts'
import { certainty } from '../../photo/raster/row-ends.ts'
import { type Info, strideOf } from './read.ts'

/** Bytes that were put in among the pixels or in front of them, or that are missing there, so that all behind lie elsewhere. */
export interface Shift {
  /** Where they begin or are missing, of the bytes that are there. */
  readonly at: number
  /** More than zero: put in; less: missing. */
  readonly bytes: number
}

/** Rows on either side of the place, and how many standard errors those behind it and those in front must be away from chance. */
const LEAST_ROWS = 8
const SURE = 5
const LIKELY = 3
/** Rows around the likeliest one that are looked at. */
const AROUND = 24

/**
 * The place from which rows lie `bytes` further on than they should. From one row to the next pixels jump, from one side of the
 * picture to the other: the rows in front of the place end where they should, those behind it where they would if they were
 * moved. Of whole rows, and of pictures whose sides are alike, nothing shows it.
 */
export async function findShift(
  reader: ByteReader,
  info: Info,
  offset: number,
  bytes: number,
  monitor: Monitor,
): Promise<Shift | undefined> {
  const stride = strideOf(info)
  const rows = info.height
  if (bytes % stride === 0 || Math.abs(bytes) > (stride * rows) / 2) return undefined
  const gains = await edgeGains(reader, info, offset, bytes, monitor)
  const row = likeliest(gains)
  if (rows - row < LEAST_ROWS || certainty(gains.subarray(row)) < SURE) return undefined
  // all rows are moved: what was put in stands in front of them, in the header or the palette
  if (row < LEAST_ROWS) return bytes > 0 ? { at: offset, bytes } : undefined
  if (certainty(gains.subarray(1, row).map((gain) => -gain)) < LIKELY) return undefined
  const places = { offset, stride, rows, bytes }
  const at = bytes < 0 ? tornPlace(reader, places, row) : grownPlace(reader, places, row)
  return at === undefined ? undefined : { at, bytes }
}

/** Whether the last rows of a picture end where they should and not where they would if they were moved. */
export async function standsToItsEnd(
  reader: ByteReader,
  info: Info,
  offset: number,
  bytes: number,
  monitor: Monitor,
): Promise<boolean> {
  const gains = await edgeGains(reader, info, offset, bytes, monitor)
  return certainty(gains.subarray(-Math.max(LEAST_ROWS, info.height >> 3)).map((gain) => -gain)) >= SURE
}

/** How much more pixels jump where each row would end if it were moved than where it stands. */
async function edgeGains(
  reader: ByteReader,
  info: Info,
  offset: number,
  bytes: number,
  monitor: Monitor,
): Promise<Float64Array> {
  const stride = strideOf(info)
  const pixel = Math.max(1, info.bits >> 3)
  const blank = stride - Math.ceil((info.width * info.bits) / 8)
  const gains = new Float64Array(info.height)
  for (let row = 1; row < info.height; row++) {
    const at = offset + row * stride
    gains[row] = jump(reader, at + bytes, pixel, blank) - jump(reader, at, pixel, blank)
    if (row % PAUSE === 0) await monitor.pause()
  }
  return gains
}

const PAUSE = 256
/** What blank bytes at a row's end are worth, in levels of a step. */
const FILLED_UP = 512

/**
 * Mean step from the last pixel of a row that ends at an offset to the first of the next one; more where the bytes that fill rows
 * up to whole words are blank there.
 */
function jump(reader: ByteReader, at: number, pixel: number, blank: number): number {
  let sum = blank > 0 && isZero(reader, at - blank, at) ? FILLED_UP * pixel : 0
  for (let i = 0; i < pixel; i++) sum += Math.abs(reader.u8(at - blank - pixel + i) - reader.u8(at + i))
  return sum / pixel
}

/** The row from which gains are gains and in front of which they are none. */
function likeliest(gains: Float64Array): number {
  let [best, most, sum] = [0, 0, 0]
  for (let row = gains.length - 1; row > 0; row--) {
    sum += gains[row]
    if (sum > most) [best, most] = [row, sum]
  }
  return best
}

interface Rows {
  readonly offset: number
  readonly stride: number
  readonly rows: number
  readonly bytes: number
}

/**
 * The place where bytes were put in, near a row: where what is in front goes with the row above, and what is behind, moved, does.
 * None where rows go together as well as they stand.
 */
function grownPlace(
  reader: ByteReader,
  { offset, stride, rows, bytes }: Rows,
  near: number,
): number | undefined {
  let best = { at: offset + near * stride, cost: Number.POSITIVE_INFINITY }
  const read = (at: number): Uint8Array => Uint8Array.from(reader.bytes(at, stride))
  const last = Math.min(rows - 2, near + AROUND)
  const first = Math.max(1, near - AROUND)
  // rows that stand up to the place, and those that are moved from there on
  const stands = new Float64Array(last + 2)
  const moved = new Float64Array(last + 2)
  for (let row = first; row <= last; row++) {
    const at = offset + row * stride
    stands[row] = difference(read(at - stride), read(at))
    moved[row] = difference(read(at - stride + bytes), read(at + bytes))
  }
  const sum = (values: Float64Array, from: number, to: number): number =>
    values.subarray(from, to).reduce((total, value) => total + value, 0)
  for (let row = first; row <= last; row++) {
    const at = offset + row * stride
    const [above, here, there] = [read(at - stride), read(at), read(at + bytes)]
    let cost = sum(stands, first, row) + sum(moved, row + 1, last + 1) + difference(above, there)
    for (let i = 0; i <= stride; i++) {
      if (cost < best.cost) best = { at: at + i, cost }
      if (i < stride) cost += Math.abs(above[i] - here[i]) - Math.abs(above[i] - there[i])
    }
  }
  const unmoved = sum(stands, first, last + 1)
  return unmoved - best.cost > (LEAST_GAIN * unmoved) / (last + 1 - first) ? best.at : undefined
}

/** The place where bytes are missing: a row's length of bytes behind it does not go with the row above, as all others do. */
function tornPlace(
  reader: ByteReader,
  { offset, stride, rows, bytes }: Rows,
  near: number,
): number | undefined {
  // `near` is where pixels should be that moved
  const middle = near + Math.round(bytes / stride)
  const from = offset + Math.max(1, middle - AROUND) * stride
  const end = Math.min(reader.size, offset + rows * stride + bytes, offset + (middle + AROUND + 2) * stride)
  const windows = end - from - stride
  if (windows <= 0) return undefined
  const step = (at: number): number => Math.abs(reader.u8(at) - reader.u8(at - stride))
  let sum = 0
  let total = 0
  for (let at = from; at < end; at++) total += step(at)
  for (let at = from; at < from + stride; at++) sum += step(at)
  let best = { at: from, sum }
  for (let at = from; at < from + windows; at++) {
    sum += step(at + stride) - step(at)
    if (sum > best.sum) best = { at: at + 1, sum }
  }
  const usual = ((total - best.sum) * stride) / windows
  return best.sum - usual > LEAST_GAIN * usual ? best.at : undefined
}

/** By how much rows have to go together better, in differences of one row from the next. */
const LEAST_GAIN = 1.5

function difference(a: Uint8Array, b: Uint8Array): number {
  let sum = 0
  for (let i = 0; i < Math.min(a.length, b.length); i++) sum += Math.abs(a[i] - b[i])
  return sum
}
