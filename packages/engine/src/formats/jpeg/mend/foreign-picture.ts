import { entropyData } from '../../../codecs/jpeg/entropy-data.ts'
import type { MarkerColumns } from '../../../codecs/jpeg/marker-columns.ts'
import { McuLayout } from '../../../codecs/jpeg/mcu-layout.ts'
import { McuReader } from '../../../codecs/jpeg/mcu-reader.ts'
import { Allowance } from '../../../model/allowance.ts'
import { EOI, isRestart, SOI } from '../../../syntax/jpeg-markers/markers.ts'
import { endOfScan, type ReadPicture, readPicture } from '../read/read-picture.ts'
import { lastStart, MovableStart } from './joined-tail.ts'
import { blockTables, mendPicture } from './mend-picture.ts'
import { isSingleScan, readsWhole, withProvenEnd } from './proven-end.ts'

/** Bytes of a sector: what came into a file from another has whole ones. */
const SECTOR = 512
/** Bytes from a place on in which reading falls into step with what was read before. */
const SEAM = 4_096
/** MCUs read in search of where a photo goes on: for each of its own, and for each place. */
const READS_PER_MCU = 4
const READS_PER_PLACE = 64
/** Places at which the photo would have as many MCUs as it should that are looked at more closely. */
const MOST_WAYS = 4
/** Numbers of restart markers, T.81 §B.1.1.3. */
const RESTARTS = 8

/** A file whose photo another picture's bytes came into. */
export interface Parted {
  /** The file with those bytes behind the photo. */
  readonly bytes: Uint8Array
  /** Where they were, and how many. */
  readonly at: number
  readonly length: number
}

/**
 * Takes out of a photo's scan what begins with another picture and is none of it, as where sectors of one file lie between those
 * of another. That is so where the photo's MCUs go on behind, bit for bit, to its end, with as many as it has and no step in
 * brightness. Undefined where nothing shows it.
 */
export function withoutForeign(bytes: Uint8Array, picture: ReadPicture): Parted | undefined {
  const { end: at, frame } = picture
  const [scan] = picture.scans
  const meets = bytes[at] === 0xff && bytes[at + 1] === SOI
  if (picture.ended || !meets || !isSingleScan(picture)) return undefined
  const other = readPicture(bytes, at)
  const layout = new McuLayout(frame.width, frame.height, frame.components)
  const blocks = blockTables(layout, scan)
  if (!other || !blocks) return undefined
  const places = placesBehind(bytes, withProvenEnd(bytes, other))
  if (places.length === 0) return undefined
  const end = endOfScan(bytes, places[0])
  if (bytes[end] !== 0xff || bytes[end + 1] !== EOI) return undefined

  const head = entropyData(bytes, scan.start, at, () => false)
  const tail = entropyData(bytes, places[0], end, () => false)
  const cut = cutInterval(head.restarts.count, tail.restarts, tail.length, scan.interval, layout.mcuCount)
  if (!cut) return undefined
  const from = head.restarts.count > 0 ? head.restarts.at(head.restarts.count - 1) : 0
  const { count, bit } = lastStart(new McuReader(head.bytes, head.length, blocks), from * 8, cut.mcus)
  const reads = new Allowance(READS_PER_MCU * cut.mcus + READS_PER_PLACE * places.length)
  const behind = new MovableStart(tail.bytes, cut.end, new McuReader(tail.bytes, cut.end, blocks), reads)
  const left = head.bytes.subarray(bit >> 3, head.length)
  const differences = new Int16Array(blocks.length)
  const offsets = dataOffsets(bytes, places)
  let ways = 0
  // from the last on: what is read of an early one is mostly what was read of those behind it
  for (let i = places.length - 1; i >= 0; i--) {
    if (offsets[i] < cut.from || offsets[i] >= cut.end) continue
    const seam = new Uint8Array(left.length + SEAM + SECTOR)
    seam.set(left)
    seam.set(tail.bytes.subarray(offsets[i], offsets[i] + SEAM), left.length)
    const reader = new McuReader(seam, left.length + SEAM, blocks)
    let over = bit & 7
    let passed = 0
    for (; over >= 0 && over < left.length * 8; passed++) over = reader.pass(over, differences)
    if (over < 0) continue
    const further = behind.countFrom(over + (offsets[i] - left.length) * 8)
    if (further === undefined || count + passed + further !== cut.mcus) continue
    const parted = { bytes: moved(bytes, at, places[i], end + 2), at, length: places[i] - at }
    if (isWhole(parted.bytes, picture)) return parted
    if (++ways === MOST_WAYS) break
  }
  return undefined
}

/** Where a photo may go on behind a picture: behind its end and what fills its last sector, or where any of its sectors ends. */
function placesBehind(bytes: Uint8Array, other: ReadPicture): number[] {
  const { start, end, scans } = other
  const [scan] = scans
  const data = entropyData(bytes, scan.start, scan.end, () => false)
  const whole = other.ended && (!isSingleScan(other) || readsWhole(other, data))
  const places: number[] = whole ? [end] : []
  const last = whole ? behindZeros(bytes, end) : scans[scans.length - 1].end
  const sector = (from: number): number => start + Math.ceil((from - start) / SECTOR) * SECTOR
  for (let place = sector(whole ? end : scan.start); place <= last; place += SECTOR) places.push(place)
  return places
}

function behindZeros(bytes: Uint8Array, from: number): number {
  let at = from
  while (bytes[at] === 0) at++
  return at
}

/** The restart interval that was cut: between which bytes of the data behind it must go on, and how many MCUs it has. */
interface CutInterval {
  readonly from: number
  readonly end: number
  readonly mcus: number
}

/**
 * The interval that `before` restart markers lie in front of, by those that must lie behind it among `length` bytes of data, with
 * the numbers that they must have, ITU-T T.81 §E.1.4; a scan without restarts is one interval.
 */
function cutInterval(
  before: number,
  restarts: MarkerColumns,
  length: number,
  interval: number,
  mcuCount: number,
): CutInterval | undefined {
  if (interval === 0) return { from: 0, end: length, mcus: mcuCount }
  const first = restarts.count - (Math.ceil(mcuCount / interval) - 1 - before)
  if (first < 0 || first > restarts.count) return undefined
  const numbered = first === restarts.count || (restarts.code(first) & 7) === before % RESTARTS
  if (!numbered) return undefined
  return {
    from: first > 0 ? restarts.at(first - 1) : 0,
    end: first < restarts.count ? restarts.at(first) : length,
    mcus: Math.min(interval, mcuCount - before * interval),
  }
}

/** How many bytes of data stand in front of each of some places, from the first on: stuffing and restart markers are none. */
function dataOffsets(bytes: Uint8Array, places: readonly number[]): number[] {
  let at = places[0]
  let count = 0
  return places.map((place) => {
    for (; at < place; at++) {
      const marked = bytes[at - 1] === 0xff && at > places[0]
      if (marked && isRestart(bytes[at])) count--
      else if (!marked || bytes[at] !== 0) count++
    }
    return count
  })
}

/** The bytes from `from` to `to` behind those up to `end`. */
function moved(bytes: Uint8Array, from: number, to: number, end: number): Uint8Array {
  const out = bytes.slice()
  out.copyWithin(from, to, end)
  out.set(bytes.subarray(from, to), from + end - to)
  return out
}

function isWhole(bytes: Uint8Array, { start }: ReadPicture): boolean {
  const picture = readPicture(bytes, start)
  const mended = picture && mendPicture(bytes, withProvenEnd(bytes, picture), () => [])
  return mended !== undefined && typeof mended !== 'string' && mended.whole
}
