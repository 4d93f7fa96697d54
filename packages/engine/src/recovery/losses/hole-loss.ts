import type { Allowance } from '../../model/allowance.ts'
import type { Hole } from '../carving/assembler.ts'
import { around } from './around.ts'
import { HoleBytes, type LaneBytes } from './hole-bytes.ts'
import type { Interplay } from './interplay.ts'
import type { KeyDistances } from './key-distances.ts'
import type { LostKey } from './key-rhythm.ts'
import type { Numbering } from './numbering.ts'
import { shortestTurn } from './sound-turns.ts'
import type { Turns } from './turns.ts'

/** Counts of lost pictures tried beyond the least, at the most. */
const MOST_TRIED = 1200
/** A hole's room for pictures, by the sizes around it, is taken to be wrong by these factors and this many at the most. */
const LEAST_ROOM = 0.5
const MOST_ROOM = 1.8
const SPARE_ROOM = 12
/** In nats: a key picture may be lost at many places, while the numbering names one count. */
const KEY_COST = 3
/** Pictures by which two ways of reading the numbering may differ, and what the less exact one costs in nats. */
const NEAR = 2
const UNCOUNTED_COST = 2
/** In nats: a picture more behind a lost key picture than the few behind the hole tell. */
const SLACK_COST = 0.5
/** In nats by which the likeliest count must lead to be certain. */
const CERTAIN = 4
/** Seconds by which sound out of place is noticed: between the thresholds of ITU-R BT.1359-1, 45 ms early and 125 ms late. */
const NOTICED = 0.1
/** Seconds within which sound is in its place: less than a frame of AAC lasts, and half of what is noticed of early sound. */
const SLIGHT = 0.02
/** Share of the shortest turn of sound below which sound that came amid pictures is no turn as others are. */
const BRIEF = 1 / 2
/** Room for sound around its likeliest count, in standard deviations, where pictures tell its time only on average. */
const DEVIATIONS = 3

/** A lane at a hole. */
export interface Found extends LaneBytes {
  /** Seconds of the lane before the hole. */
  readonly clock: number
}

/** All that is known of a hole. */
export interface HoleEvidence {
  readonly hole: Hole
  readonly pictures: Found
  readonly sound: Found | undefined
  readonly others: readonly LaneBytes[]
  readonly turns: Turns
  readonly interplay: Interplay
  /** Pictures come evenly; otherwise only the sound tells time, and `onGrid` pictures come at multiples of their unit. */
  readonly steady: boolean
  readonly onGrid: boolean
  /** How long a picture lasts on average, in seconds. */
  readonly pictureSeconds: number
  /** Of the pictures, around the hole. */
  readonly keys: KeyDistances
  /** Sound in chunks of `length` seconds, of which `rest` seconds are missing beside the hole besides whole chunks. */
  readonly soundChunk: { readonly length: number; readonly rest: number } | undefined
  /** How far sound wanders against pictures in a healthy recording, in seconds. */
  readonly spread: number
  /** What the numbering says; `answered` when it spoke of this place already. */
  readonly numbers: { readonly numbering: Numbering; readonly counted: number } | 'answered' | undefined
}

export interface LostUnits {
  readonly pictures: number
  /** Units of sound. */
  readonly sound: number
  readonly estimated: boolean
  /** See `Loss`. */
  readonly numbered: boolean
  /** Another count of pictures is hardly less likely. */
  readonly uncertain: boolean
  /**
   * Another count of sound, noticeably early or late, is hardly less likely; or others together are likelier; or nothing but
   * bytes that may be foreign speaks for sound where none is written.
   */
  readonly soundUncertain: boolean
  /** Rows that belong to the picture of the row before: 1 when the hole lies within a picture. */
  readonly surplus: number
  /** See `Link`. */
  readonly link: 'told' | 'anew' | number
  /** See `Loss`. */
  readonly behindKey: number | undefined
}

/** Counts of lost pictures to be weighed: from, from + step, … */
interface Range {
  readonly from: number
  readonly step: number
  readonly key: LostKey
  readonly cost: number
  readonly link: 'told' | 'anew' | 'on'
  /** See `LostUnits`. */
  readonly surplus: number
}

/**
 * The pictures and units of sound that a hole most likely swallowed.
 * @param work guesses that may be weighed; where there are too few, the loss is what the hole has room for, and uncertain
 */
export function likeliestLoss(evidence: HoleEvidence, work: Allowance): LostUnits {
  const { pictures, sound, numbers } = evidence
  const bytes = new HoleBytes(evidence.hole, pictures, sound, evidence.others, evidence.keys)
  const guesses = new SoundGuesses()
  const guessSound = soundGuesser(evidence, guesses)
  const { room } = bytes
  let best = {
    pictures: 0,
    sound: 0,
    cost: Number.POSITIVE_INFINITY,
    link: 'told' as Range['link'],
    surplus: 0,
    key: 'none' as LostKey,
  }
  let second = Number.POSITIVE_INFINITY
  const rivalAhead: number[] = []
  const rivalCost: number[] = []
  for (const { from, step, key, cost, link, surplus } of ranges(evidence, bytes)) {
    const until = Math.max(from, Math.ceil(room * MOST_ROOM) + SPARE_ROOM)
    const skipped = Math.max(0, Math.floor(room * LEAST_ROOM - SPARE_ROOM) - from)
    const first = step === 0 ? from : from + Math.floor(skipped / step) * step
    for (let count = first, tried = 0; count <= until && tried < MOST_TRIED; count += step, tried++) {
      let lowest = Number.POSITIVE_INFINITY
      let units = 0
      guesses.clear()
      guessSound(count, surplus)
      for (let i = 0; i < guesses.length; i++) {
        const apart = cost + guesses.cost[i]
        // the bytes only make it less likely
        if (apart > Math.max(lowest, best.cost + CERTAIN)) continue
        if (!work.take()) return roughLoss(evidence, bytes)
        const guessed = guesses.units[i]
        const held = surplus > 0 ? bytes.costWithin(guessed) : bytes.cost(count, guessed, key)
        const total = apart + held
        if (total - best.cost <= CERTAIN) {
          rivalAhead.push(aheadOf(evidence, count - surplus, guessed))
          rivalCost.push(total)
        }
        if (guesses.isOutlying[i] || total >= lowest) continue
        lowest = total
        units = guessed
      }
      if (lowest < best.cost) {
        if (count !== best.pictures) second = best.cost
        best = { pictures: count, sound: units, cost: lowest, link, surplus, key }
      } else if (count !== best.pictures) second = Math.min(second, lowest)
      if (step === 0) break
    }
  }
  const certain = second - best.cost > CERTAIN && !wentBack(evidence, best.pictures)
  const shifts = best.link === 'on' && typeof numbers === 'object' && best.pictures !== numbers.counted
  return {
    pictures: best.pictures,
    sound: best.sound,
    estimated: best.link !== 'on' || !certain,
    numbered: best.link === 'on' && certain && readAlike(evidence),
    uncertain: !certain,
    soundUncertain:
      isBrief(evidence, best.sound) ||
      isOutOfPlace(
        rivalAhead.map((ahead) => ahead - aheadOf(evidence, best.pictures - best.surplus, best.sound)),
        rivalCost.map((cost) => cost - best.cost),
      ),
    surplus: best.surplus,
    link: best.link !== 'on' ? best.link : shifts ? best.pictures : 'told',
    behindKey: best.link === 'anew' && typeof best.key === 'number' ? best.key : undefined,
  }
}

/**
 * Whether sound may be noticeably out of place by some rival, or is more likely than not a little out of place by all together.
 * `apart`: seconds by which each puts it elsewhere than the likeliest count does; `costs`: by how many nats each is less likely.
 */
function isOutOfPlace(apart: readonly number[], costs: readonly number[]): boolean {
  let [near, far] = [0, 0]
  for (const [i, seconds] of apart.entries()) {
    if (costs[i] > CERTAIN) continue
    if (Math.abs(seconds) > NOTICED) return true
    if (Math.abs(seconds) > SLIGHT) far += Math.exp(-costs[i])
    else near += Math.exp(-costs[i])
  }
  return far > near
}

/** Whether the ways of reading the numbers name the same count, but for whole periods. */
function readAlike({ numbers }: HoleEvidence): boolean {
  if (typeof numbers !== 'object') return false
  const { missing, period } = numbers.numbering
  const apart = numbers.counted - missing
  return period > 0 ? apart % period === 0 : apart === 0
}

/** Whether numbers that do not repeat went back over a hole that is said to have taken pictures: they are others' behind it. */
function wentBack({ numbers }: HoleEvidence, pictures: number): boolean {
  if (typeof numbers !== 'object') return false
  const { missing, period, goesOn } = numbers.numbering
  return period === 0 && missing < 0 && !goesOn && pictures - missing > NEAR
}

/** Whether a hole between pictures would have held so much sound, in a turn far shorter than all around. */
function isBrief({ pictures, sound }: HoleEvidence, units: number): boolean {
  if (!sound || units === 0) return false
  return units < BRIEF * shortestTurn(pictures.lane.table, pictures.row, sound.lane.table, sound.row)
}

/** What the numbering tells of a hole, or its room; nothing else was weighed. */
function roughLoss({ pictures, sound, numbers }: HoleEvidence, { room }: HoleBytes): LostUnits {
  const told = numbers === 'answered' ? 0 : Math.max(0, numbers?.counted ?? Math.round(room))
  const units = sound ? Math.round((told * pictures.unitSeconds) / sound.unitSeconds) : 0
  return {
    pictures: told,
    sound: units,
    estimated: true,
    numbered: false,
    uncertain: true,
    soundUncertain: true,
    surplus: 0,
    link: 'told',
    behindKey: undefined,
  }
}

/** Seconds by which so much lost sound is ahead of so many lost pictures. */
function aheadOf({ pictures, sound }: HoleEvidence, count: number, units: number): number {
  return units * (sound?.unitSeconds ?? 0) - count * pictures.unitSeconds
}

function ranges({ numbers }: HoleEvidence, { keys }: HoleBytes): Range[] {
  if (numbers === 'answered') return [{ from: 0, step: 0, key: 'none', cost: 0, link: 'told', surplus: 0 }]
  if (numbers === undefined) return [{ from: 0, step: 1, key: 'due', cost: 0, link: 'told', surplus: 0 }]
  const { numbering, counted } = numbers
  const { missing, period, sinceKey, anew, goesOn, linked, halves, crowded, slack, beyond } = numbering
  const all: Range[] = []
  if (halves) all.push({ from: 0, step: 0, key: 'none', cost: 0, link: 'told', surplus: 1 })
  if (anew) return [...all, { from: counted, step: 1, key: 'due', cost: 0, link: 'told', surplus: 0 }]
  const key = keys.restarting ? 'none' : 'due'
  // counted one by one where nothing is out of order
  const near = Math.abs(missing - counted) <= NEAR
  // where it went back, single numbers are mixed up, unless pictures are decoded so
  const isBack = missing < -NEAR && !goesOn
  for (const least of new Set(isBack ? [missing] : [counted, missing])) {
    const from = least >= 0 || period === 0 ? least : least + Math.ceil(-least / period) * period
    const exact = crowded || isBack || (least === counted) === near
    if (from >= 0)
      all.push({ from, step: period, key, cost: exact ? 0 : UNCOUNTED_COST, link: 'on', surplus: 0 })
  }
  if (crowded && slack > 0) {
    // the few pictures between holes run ahead of the order of decoding, or behind it: their numbers are right, not what they
    // seem to miss
    const known = new Set(all.map(({ from }) => from))
    for (let from = Math.max(0, missing - slack); from <= missing + slack; from++)
      if (!known.has(from)) all.push({ from, step: 0, key, cost: UNCOUNTED_COST, link: 'told', surplus: 0 })
  }
  if (!crowded) {
    for (let more = 1; more <= beyond; more++)
      all.push({ from: counted + more, step: 0, key, cost: UNCOUNTED_COST, link: 'told', surplus: 0 })
  }
  if ((keys.restarting && !linked) || all.length === 0) {
    if (sinceKey === undefined)
      all.push({ from: 1, step: 1, key: 'due', cost: KEY_COST, link: 'anew', surplus: 0 })
    else {
      for (let more = 0; more <= slack; more++) {
        const since = sinceKey + more
        const cost = KEY_COST + more * SLACK_COST
        all.push({ from: since + 1, step: 1, key: since, cost, link: 'anew', surplus: 0 })
      }
    }
  }
  return all
}

/** Counts of lost sound units, one behind the other in columns, which are used again. */
class SoundGuesses {
  readonly units: number[] = []
  /** Unlikelihood in nats. */
  readonly cost: number[] = []
  /** So far from the likeliest that it only tells how certain that one is. */
  readonly isOutlying: boolean[] = []
  length = 0

  clear(): void {
    this.length = 0
  }

  add(units: number, cost: number, isOutlying = false): void {
    const place = this.length++
    this.units[place] = units
    this.cost[place] = cost
    this.isOutlying[place] = isOutlying
  }
}

/** Adds the counts of lost sound units that go with a count of lost pictures, with what they cost by the clocks. */
function soundGuesser(
  evidence: HoleEvidence,
  into: SoundGuesses,
): (pictures: number, surplus: number) => void {
  const { pictures, sound, turns, interplay, steady, onGrid, pictureSeconds, spread } = evidence
  if (!sound) return () => into.add(0, 0)
  const unit = pictures.unitSeconds
  const each = sound.unitSeconds
  if (steady) {
    const meeting = interplay.behind(turns)
    const apart = sound.clock - pictures.clock
    const wanted = meeting.likeliest
    const chunk = evidence.soundChunk
    return (count, surplus) => {
      const offset = (count - surplus) * unit
      const seconds = (wanted ?? apart) - apart + offset
      if (chunk !== undefined)
        return addChunks(chunk, seconds, each, (lost) => meeting.cost(apart + lost - offset), into)
      const likeliest = seconds / each
      for (const units of around(likeliest, Math.ceil(NOTICED / each) + 1)) {
        const loose = wanted === undefined ? (Math.abs(units - likeliest) * each) / Math.max(spread, each) : 0
        const isOutlying = units < Math.floor(likeliest) - 1 || units > Math.ceil(likeliest) + 1
        into.add(units, meeting.cost(apart + units * each - offset) + loose, isOutlying)
      }
    }
  }
  const grid = onGrid ? interplay.grid(turns, unit, sound.clock) : () => 0
  return (count) => {
    const likeliest = (count * pictureSeconds) / each
    const deviation = (unit * Math.sqrt(count + 2)) / each / 2
    for (const units of around(likeliest, Math.ceil(deviation * DEVIATIONS)))
      into.add(units, grid(units * each) + ((units - likeliest) / deviation) ** 2 / 2)
  }
}

/** Whole chunks are lost, and the rest of those at the hole's edges; `seconds` is what the clocks ask for. */
function addChunks(
  { length, rest }: { readonly length: number; readonly rest: number },
  seconds: number,
  unit: number,
  cost: (seconds: number) => number,
  into: SoundGuesses,
): void {
  for (const chunks of around((seconds - rest) / length, 0)) {
    const lost = rest + chunks * length
    into.add(Math.round(lost / unit), cost(lost))
  }
}
