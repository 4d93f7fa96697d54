import {
  Inflater,
  LENGTH_ORDER,
  LONGEST_MATCH,
  type Plain,
  readCodes,
} from '../../../bytes/deflate/inflater.ts'
import { LowBits } from '../../../bytes/deflate/low-bits.ts'
import type { PrefixCode } from '../../../bytes/deflate/prefix-code.ts'
import type { Monitor } from '../../../model/monitor.ts'
import type { CheckedFrame } from '../read/check-frame.ts'
import { PAETH, type Pass } from '../read/rows.ts'

/** The end of a frame's inflated data, read from the beginning of a block behind a place that was hit. */
export interface Tail {
  /** Where it begins in the data: as far from their end as it is long. */
  readonly at: number
  readonly bytes: Uint8Array
  /** 1 for each byte that repeats others in front of it, which are not known. */
  readonly unknown: Uint8Array
}

/** How far matches reach back, RFC 1951 §2. */
const WINDOW = 32 * 1024
/** Bits at the ends of a file's frames in which blocks are looked for: two megabytes. */
const MOST_BITS = 1 << 24
/**
 * Codes that are read to see whether they are any, in all of a file, and bytes of a picture for each: noise has one in forty
 * bytes.
 */
const MOST_CODES = 1 << 16
const LEAST_CODES = 1 << 10
const BYTES_A_CODE = 32
/** Blocks without codes of their own between two that have them. */
const MOST_PLAIN_BLOCKS = 64
/** Bytes inflated in vain for each byte of the picture, and what reading a block's codes costs. */
const EFFORT = 2
const CODES_COST = 512
/** The checksum behind the data, RFC 1950 §2.2. */
const CHECKSUM = 4
const HEADER_BITS = 3
const DYNAMIC = 2
const PAUSE = 1 << 15
const STEP = 1 << 20

/** What looking for tails may still cost in a file, of however many frames: bits that are looked at, and codes that are read. */
export class TailAllowance {
  bits = MOST_BITS
  codes = MOST_CODES
}

/**
 * Looks behind a byte of the stream for the first block from which the data can be read to their very end: codes without gaps,
 * block behind block, the checksum behind the last one, and a filter type in front of each row.
 */
export async function findTail(
  checked: CheckedFrame,
  from: number,
  allowance: TailAllowance,
  monitor: Monitor,
): Promise<Tail | undefined> {
  const { frame, passes, wanted } = checked
  const { stream } = frame
  const places = await starts(stream, { from, wanted }, allowance, monitor)
  if (places.length === 0) return undefined
  const out = {
    bytes: new Uint8Array(WINDOW + wanted + LONGEST_MATCH),
    length: WINDOW,
    unknown: new Uint8Array(WINDOW + wanted + LONGEST_MATCH).fill(1, 0, WINDOW),
  }
  const first = await firstGood(stream, places, out, monitor)
  if (first === undefined) return undefined
  out.length = WINDOW
  out.unknown.fill(0, WINDOW)
  const inflater = new Inflater(stream, first, out)
  for (let before = -1; inflater.end === undefined && before < out.length; ) {
    before = out.length
    inflater.run(out.length + STEP)
    await monitor.pause()
  }
  const length = out.length - WINDOW
  if (inflater.end !== 'whole' || length === 0 || length > wanted) return undefined
  const tail = {
    at: wanted - length,
    bytes: out.bytes.subarray(WINDOW, out.length),
    unknown: out.unknown.subarray(WINDOW, out.length),
  }
  return fromFiltered(tail, passes, checked.end === 'whole')
}

/** Bits at which blocks may begin that have codes of their own, the last one first. */
async function starts(
  stream: Uint8Array,
  { from, wanted }: { readonly from: number; readonly wanted: number },
  allowance: TailAllowance,
  monitor: Monitor,
): Promise<readonly number[]> {
  const bits = new LowBits(stream)
  const found: number[] = []
  const last = (stream.length - CHECKSUM) * 8
  const least = Math.max(from * 8, last - allowance.bits)
  const most = Math.min(allowance.codes, LEAST_CODES + wanted / BYTES_A_CODE)
  let codes = 0
  let bit = last - 1
  for (; bit >= least && codes < most; bit--) {
    if ((bit & (PAUSE - 1)) === 0) await monitor.pause()
    if (!mayBegin(stream, bit) || !isComplete(stream, bit)) continue
    codes++
    if (begins(bits, bit)) found.push(bit)
  }
  allowance.bits -= Math.max(0, last - 1 - bit)
  allowance.codes -= codes
  return found
}

/** The first of these from which block leads to block up to the end. Each is read once, and they come from the last one on. */
async function firstGood(
  stream: Uint8Array,
  places: readonly number[],
  out: Plain,
  monitor: Monitor,
): Promise<number | undefined> {
  const good = new Set<number>()
  let first: number | undefined
  let left = EFFORT * (out.bytes.length - WINDOW)
  for (const bit of places) {
    if (left <= 0) break
    out.length = WINDOW
    const inflater = new Inflater(stream, bit, out)
    for (let blocks = 0; blocks < MOST_PLAIN_BLOCKS && inflater.runBlock(); blocks++) {
      const whole = inflater.end === 'whole'
      const ends = whole && Math.ceil(inflater.symbolEnd / 8) + CHECKSUM === stream.length
      if (!ends && !good.has(inflater.symbolEnd)) continue
      good.add(bit)
      first = bit
      break
    }
    left -= out.length - WINDOW + CODES_COST
    await monitor.pause()
  }
  return first
}

/** Whether the bits at a place can be the beginning of a block with codes of its own: its kind, and counts that there can be. */
function mayBegin(stream: Uint8Array, bit: number): boolean {
  const at = bit >> 3
  const word = (stream[at] | (stream[at + 1] << 8) | (stream[at + 2] << 16)) >> (bit & 7)
  return ((word >> 1) & 3) === DYNAMIC && ((word >> HEADER_BITS) & 31) < 30 && ((word >> 8) & 31) < 30
}

/** Whether the code for the lengths of codes leaves no bits that begin no word. */
function isComplete(stream: Uint8Array, bit: number): boolean {
  const take = (at: number): number => (stream[at >> 3] | (stream[(at >> 3) + 1] << 8)) >> (at & 7)
  const count = (take(bit + HEADER_BITS + 10) & 15) + 4
  const first = bit + HEADER_BITS + 14
  let room = WHOLE_CODE
  for (let i = 0; i < count && room >= 0; i++) room -= SHARES[take(first + 3 * i) & 7]
  return room === 0 && count <= LENGTH_ORDER.length
}

/** What a code has room for, and how much of it a word of each length takes. */
const WHOLE_CODE = 128
const SHARES = [0, 64, 32, 16, 8, 4, 2, 1]

/** Whether codes stand there as encoders write them: complete ones, but where a code has a single word. */
function begins(bits: LowBits, bit: number): boolean {
  bits.seek(bit + HEADER_BITS)
  const codes = readCodes(bits)
  const fits = (code: PrefixCode): boolean => code.complete || code.words <= 1
  return codes !== undefined && fits(codes.literals) && fits(codes.distances)
}

/** Rows with filter types that there are, behind the last one without, by which it is told that they are rows. */
const ROWS_IN_STEP = 16

/**
 * A tail whose rows all have a filter type, as far as that is known. `again`: the front was read to its end, too, and so may
 * be what was read here, from in front of the place that was hit: rows in front of that place lie elsewhere, and those behind
 * the last one without a type are left. Undefined where too few are.
 */
function fromFiltered(tail: Tail, passes: readonly Pass[], again: boolean): Tail | undefined {
  const places = passes.flatMap(({ start, stride, height }) => {
    const first = Math.max(0, Math.ceil((tail.at - start) / stride))
    return Array.from(
      { length: Math.max(0, height - first) },
      (_, i) => start + (first + i) * stride - tail.at,
    )
  })
  const last = places.findLastIndex((place) => tail.unknown[place] === 0 && tail.bytes[place] > PAETH)
  if (last < 0) return tail
  if (!again || places.length - last - 1 < ROWS_IN_STEP) return undefined
  const from = places[last + 1]
  return { at: tail.at + from, bytes: tail.bytes.subarray(from), unknown: tail.unknown.subarray(from) }
}
