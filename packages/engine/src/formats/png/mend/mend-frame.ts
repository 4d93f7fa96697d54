import { adler32, inflateZlib } from '../../../bytes/deflate/inflate-zlib.ts'
import type { Monitor } from '../../../model/monitor.ts'
import { ESTIMATED, LOST, RECOVERED } from '../../../photo/picture/picture.ts'
import { commonest } from '../../../photo/raster/commonest.ts'
import { fillRaster } from '../../../photo/raster/fill-raster.ts'
import { accountOf, type Raster, type RasterAccount } from '../../../photo/raster/raster.ts'
import { type ConstantRun, constantRuns } from '../../../photo/reading/constant-runs.ts'
import type { CheckedFrame } from '../read/check-frame.ts'
import { u32 } from '../read/chunk.ts'
import { GREY_ALPHA, type Header, PALETTE, pixelBits, RGB_ALPHA } from '../read/header.ts'
import { type Pass, UP } from '../read/rows.ts'
import { filtered } from '../write/filter.ts'
import { mendedStream, type NewStream } from '../write/stream.ts'
import { fillFromPasses } from './fill-passes.ts'
import { findTail, type Tail, type TailAllowance } from './find-tail.ts'
import { likelyEnd } from './likely-end.ts'
import { hasLevels, pixelStep, unfiltered } from './unfilter.ts'

/** Bytes of the checksum behind the data, RFC 1950 §2.2. */
const CHECKSUM = 4

/** A frame whose data were put together anew. */
export interface MendedFrame {
  readonly stream: NewStream
  readonly account: RasterAccount
}

/** Puts a frame's data together anew: what is there, and in place of what is not what its surroundings suggest. */
export async function mendFrame(
  checked: CheckedFrame,
  header: Header,
  allowance: TailAllowance,
  monitor: Monitor,
): Promise<MendedFrame | undefined> {
  const { frame, passes, plain, wanted } = checked
  const reach = reachOf(checked, header)
  const tail =
    reach.likely < wanted ? await findTail(checked, suspectByte(checked), allowance, monitor) : undefined
  if (reach.likely === 0 && !tail) return undefined
  const states = new Uint8Array(wanted).fill(LOST)
  states.fill(ESTIMATED, 0, reach.likely)
  states.fill(RECOVERED, 0, reach.known)
  const bytes = new Uint8Array(Math.max(plain.bytes.length, wanted))
  bytes.set(plain.bytes)
  if (tail && tail.at >= reach.known) {
    const again = readAgain(checked, tail, reach)
    for (let i = again ?? 0; i < tail.bytes.length; i++) {
      if (tail.unknown[i]) continue
      bytes[tail.at + i] = tail.bytes[i]
      states[tail.at + i] = again === undefined ? RECOVERED : ESTIMATED
    }
  }
  const right = rightBytes(checked)
  if (right < wanted && !states.includes(LOST) && !isProven(checked, bytes)) states.fill(ESTIMATED, right)
  const data = { bytes, states }
  const raster = unfiltered(data, header, passes, frame.width, frame.height)
  if (header.interlaced) fillFromPasses(raster)
  if (header.colour === PALETTE) blankAsMost(raster)
  fillRaster(raster, hasLevels(header), clearPixel(raster, header))
  const account = accountOf(raster)
  const rows = filtered(raster, header, passes, (at) => (states[at] === LOST ? UP : bytes[at]))
  // bits that fill up a row's last byte are not kept when a row is put together anew
  const padded = passes.some(({ width }) => (width * pixelBits(header)) % 8 !== 0)
  const stream = mendedStream(frame.stream, rows, padded ? 0 : reach.known, checked.zlibHeader)
  return { stream, account }
}

/**
 * The byte of a tail in front of which it is the same that was read from the front and is likely to stand there: what the
 * front was read to the end of, with bytes missing in its middle, ends as the picture does. Undefined where it is something
 * else.
 */
function readAgain({ plain, wanted, end }: CheckedFrame, tail: Tail, { likely }: Reach): number | undefined {
  const missing = wanted - plain.length
  if (end !== 'whole' || missing <= 0 || tail.at - missing >= likely) return undefined
  const front = plain.bytes.subarray(tail.at - missing, plain.length)
  const same = tail.bytes.every((byte, i) => tail.unknown[i] === 1 || byte === front[i])
  return same ? Math.max(0, likely - (tail.at - missing)) : undefined
}

/** Gives lost pixels of a palette the colour that most others have: its first one may be any. */
function blankAsMost({ pixels, states }: Raster): void {
  const blank = commonest(pixels.filter((_, at) => states[at] !== LOST))
  for (let at = 0; at < pixels.length; at++) if (states[at] === LOST) pixels[at] = blank
}

/** A pixel wholly transparent, where more than half of those that were read beyond doubt are. */
function clearPixel({ bytesPerPixel, pixels, states }: Raster, header: Header): number | undefined {
  if (header.colour !== RGB_ALPHA && header.colour !== GREY_ALPHA) return undefined
  const bytes = header.depth >> 3
  let first: number | undefined
  let read = 0
  let clear = 0
  for (let at = 0; at < states.length; at++) {
    if (states[at] !== RECOVERED) continue
    read++
    const end = (at + 1) * bytesPerPixel
    if (pixels.subarray(end - bytes, end).some((each) => each !== 0)) continue
    first ??= at
    clear++
  }
  return 2 * clear > read ? first : undefined
}

/** Bytes of a frame that are beyond doubt, and up to where they are most likely right. */
interface Reach {
  readonly known: number
  readonly likely: number
}

/**
 * How far a frame's data are to be believed: what was read from chunks whose checksums are right, and what stands in front of a
 * stretch of equal bytes behind which rows are not in step. Behind, a stream read out of step shows at the next row's filter
 * type.
 */
function reachOf(checked: CheckedFrame, header: Header): Reach {
  const { plain, wanted, end, badFilter, passes, checked: agrees } = checked
  const there = Math.min(plain.length, wanted)
  const exactly = (at: number): Reach => {
    const known = wholePixels(at, passes, pixelStep(header))
    return { known, likely: known }
  }
  if (end === 'whole' && agrees === true) return exactly(Math.min(there, badFilter))
  const { proven, zeros } = provenBytes(checked)
  if (proven >= there && badFilter === Infinity) return exactly(there)
  if (zeros) return exactly(Math.min(proven, badFilter))
  const fault = Math.min(there, badFilter)
  const known = Math.min(proven, fault)
  if (end === 'whole' && badFilter === Infinity) return { known: exactly(known).known, likely: there }
  const row = Math.max(known, rowBefore(passes, fault, fault === badFilter))
  return { known: exactly(row).known, likely: likelyEnd(checked, header, row, fault) }
}

/** A place within a row, or at its beginning, without a pixel of which only a part is in front of it. */
function wholePixels(at: number, passes: readonly Pass[], step: number): number {
  const pass = passes.findLast(({ start }) => start <= at)
  if (!pass) return 0
  const within = (at - pass.start) % pass.stride
  return within === 0 ? at : at - ((within - 1) % step)
}

/**
 * The first byte of the stream that is not beyond doubt: of the first chunk that is wrong, or of a stretch of equal bytes; where
 * there is none, of the chunk in which the data go wrong, in front of which one is missing.
 */
function suspectByte({ frame, symbolEnd }: CheckedFrame): number {
  const { segments, stream } = frame
  for (const { at, length, right } of segments) {
    const [run] = constantRuns(stream.subarray(at, at + length), length)
    if (!right || run?.to === length) return at + (run?.from ?? 0)
  }
  return segments.findLast(({ at }) => at <= symbolEnd >> 3)?.at ?? 0
}

/**
 * Bytes inflated from what stands in front of the first chunk that is wrong, or of the stretch of equal bytes in it behind which
 * rows are not in step.
 */
function provenBytes(checked: CheckedFrame): { readonly proven: number; readonly zeros: boolean } {
  const { segments, stream } = checked.frame
  const { wanted } = checked
  for (const { at, length, right } of segments) {
    const runs = constantRuns(stream.subarray(at, at + length), length)
    const run = firstOutOfStep(checked, at, runs) ?? runs.findLast(({ to }) => to === length)
    const toItsEnd = run !== undefined && run.to === length
    if (right && !toItsEnd) continue
    const suspect = right || run ? at + (run?.from ?? 0) : at
    return { proven: inflateZlib(stream.subarray(0, suspect), wanted).bytes.length, zeros: run !== undefined }
  }
  return { proven: wanted, zeros: false }
}

/** Rows with filter types that there are, by which it is told that data are read in step. */
const ROWS_IN_STEP = 16

/** The first stretch behind which data are not read in step; the further on in the stream, the fewer rows are left that are. */
function firstOutOfStep(
  checked: CheckedFrame,
  start: number,
  runs: readonly ConstantRun[],
): ConstantRun | undefined {
  let [low, high] = [0, runs.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (goesOn(checked, start + runs[middle].to)) low = middle + 1
    else high = middle
  }
  return runs[low]
}

/** Whether data are read in step behind a byte of the stream: a flat picture is encoded in stretches of equal bytes, too. */
function goesOn(
  { frame: { stream }, wanted, plain, badFilter, passes }: CheckedFrame,
  behind: number,
): boolean {
  const from = inflateZlib(stream.subarray(0, behind), wanted).bytes.length
  const [{ stride }] = passes
  return Math.min(plain.length, wanted, badFilter) - from >= ROWS_IN_STEP * stride
}

/** Inflated bytes in front of the first chunk that is wrong, or breaks off with data that do not. */
function rightBytes({ frame: { segments, stream }, wanted, end, checked }: CheckedFrame): number {
  const breaksOff = end === 'cut' || (end === 'whole' && checked === undefined)
  const wrong = segments.find(({ right, chunk }) => !right || (chunk.crc === 'missing' && !breaksOff))
  return wrong ? inflateZlib(stream.subarray(0, wrong.at), wanted).bytes.length : wanted
}

/**
 * Whether the checksum behind the data is that of `bytes`: without it, data that fill the picture do not show where they were
 * hit.
 */
function isProven({ frame: { stream }, wanted }: CheckedFrame, bytes: Uint8Array): boolean {
  return (
    stream.length >= CHECKSUM && u32(stream, stream.length - CHECKSUM) === adler32(bytes.subarray(0, wanted))
  )
}

/** Where the row begins in which a byte lies; where the byte is a filter type that cannot be, the row before it. */
function rowBefore(passes: readonly Pass[], at: number, filter: boolean): number {
  const pass = passes.findLast(({ start }) => start <= at)
  if (!pass) return 0
  const row = Math.floor((at - pass.start) / pass.stride)
  return pass.start + Math.max(0, filter ? row - 1 : row) * pass.stride
}
