import type { Allowance } from '../../../../model/allowance.ts'
import { flip } from '../bits.ts'
import type { SampleFit } from './sample-fit.ts'

/** Bits that a flipped bit, and a size that is wrong altogether, must earn by what they explain. */
const FLIP_COST = 14
const WRONG_COST = 30
/** Bits for reaching the chunk's end exactly. */
const END = 40
/** Readings of a chunk that are followed at once: few where each sample proves itself. */
const BREADTH = { exact: 12, vague: 48 }
/** Sizes tried for a sample in one reading: its own, 32 with a bit flipped, and by its syntax. */
const TRIED = 34
/** Samples of one chunk that are read this way. */
const MAX_SAMPLES = 50_000

/** One reading of a chunk up to a sample. */
interface Reading {
  readonly offset: number
  readonly score: number
  /** What was changed last, and the reading before it. */
  readonly change:
    | { readonly sample: number; readonly size: number; readonly before: Reading['change'] }
    | undefined
}

/**
 * The sizes of the samples of one chunk, flipped bits in them mended: of all readings the one in which most samples are what
 * their codec asks for, with the fewest changes. Undefined when the table's own sizes are that.
 * @param end where the chunk ends, if that is known
 * @param work steps that may be taken, one for every size tried; sizes stay as they are when there are too few
 */
export function mendChunkSizes(
  sizes: Uint32Array,
  offset: number,
  end: number | undefined,
  fit: SampleFit,
  work: Allowance,
): Uint32Array | undefined {
  if (sizes.length > MAX_SAMPLES) return undefined
  const breadth = fit.exact ? BREADTH.exact : BREADTH.vague
  let readings: Reading[] = [{ offset, score: 0, change: undefined }]
  for (const [sample, size] of sizes.entries()) {
    const last = sample === sizes.length - 1
    const next = new Map<number, Reading>()
    const follow = (from: Reading, used: number, cost: number): number => {
      const to = from.offset + used
      if (end !== undefined && to > end) return Number.NEGATIVE_INFINITY
      const bits = fit.bits(from.offset, used)
      const score = from.score + bits - cost + (last && to === end ? END : 0)
      const rival = next.get(to)
      if (!rival || score > rival.score) {
        const change = used === size ? from.change : { sample, size: used, before: from.change }
        next.set(to, { offset: to, score, change })
      }
      return bits
    }
    for (const reading of readings) {
      if (!work.take(TRIED)) return undefined
      const bits = follow(reading, size, 0)
      // A sample that proves itself needs no other size.
      if (fit.proves(bits)) continue
      for (let bit = 0; bit < 32; bit++) follow(reading, flip(size, bit), FLIP_COST)
      const limit = end ?? Number.POSITIVE_INFINITY
      const measured = fit.exact ? fit.measure(reading.offset, limit) : 0
      if (measured > 0) follow(reading, measured, WRONG_COST)
      if (last && end !== undefined) follow(reading, end - reading.offset, WRONG_COST)
    }
    readings = [...next.values()].sort((a, b) => b.score - a.score).slice(0, breadth)
  }
  const changes = readings[0]?.change
  if (!changes) return undefined
  const mended = sizes.slice()
  for (let change: Reading['change'] = changes; change; change = change.before)
    mended[change.sample] = change.size
  return mended
}
