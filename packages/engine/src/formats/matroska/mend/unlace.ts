import type { ByteReader } from '../../../bytes/reader.ts'
import { BlockHead, KEY_FLAG, lacingOf, readLace } from '../read/block.ts'
import { BARE, GROUPED, HIT, KEY, LEFT_OUT } from '../read/block-table.ts'
import type { FrameChecker } from '../read/frame-checker.ts'
import type { Survey } from '../read/survey.ts'
import type { MatroskaTrack } from '../read/track.ts'
import type { Paces } from './pace.ts'

/** Frames of one block, and what became of each. */
interface Lace {
  readonly offsets: readonly number[]
  readonly sizes: readonly number[]
  readonly whole: readonly boolean[]
  /** Of some of its bytes nothing tells whether they are a whole frame. */
  readonly untold: boolean
}

const LATEST = 0x7fff

/**
 * Takes the frames of laced blocks that are hit out of their laces, RFC 9559 §10.3: those that are whole stay, each in a block of
 * its own. Nanoseconds a tick are `scale`.
 * @returns blocks of which nothing tells which frames are whole
 */
export function unlaceHit(
  reader: ByteReader,
  survey: Survey,
  tracks: readonly MatroskaTrack[],
  paces: Paces,
  scale: number,
  checkers: ReadonlyMap<number, FrameChecker>,
): number {
  const { blocks } = survey
  let untold = 0
  const laces = new Map<number, Lace>()
  const block = new BlockHead()
  const most = new Map<number, number>()
  for (let row = 0; row < blocks.length; row++) {
    const number = blocks.track[row]
    if (blocks.frames[row] > (most.get(number) ?? 0)) most.set(number, blocks.frames[row])
    const checker = checkers.get(number)
    if (!checker || !blocks.is(row, HIT) || lacingOf(blocks.head[row]) === 0) continue
    const lace = laceOf(reader, survey, row, block, checker)
    if (lace?.whole.includes(true)) laces.set(row, lace)
    if (lace?.untold) untold++
  }
  if (laces.size === 0) return untold
  const steps = new Map(
    tracks.map(({ number, defaultDuration }) => [
      number,
      defaultDuration > 0 ? defaultDuration / scale : (paces.get(number) ?? 0) / (most.get(number) ?? 1),
    ]),
  )
  divide(survey, laces)
  let added = 0
  for (const [row, lace] of laces) {
    settle(survey, row + added, lace, steps.get(blocks.track[row + added]) ?? 0)
    added += lace.sizes.length - 1
  }
  return untold
}

/** The frames of a row's block by what its lace says, and which of them are whole; undefined where the lace tells none. */
function laceOf(
  reader: ByteReader,
  { blocks }: Survey,
  row: number,
  block: BlockHead,
  checker: FrameChecker,
): Lace | undefined {
  if (!block.read(reader, blocks.offset[row], reader.size)) return undefined
  const end = Math.min(blocks.end[row], blocks.offset[row] + blocks.size[row])
  const lace = readLace(reader, block.flags, block.payload, block.end, end)
  if (!lace) return undefined
  const { sizes } = lace
  const torn = end !== block.end
  // behind bytes that are gone or too many frames are counted from the end, if that is the block's
  const shift = torn && end < reader.size && !blocks.is(row, GROUPED) ? end - block.end : 0
  let untold = false
  const isWhole = (offset: number, size: number): boolean => {
    if (offset < lace.at || offset + size > end || checker.isHit(offset, size)) return false
    if (!torn || end === reader.size || checker.isSure(offset, size)) return true
    untold = true
    return false
  }
  let at = lace.at
  const offsets: number[] = []
  const whole: boolean[] = []
  let broken = false
  for (const size of sizes) {
    const inPlace: boolean = (!broken || shift === 0) && isWhole(at, size)
    broken ||= !inPlace
    const moved = !inPlace && shift !== 0 && isWhole(at + shift, size)
    offsets.push(moved ? at + shift : Math.min(at, end))
    whole.push(inPlace || moved)
    at += size
  }
  return { offsets, sizes, whole, untold }
}

/** Makes room for each frame, and moves the runs' rows with it. */
function divide({ blocks, runs }: Survey, laces: ReadonlyMap<number, Lace>): void {
  const rows = [...laces.keys()]
  blocks.divide(new Map([...laces].map(([row, { sizes }]) => [row, sizes.length])))
  let next = 0
  let added = 0
  for (const run of runs) {
    const { endRow } = run
    run.firstRow += added
    for (; next < rows.length && rows[next] < endRow; next++)
      added += (laces.get(rows[next])?.sizes.length ?? 1) - 1
    run.endRow = endRow + added
  }
}

/** Writes the frames of a lace down from `row` on, `step` ticks from one to the next. */
function settle({ blocks }: Survey, row: number, { offsets, sizes, whole }: Lace, step: number): void {
  const first = blocks.relative[row]
  const isLeftOut = blocks.is(row, LEFT_OUT)
  const key = blocks.is(row, KEY)
  for (const [i, size] of sizes.entries()) {
    const at = row + i
    blocks.offset[at] = offsets[i]
    blocks.payload[at] = offsets[i]
    blocks.size[at] = size
    blocks.end[at] = offsets[i] + size
    blocks.relative[at] = Math.min(LATEST, first + Math.round(i * step))
    blocks.duration[at] = step
    blocks.frames[at] = 1
    blocks.head[at] = key ? KEY_FLAG : 0
    blocks.flags[at] = BARE | (key ? KEY : 0) | (whole[i] ? 0 : HIT | (isLeftOut ? LEFT_OUT : 0))
  }
}
