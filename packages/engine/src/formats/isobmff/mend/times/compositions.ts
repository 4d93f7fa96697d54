import type { Allowance } from '../../../../model/allowance.ts'
import { countBelowNear } from '../../../../model/bisect.ts'
import { RunBuilder } from '../../boxes/stts.ts'
import { type Runs, runTotal } from '../../boxes/tables.ts'
import { differByOneBit } from '../bits.ts'
import { mendCounts } from './counts.ts'
import { mendStrangeOffsets } from './strange-offsets.ts'

/** Samples of tracks whose composition times are looked at; a day of 60 pictures a second has 5 million. */
const MAX_SAMPLES = 8_000_000
/** Samples below which times say nothing of each other. */
const FEW_SAMPLES = 4
/** Different numbers that are counted in search of the commonest, the first ones: many more have none that is common. */
const COUNTED = 1 << 12
/** Delays tried for the one by which composition lags behind decoding. */
const DELAYS = 8
/** Places in decoding order by which pictures may be shown later. */
const PLACES = 4
/** Looks at each picture beside those for its delay. */
const LOOKS = 4 + 2 * PLACES
/** Share of pictures whose times must be those of decoding, delayed, for the rest to be judged by it. */
const ALIKE = 0.7

/** What the composition offsets should be, and how many of them were changed. */
export interface MendedOffsets {
  readonly runs: Runs
  readonly changed: number
  /** Some could have been mended otherwise as well: only the bitstream tells which picture comes first. */
  readonly guessed: boolean
}

/**
 * Mends flipped bits in composition offsets, ISO/IEC 14496-12:2022 §8.6.1.3. Pictures are only reordered: the times at which they
 * are shown are the times at which they are decoded, all late by the same delay. A time that none is decoded at, or that two
 * share, is wrong, and one that none has is where it belongs, if one bit leads there. Undefined when nothing is to be mended.
 * @param hit other parts of the movie box were found to be hit: lost pictures, too, leave times that none has
 * @param work steps that may be taken, one for a picture whose time is looked up
 * @param most samples that the file can hold: of more nothing comes
 */
export function mendCompositions(
  runs: Runs,
  durations: Runs,
  samples: number,
  hit: boolean,
  work: Allowance,
  most = MAX_SAMPLES,
): MendedOffsets | undefined {
  if (samples < FEW_SAMPLES || samples > Math.min(most, MAX_SAMPLES) || runTotal(durations) < samples)
    return undefined
  if (isZeroed(runs, samples)) return undefined
  if (!work.take(samples * (DELAYS + LOOKS))) return undefined
  const decoding = decodingTimes(durations, samples)
  const sorted = decoding.slice().sort()
  const score = (candidate: Uint32Array): number => {
    if (!work.take(samples * (DELAYS + 2))) return Number.NEGATIVE_INFINITY
    const offsets = expand({ ...runs, counts: candidate }, samples)
    const { homeless } = owners(decoding, sorted, offsets, delayOf(decoding, sorted, offsets))
    return -runsOf(homeless, candidate)
  }
  // where offsets were hit, too, a few more of them speak for no other counts
  const { counts, rivals } = mendCounts(runs, samples, score, work, (most) => -most)
  const offsets = expand({ ...runs, counts }, samples)
  const { slots, delay } = slotsOf(decoding, sorted, offsets)
  let changed = counts === runs.counts ? 0 : 1
  // any run may have the samples that are missing where all times fit as well, and a table that counts others says nothing of
  // these
  let guessed = (changed > 0 && rivals.length > 0) || runTotal({ ...runs, counts }) !== samples
  if (!hit && changed === 0) return undefined
  if (alike(decoding, slots, offsets, delay) >= samples * ALIKE) {
    changed += mendStrangeOffsets(offsets, (sample, offset) =>
      find(slots, decoding[sample] + offset - delay, sample),
    )
    const filled = fillHoles(decoding, slots, offsets, delay, work)
    changed += filled.moved
    guessed ||= filled.guessed
  }
  if (changed === 0) return undefined
  const mended = new RunBuilder()
  for (let i = 0; i < samples; i++) mended.add(offsets[i])
  // a flipped bit changes a run as a whole: parted ones are another reading of several
  return { runs: mended, changed, guessed: guessed || mended.length > runs.length }
}

/** How many runs have one or more of some samples, which rise: a flipped bit gives all samples of a run another offset. */
function runsOf(samples: readonly number[], counts: Uint32Array): number {
  let run = -1
  let end = 0
  let found = 0
  for (const sample of samples) {
    if (sample < end) continue
    while (sample >= end && run + 1 < counts.length) end += counts[++run]
    found++
  }
  return found
}

/** Whether offsets of some samples are lost because entries were zeroed, which no flipped bits bring back. */
export function isZeroed(runs: Runs, samples: number): boolean {
  return runTotal(runs) < samples && runs.counts.some((count, i) => count === 0 && runs.values[i] === 0)
}

function decodingTimes(durations: Runs, samples: number): Float64Array {
  const times = new Float64Array(samples)
  let sample = 0
  let time = 0
  for (let run = 0; run < durations.length; run++) {
    for (let i = 0; i < durations.counts[run] && sample < samples; i++) {
      times[sample++] = time
      time += durations.values[run]
    }
  }
  return times
}

function expand(runs: Runs, samples: number): Float64Array {
  const offsets = new Float64Array(samples)
  let sample = 0
  for (let run = 0; run < runs.length && sample < samples; run++) {
    const end = Math.min(samples, sample + runs.counts[run])
    offsets.fill(runs.values[run], sample, end)
    sample = end
  }
  return offsets
}

/**
 * The times at which pictures are shown, and by how much they are late besides: those at which they are decoded or, where the
 * rate varies and a picture is decoded when one some places before it is shown, those at which later ones are.
 */
function slotsOf(
  decoding: Float64Array,
  sorted: Float64Array,
  offsets: Float64Array,
): { readonly slots: Float64Array; readonly delay: number } {
  const delay = delayOf(decoding, sorted, offsets)
  let best = { slots: sorted, delay }
  let most = alike(decoding, sorted, offsets, delay)
  const shown = decoding.map((time, i) => time + offsets[i]).sort()
  for (let places = 1; places <= PLACES && places < sorted.length && most < sorted.length; places++) {
    const late = commonest(shown.subarray(0, -places).map((time, i) => time - sorted[i + places]))
    // behind the last that is decoded nothing tells when the others are shown
    const slots = sorted.map((_, i) => sorted[i + places] ?? shown[i] - late)
    // those are their own witnesses
    const count = alike(decoding, slots, offsets, late, slots.length - places)
    if (count <= most) continue
    most = count
    best = { slots, delay: late }
  }
  return best
}

function commonest(values: Float64Array): number {
  const counts = new Map<number, number>()
  let best = values[0]
  for (const value of values) if (counted(counts, value) > (counts.get(best) ?? 0)) best = value
  return best
}

/** Counts a number once more. @returns how often it was counted so far, itself included; 0 where it is one too many */
function counted(counts: Map<number, number>, value: number): number {
  const count = (counts.get(value) ?? 0) + 1
  if (count === 1 && counts.size >= COUNTED) return 0
  counts.set(value, count)
  return count
}

/** The delay at which most pictures are shown at a time at which one is decoded. */
function delayOf(decoding: Float64Array, sorted: Float64Array, offsets: Float64Array): number {
  const often = new Map<number, number>()
  for (const offset of offsets) counted(often, offset)
  const tried = [...often].sort((a, b) => b[1] - a[1]).slice(0, DELAYS)
  let best = tried[0]?.[0] ?? 0
  let most = -1
  for (const [delay] of tried) {
    const count = alike(decoding, sorted, offsets, delay)
    if (count <= most) continue
    most = count
    best = delay
  }
  return best
}

/** Pictures that have a decoding time, delayed, to themselves: one of the first `until`. */
function alike(
  decoding: Float64Array,
  sorted: Float64Array,
  offsets: Float64Array,
  delay: number,
  until = sorted.length,
): number {
  const taken = new Uint8Array(sorted.length)
  let count = 0
  for (let i = 0; i < offsets.length; i++) {
    const slot = find(sorted, decoding[i] + offsets[i] - delay, i)
    if (slot < 0 || slot >= until || taken[slot] === 1) continue
    taken[slot] = 1
    count++
  }
  return count
}

/** Which picture has each decoding time, delayed, and which have none of their own. */
function owners(
  decoding: Float64Array,
  sorted: Float64Array,
  offsets: Float64Array,
  delay: number,
): { owner: Int32Array; homeless: number[] } {
  const owner = new Int32Array(sorted.length).fill(-1)
  const homeless: number[] = []
  for (let i = 0; i < offsets.length; i++) {
    const slot = find(sorted, decoding[i] + offsets[i] - delay, i)
    if (slot >= 0 && owner[slot] < 0) owner[slot] = i
    else homeless.push(i)
  }
  return { owner, homeless }
}

/** Moves pictures to times that no picture has. @returns how many, and whether some might have been others */
function fillHoles(
  decoding: Float64Array,
  sorted: Float64Array,
  offsets: Float64Array,
  delay: number,
  work: Allowance,
): { moved: number; guessed: boolean } {
  const { owner, homeless } = owners(decoding, sorted, offsets, delay)
  const holes: number[] = []
  for (const [slot, sample] of owner.entries()) if (sample < 0) holes.push(slot)
  if (holes.length === 0 || homeless.length > MAX_HOMELESS) return { moved: 0, guessed: false }
  let moved = 0
  let guessed = false
  const settle = (sample: number, hole: number): void => {
    offsets[sample] = sorted[holes[hole]] + delay - decoding[sample]
    holes.splice(hole, 1)
    moved++
  }
  const leads = (sample: number, hole: number): boolean =>
    differByOneBit(offsets[sample] >>> 0, (sorted[holes[hole]] + delay - decoding[sample]) >>> 0)
  const left: number[] = []
  for (const sample of homeless) {
    if (!work.take(holes.length * 3)) return { moved, guessed }
    const time = decoding[sample] + offsets[sample] - delay
    const rival = owner[find(sorted, time, sample)] ?? -1
    // Of two pictures at one time, the one that a flipped bit brings to a hole is wrong.
    const mine = holes.findIndex((_, hole) => leads(sample, hole))
    const others = rival < 0 ? -1 : holes.findIndex((_, hole) => leads(rival, hole))
    guessed ||= mine >= 0 && others >= 0
    if (mine >= 0 && (others < 0 || nearer(sample, holes[mine], rival, holes[others]))) settle(sample, mine)
    else if (others >= 0) settle(rival, others)
    else left.push(sample)
  }
  function nearer(sample: number, slot: number, rival: number, other: number): boolean {
    return Math.abs(slot - sample) <= Math.abs(other - rival)
  }
  // where no single bit leads home, pictures go where there is room
  guessed ||= homeless.length !== moved
  for (const group of groups(left, offsets)) {
    if (!work.take(holes.length + HOLES_TRIED * group.length)) return { moved, guessed }
    moved += moveTogether(group, decoding, sorted, offsets, delay, holes)
  }
  return { moved, guessed }
}

/** Samples without a time of their own that have one offset: neighbours in a run of the table. */
function groups(samples: readonly number[], offsets: Float64Array): readonly (readonly number[])[] {
  const byOffset = new Map<number, number[]>()
  for (const sample of samples) {
    const list = byOffset.get(offsets[sample])
    if (list) list.push(sample)
    else byOffset.set(offsets[sample], [sample])
  }
  return [...byOffset.values()]
}

/** Gives samples that share an offset the one with which all have times that no other picture has. @returns how many moved */
function moveTogether(
  samples: readonly number[],
  decoding: Float64Array,
  sorted: Float64Array,
  offsets: Float64Array,
  delay: number,
  holes: number[],
): number {
  // One picture alone may go anywhere, unless there is only one place.
  if (samples.length === 1 && holes.length > 1) return 0
  const free = new Set(holes)
  for (const hole of holes.slice(0, HOLES_TRIED)) {
    const offset = sorted[hole] + delay - decoding[samples[0]]
    const taken = samples.map((sample) => find(sorted, decoding[sample] + offset - delay, sample))
    if (!taken.every((slot) => free.has(slot))) continue
    for (const sample of samples) offsets[sample] = offset
    for (const slot of taken) holes.splice(holes.indexOf(slot), 1)
    return samples.length
  }
  return 0
}

/** Places tried for samples that are moved together. */
const HOLES_TRIED = 256

/** Pictures without a time of their own from which on the table is not mended picture by picture. */
const MAX_HOMELESS = 2000

/** Index of a value in sorted ones, or −1; `near` is where it would be if it were its own picture's decoding time. */
function find(sorted: Float64Array, value: number, near: number): number {
  const at = countBelowNear(sorted, value, near)
  return sorted[at] === value ? at : -1
}
