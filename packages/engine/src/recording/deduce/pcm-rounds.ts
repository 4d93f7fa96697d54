import type { Region } from '../../bytes/regions.ts'
import { countBelow } from '../../model/bisect.ts'
import type { SampleTable } from '../../model/sample-table.ts'

/** Bytes of sound that go with a picture: the likeliest number, and the least and the most there may be. */
export interface Beside {
  readonly each: number
  readonly least: number
  readonly most: number
}

/** Gaps from which the bytes beside a picture are known well enough to solve both clocks. */
const FEWEST_GAPS = 4
/** Gaps are unlike when their bytes, or the pictures behind them, differ by more than this share. */
export const UNLIKE = 0.2
/** Gaps of one length that are as the recording has them, and their share of all. */
const RECURRING = 3
const RECURRING_SHARE = 0.05
/** Share of gaps of one length that makes rounds of a recording, and rounds compared. */
const ROUNDS_SHARE = 0.5
const MOST_ROUNDS = 64
/** Pictures by which a count may be off. */
export const PICTURES_OFF = 1.5

/**
 * Bytes of sound to a picture, as the gaps between `pictures` tell, whose sound is `lengths` bytes long. Undefined without any.
 */
export function besidePicture(
  pictures: SampleTable,
  gaps: readonly Region[],
  lengths: readonly number[],
): Beside | undefined {
  const before = gaps.map((gap) => countBelow(pictures.offset, gap.offset, pictures.length))
  const round = besideByRounds(before, lengths)
  if (round) return round
  const each = usualBeside(pictures.length, before, lengths)
  if (each === 0) return undefined
  const off = Math.min(1, PICTURES_OFF / pictures.length)
  return { each, least: each * (1 - off), most: each * (1 + off) }
}

/**
 * A writer that puts the same time of sound behind each round of pictures has them off by less than one over any number of
 * rounds: what of pictures goes to a round is where all stretches of rounds agree. Undefined where most gaps are of no one
 * length, or stretches contradict each other. `before`: pictures in front of each gap.
 */
function besideByRounds(before: readonly number[], lengths: readonly number[]): Beside | undefined {
  const bytes = median(lengths)
  const rounds = lengths.filter((length) => length === bytes).length
  if (rounds < Math.max(FEWEST_GAPS, lengths.length * ROUNDS_SHARE)) return undefined
  let fewest = 0
  let most = Number.POSITIVE_INFINITY
  for (let from = 0; from < lengths.length; from++) {
    if (lengths[from] !== bytes) continue
    // a gap of another length is damage, and pictures may be missing beside it
    for (let apart = 1; apart <= MOST_ROUNDS && lengths[from + apart] === bytes; apart++) {
      const count = before[from + apart] - before[from]
      fewest = Math.max(fewest, (count - 1) / apart)
      most = Math.min(most, (count + 1) / apart)
    }
  }
  if (fewest >= most || fewest === 0) return undefined
  return { each: (2 * bytes) / (fewest + most), least: bytes / most, most: bytes / fewest }
}

/**
 * Over the gaps that are like most, or of a length that recurs: a cut or foreign bytes make one unlike. Over all of them when
 * they are few.
 */
function usualBeside(pictures: number, before: readonly number[], lengths: readonly number[]): number {
  const all = lengths.reduce((sum, length) => sum + length, 0)
  if (lengths.length < FEWEST_GAPS) return pictures > 0 ? all / pictures : 0
  const counts = before.slice(1).map((rows, i) => rows - before[i])
  const usualLength = median(lengths)
  const usualCount = median(counts)
  const often = new Map<number, number>()
  for (const length of lengths) often.set(length, (often.get(length) ?? 0) + 1)
  const recurring = Math.max(RECURRING, lengths.length * RECURRING_SHARE)
  const isLikeMost = (length: number): boolean =>
    Math.abs(length - usualLength) <= usualLength * UNLIKE || (often.get(length) ?? 0) >= recurring
  let bytes = 0
  let between = 0
  for (const [i, count] of counts.entries()) {
    if (!isLikeMost(lengths[i])) continue
    if (Math.abs(count - usualCount) > Math.max(1, usualCount * UNLIKE)) continue
    bytes += lengths[i]
    between += count
  }
  return between > 0 ? bytes / between : 0
}

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1]
}
