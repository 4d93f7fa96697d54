import { Allowance } from '../../model/allowance.ts'
import type { SampleTable } from '../../model/sample-table.ts'
import type { Hole } from '../carving/assembler.ts'
import type { Lane } from '../carving/lane.ts'
import type { Interleave } from '../learning/learn.ts'
import { furtherLoss } from './further-pictures.ts'
import { type Found, type HoleEvidence, likeliestLoss } from './hole-loss.ts'
import { Interplay } from './interplay.ts'
import { KeyDistances } from './key-distances.ts'
import type { KnownNumbers, Link, Loss } from './loss.ts'
import { type Segment, segments } from './segments.ts'
import type { Ranges } from './turns.ts'

/**
 * Guesses at what holes swallowed that may be weighed: so many, and so many for every byte that the recording takes of its file.
 */
const GUESSES = 1_000_000
const GUESSES_A_BYTE = 1 / 10

/**
 * How much time each lane lost in each hole. All witnesses are heard together: the bitstream's own numbering, the bytes of the
 * hole against the sizes of the units around it, the rhythm of key pictures, and how sound and pictures take turns in the file.
 */
export function losses(
  lanes: readonly Lane[],
  interleave: Interleave,
  holes: readonly Hole[],
  known: KnownNumbers,
): Loss[][] {
  const { reference, sound } = interleave
  const tables = lanes.map((lane) => lane.table)
  const unitSeconds = lanes.map(
    (lane) => interleave.lanes[lane.index].unitDuration / lane.description.timescale || 0,
  )
  const seconds = (lane: number, row: number): number =>
    tables[lane].duration[row] / lanes[lane].description.timescale
  const parts = segments(tables, seconds, holes, reference, sound)
  const expected = expectedLeads(parts, interleave)
  const interplay = new Interplay(interleave.turns)
  const pictureSeconds = meanPicture(parts, interleave, unitSeconds, tables[reference].length)
  const chunk = interleave.turns ? chunkOf(interleave.turns.sound) : 0
  const result: Loss[][] = lanes.map(() => [])
  const work = new Allowance(GUESSES + GUESSES_A_BYTE * extentOf(tables, holes))
  const keys = new KeyDistances(tables[reference], interleave.lanes[reference].keySpacing ?? 0)
  const clock = lanes.map(() => 0)
  let lastRow = -1
  for (const part of parts) {
    const { hole } = part
    if (hole) {
      // of several holes before one picture, the first answers for what the numbering misses
      const row = part.firstRow[reference]
      const numbers = known(reference, row)
      const told = row === lastRow ? repeated(numbers) : numbers
      lastRow = row
      const lost = clock.every((time) => time === 0)
        ? atStart(part, lanes, interleave, interplay, expected)
        : inHole(part, hole, clock, told, {
            lanes,
            interleave,
            interplay,
            expected,
            unitSeconds,
            pictureSeconds,
            chunk,
            keys,
            work,
            numbersOf: known,
          })
      for (const lane of lanes) {
        const { seconds: time, surplus, estimated, numbered, uncertain, link, behindKey } = lost[lane.index]
        clock[lane.index] += time - surplus
        const row = part.firstRow[lane.index]
        const key = behindKey === undefined ? {} : { behindKey }
        // what is missing somewhere around moves what lies between by so much
        const astray = hole.unplaced === true && time > unitSeconds[reference] / 2
        result[lane.index].push({
          row,
          seconds: time,
          estimated,
          numbered,
          uncertain: uncertain || astray,
          link,
          ...key,
          hole,
        })
      }
    }
    const heard = sound < 0 ? 0 : clock[sound]
    interplay.pass(part.turns, heard - clock[reference], heard)
    for (const lane of lanes) clock[lane.index] += part.advance[lane.index]
  }
  return result
}

/** Bytes from the first to the last of what rows and holes take. */
function extentOf(tables: readonly SampleTable[], holes: readonly Hole[]): number {
  let from = Number.POSITIVE_INFINITY
  let until = 0
  const take = (offset: number, size: number): void => {
    from = Math.min(from, offset)
    until = Math.max(until, offset + size)
  }
  for (const { offset, size, length } of tables)
    for (let row = 0; row < length; row++) take(offset[row], size[row])
  for (const { offset, length } of holes) take(offset, length)
  return Math.max(0, until - from)
}

/** What the numbering says to a second hole before the same picture: nothing, unless it spoke of the first. */
function repeated(numbers: ReturnType<KnownNumbers>): 'answered' | undefined {
  return numbers === undefined || numbers.numbering.anew ? undefined : 'answered'
}

interface Witnesses {
  readonly lanes: readonly Lane[]
  readonly interleave: Interleave
  readonly interplay: Interplay
  readonly expected: readonly number[]
  readonly unitSeconds: readonly number[]
  /** How long a picture lasts on average, in seconds: more than a unit where pictures are left out. */
  readonly pictureSeconds: number
  /** See `chunkOf`. */
  readonly chunk: number
  readonly keys: KeyDistances
  readonly work: Allowance
  readonly numbersOf: KnownNumbers
}

interface LaneLoss {
  readonly seconds: number
  /** Seconds by which the rows behind the hole count too much: the hole parted a picture. */
  readonly surplus: number
  readonly estimated: boolean
  readonly numbered: boolean
  readonly uncertain: boolean
  readonly link: Link
  readonly behindKey: number | undefined
}

const GUESSED = {
  ...{ estimated: true, numbered: false, uncertain: false },
  ...{ link: 'told' as const, behindKey: undefined },
}

const lossOf = (
  seconds: number,
  { estimated, numbered, uncertain, link, behindKey }: Omit<LaneLoss, 'seconds' | 'surplus'> = GUESSED,
  surplus = 0,
): LaneLoss => ({ seconds, surplus, estimated, numbered, uncertain, link, behindKey })

/** What was before the first unit is gone for all lanes: only their distance counts, to the instant. */
function atStart(
  part: Segment,
  lanes: readonly Lane[],
  { reference, sound, spread, lanes: priors }: Interleave,
  interplay: Interplay,
  expected: readonly number[],
): LaneLoss[] {
  const meeting = interplay.behind(part.turns)
  const met = priors[reference].steady && meeting.isSharp ? meeting.likeliest : undefined
  // the sample may be too short to show it
  const wander = part.leads.map((leads, index) => Math.max(spread[index], leads.wander))
  const behind = lanes.map((lane) => {
    if (lane.index === reference || !priors[reference].steady) return undefined
    if (lane.index === sound && met !== undefined) return met
    const lead = part.leads[lane.index].usual
    if (lead === undefined) return undefined
    const apart = expected[lane.index] - lead
    // within what a healthy recording wanders nothing is proved
    return Math.abs(apart) <= wander[lane.index] ? 0 : apart
  })
  const apart = behind[mainLane(lanes, reference, behind) ?? reference] ?? 0
  return lanes.map(({ index }) => {
    const late = index === reference ? 0 : (behind[index] ?? 0)
    // of few turns any distance between their bounds is as likely
    const known = met !== undefined && meeting.width <= 2 * AUDIBLE
    const uncertain = index === sound && !known && wander[index] > AUDIBLE
    return lossOf(Math.max(0, late + Math.max(0, -apart)), {
      ...GUESSED,
      uncertain,
    })
  })
}

/** Seconds by which sound may be early or late and few notice, ITU-R BT.1359-1 Annex 1. */
const AUDIBLE = 0.1

function inHole(
  part: Segment,
  hole: Hole,
  clock: readonly number[],
  known: ReturnType<KnownNumbers> | 'answered',
  witnesses: Witnesses,
): LaneLoss[] {
  const {
    lanes,
    interleave,
    interplay,
    expected,
    unitSeconds,
    pictureSeconds,
    chunk,
    keys,
    work,
    numbersOf,
  } = witnesses
  const { reference } = interleave
  keys.moveTo(part.firstRow[reference])
  const found = (index: number): Found => ({
    lane: lanes[index],
    unitSeconds: unitSeconds[index],
    row: part.firstRow[index],
    clock: clock[index],
  })
  const sound =
    interleave.sound >= 0 && interleave.sound !== reference && unitSeconds[interleave.sound] > 0
      ? interleave.sound
      : -1
  const { steady, onGrid } = interleave.lanes[reference]
  const evidence: HoleEvidence = {
    hole,
    pictures: found(reference),
    sound: sound < 0 ? undefined : found(sound),
    others: lanes
      .filter(({ index }) => index !== reference && index !== sound && unitSeconds[index] > 0)
      .map(({ index }) => found(index)),
    turns: part.turns,
    interplay,
    steady,
    onGrid: onGrid ?? false,
    pictureSeconds,
    soundChunk: sound < 0 ? undefined : chunkAt(hole, lanes[sound], part.firstRow[sound], interleave, chunk),
    keys,
    spread: sound < 0 ? 0 : interleave.spread[sound],
    numbers: known,
  }
  const lost = likeliestLoss(evidence, work)
  const time = lost.pictures * unitSeconds[reference]
  return lanes.map((lane) => {
    const { index } = lane
    if (index === reference) return lossOf(time, lost, lost.surplus * unitSeconds[reference])
    if (index === sound) {
      const seconds = lost.sound * unitSeconds[index]
      // of plain sound nothing but chunks as regular as others tells how much is missing
      const isUnseen =
        lane.description.blockAlign !== undefined &&
        (interleave.turns?.sound.low.length ?? 0) < FEWEST_CHUNKS &&
        seconds > AUDIBLE
      return lossOf(seconds, { ...GUESSED, uncertain: lost.soundUncertain || isUnseen })
    }
    const lead = part.leads[index].usual
    const passed = steady || sound < 0 ? time : lost.sound * unitSeconds[sound]
    // by how much the lane is behind the reference lane, which nothing but a loss of its own explains
    const behind =
      lead === undefined || !steady ? 0 : expected[index] - (clock[index] - clock[reference] + lead)
    // within what a healthy recording wanders nothing is proved
    const own = Math.abs(behind) <= interleave.spread[index] ? 0 : behind
    if (unitSeconds[index] <= 0) return lossOf(0)
    const units = Math.max(0, Math.round((passed + own) / unitSeconds[index]))
    const further = furtherLoss(numbersOf(index, part.firstRow[index]), units)
    return lossOf(further.pictures * unitSeconds[index], { ...GUESSED, ...further })
  })
}

/**
 * Chunks of sound without syntax, when the sample's are of one length, longer than a few pictures; and what is missing of the
 * pieces of chunks that the hole left on either side.
 */
function chunkAt(
  hole: Hole,
  { table, description }: Lane,
  row: number,
  { lanes, sound }: Interleave,
  length: number,
): { readonly length: number; readonly rest: number } | undefined {
  if (
    description.blockAlign === undefined ||
    length * description.timescale < lanes[sound].unitDuration * LEAST_CHUNK
  )
    return undefined
  const seconds = (at: number): number => table.duration[at] / description.timescale
  let rest = 0
  if (row > 0 && table.offset[row - 1] + table.size[row - 1] === hole.offset)
    rest += missing(seconds(row - 1), length)
  if (row < table.length && table.offset[row] === hole.offset + hole.length)
    rest += missing(seconds(row), length)
  // both pieces may be of one chunk
  return { length, rest: rest >= length ? rest - length : rest }
}

/** What pieces of chunks of `length` lack to whole ones. */
function missing(seconds: number, length: number): number {
  return Math.ceil(seconds / length - ROUNDING) * length - seconds
}

/** Share of a chunk that is rounding. */
const ROUNDING = 1e-3
/** Sample frames that make a chunk. */
const LEAST_CHUNK = 64
/** Share of chunks that must be of one length. */
const REGULAR = 0.8
/** Chunks that must be seen: a recording's first is often longer than all others. */
const FEWEST_CHUNKS = 3

/** The length in seconds that nearly all of the sample's chunks have, 0 when they differ or are too few. */
function chunkOf({ low, high }: Ranges): number {
  if (low.length < FEWEST_CHUNKS) return 0
  const lengths = low.map((start, i) => high[i] - start).sort((a, b) => a - b)
  const middle = lengths[lengths.length >> 1] ?? 0
  const equal = lengths.filter((length) => Math.abs(length - middle) <= middle * ROUNDING).length
  return equal >= lengths.length * REGULAR ? middle : 0
}

/** Seconds a picture lasts on average: by the sound where pictures are left out. */
function meanPicture(
  parts: readonly Segment[],
  { reference, sound, lanes }: Interleave,
  unitSeconds: readonly number[],
  pictures: number,
): number {
  const unit = unitSeconds[reference]
  if (lanes[reference].steady || sound < 0 || pictures === 0) return unit
  const heard = parts.reduce((sum, part) => sum + part.advance[sound], 0)
  return Math.max(unit, heard / pictures)
}

/** The lane that tells most of the reference lane's clock: sound where there is any. */
function mainLane(
  lanes: readonly Lane[],
  reference: number,
  behind: readonly (number | undefined)[],
): number | undefined {
  const usable = lanes.filter((lane) => lane.index !== reference && behind[lane.index] !== undefined)
  return (usable.find((lane) => lane.description.kind === 'audio') ?? usable[0])?.index
}

/** The distance lanes keep from the reference: measured before the first hole, else the sample's. */
function expectedLeads(parts: readonly Segment[], interleave: Interleave): number[] {
  const [first] = parts
  return interleave.lead.map((fromSample, lane) => {
    const { seconds, usual } = first.leads[lane]
    const own = first.hole === undefined && seconds.length >= 4 ? usual : undefined
    return own ?? fromSample
  })
}
