import type { ByteReader } from '../../bytes/reader.ts'
import { SAMPLE_KEY, type SampleTable } from '../../model/sample-table.ts'
import type { TrackDescription } from '../../model/track.ts'
import type { RecordedTrack } from '../carving/lane.ts'
import { Turns } from '../losses/turns.ts'
import type { Lag } from '../timing/lag.ts'
import { measureLag, timesItself } from '../timing/variable-rate.ts'
import { countsOf, meanDeviation, shareWithin, weightedMean, weightedMedian } from './counted-durations.ts'
import { decodedAhead, placesAhead } from './decoded-ahead.ts'
import { evenUnit } from './even-rate.ts'
import { Leads } from './leads.ts'
import { pictureDurations } from './picture-durations.ts'
import { inFileOrder } from './rows-by-place.ts'
import { ShareOrder } from './share-order.ts'
import { type StepHabits, stepHabits } from './step-habits.ts'

/** A piece of one track as it lies between others: adjacent units of one lane. */
export interface Piece {
  readonly lane: number
  readonly bytes: number
  /** Bytes of each of its units, in order; absent where they are not known. */
  readonly units?: readonly number[]
}

/** What may lie between two units with syntax: pieces of lanes without, in order, as the sample had them. */
export interface GapPattern {
  readonly pieces: readonly Piece[]
  readonly total: number
  /** How often the sample had it. */
  readonly count: number
}

/** What the sample teaches of one track. Statistics order guesses; they never refuse what the bytes prove. */
export interface LanePrior {
  /** Dominant duration of a unit in ticks of the track's timescale, 0 when unknown. */
  readonly unitDuration: number
  /** Nearly all units last equally long. */
  readonly constantRate: boolean
  /** Units are about equally long, however they jitter: none are left out. */
  readonly steady: boolean
  /** A unit is missing from an even rate here and there, or held back by a part of one: so may some be of another recording. */
  readonly skips?: boolean
  /** The rate varies by whole units: units come at multiples of `unitDuration`, and some of them are left out. */
  readonly onGrid?: boolean
  /** Usual distance of key units, in units; 0 or absent when unknown. */
  readonly keySpacing?: number
  /** How pictures of a variable rate follow one another on a grid, if they do. */
  readonly steps?: StepHabits | undefined
  /** Ticks from a unit to the next in the mean, where no duration is so common that it tells how most units come. */
  readonly pace?: number
  /** How far units of a variable rate usually stray from `unitDuration`, in ticks. */
  readonly jitter: number
  /** Average bytes of a unit (PCM: of one sample frame). */
  readonly unitBytes: number
  /** All units have this size, else 0. */
  readonly constantUnitBytes: number
  /** Bytes a second. */
  readonly byteRate: number
  /** Units in each run of adjacent units, the usual number. */
  readonly runUnits: number
  /** First bytes that nearly every unit shares. */
  readonly prefix: Uint8Array
  /** Composition delay of the first sample, in ticks. */
  readonly firstCts: number
  /** Units by which decoding runs ahead of showing; absent where the recording's times do not tell. */
  readonly ahead?: number | undefined
  /** See `RecordedTrack`. */
  readonly asDecoded?: boolean
}

export interface Interleave {
  readonly lanes: readonly LanePrior[]
  /** Patterns of lanes without syntax, most frequent first. */
  readonly patterns: readonly GapPattern[]
  /**
   * Seconds by which each lane's clock is ahead of the reference lane's (the first video lane, else lane 0) where a run of
   * the lane begins: the median over the recording.
   */
  readonly lead: readonly number[]
  /** How far `lead` wanders in a healthy recording, in seconds: half the range that holds nearly all run starts. */
  readonly spread: readonly number[]
  readonly reference: number
  /**
   * Place of each lane among those of its codec where units of several of them join: as many of these lie before it. 0 for all
   * where their order changes; absent when no recording was seen.
   */
  readonly places?: readonly number[]
  /**
   * Bytes that lie between units of the healthy recording itself and belong to no track, when that is usual there (padding,
   * tracks taken out by an editor): a hole no larger lost nothing. 0 when units join.
   */
  readonly filler: number
  /** First sound lane, whose clock times pictures of a variable rate; -1 when there is none. */
  readonly sound: number
  /** Where pictures lie among the sound, see `Lag`. */
  readonly lag: Lag | undefined
  /** How the sample's sound and pictures take turns; absent when no recording was seen. */
  readonly turns?: Turns
}

/** Distinct patterns kept: cameras have a handful, packet-wise multiplexers a few dozen. */
const PATTERN_LIMIT = 96
/** Share of a unit by which rounding may take a time off the grid. */
const OFF_GRID = 0.02
/** Ticks of a duration from which on one tick more or less is rounding, not another picture. */
const LEAST_ROUNDED = 4
/** Share of durations from which on one is how most units come. */
const MOST = 0.75
/** Turns of sound and pictures kept. */
const TURNS = 4096
/** Share of runs behind which unexplained bytes make such bytes usual. */
const USUAL_FILLER = 0.1
/** Durations among which a single one that differs makes no variable rate. */
const FEWEST_DURATIONS = 6
/** Durations beyond this many times the usual are what is missing from the recording itself, or its slow start. */
const OUTLYING = 4
const PREFIX_BYTES = 16
/** Units compared for a common prefix. */
const PREFIX_UNITS = 64

/** Learns the layout of a healthy recording. `hasSyntax[i]` tells which lanes recognise their own units. */
export function learn(
  reader: ByteReader,
  tracks: readonly RecordedTrack[],
  hasSyntax: readonly boolean[],
): Interleave {
  // how tracks lie among each other shows by their own times
  const tables = tracks.map(({ table, asRecorded }) => asRecorded ?? table)
  const patterns = new Map<string, { pieces: Piece[]; total: number; count: number }>()
  let gap: { lane: number; bytes: number; units: number[] }[] = []
  let lastLane = -1
  let lastEnd = -1
  const runs = tracks.map(() => 0)
  const clock = tracks.map(() => 0)
  const reference = Math.max(
    0,
    tracks.findIndex((track) => track.description.kind === 'video'),
  )
  const leads = tracks.map(() => new Leads(10_000))
  const fillers: number[] = []
  const turns = new Turns(TURNS)
  const order = new ShareOrder(tracks.map(({ description }) => description.codec))
  const sound = tracks.findIndex((track) => track.description.kind === 'audio')
  const closeGap = (): void => {
    if (gap.length === 0) return
    const key = gap.map((piece) => `${piece.lane}:${piece.bytes}`).join(' ')
    const known = patterns.get(key)
    if (known) known.count++
    else patterns.set(key, { pieces: gap, total: gap.reduce((sum, piece) => sum + piece.bytes, 0), count: 1 })
    gap = []
  }
  inFileOrder(tables, (lane, row) => {
    const table = tables[lane]
    const offset = table.offset[row]
    const bytes = table.size[row]
    const adjacent = offset === lastEnd
    if (hasSyntax[lane]) closeGap()
    else {
      const piece = gap.at(-1)
      if (piece && piece.lane === lane && adjacent) {
        piece.bytes += bytes
        piece.units.push(bytes)
      } else gap.push({ lane, bytes, units: [bytes] })
    }
    if (!adjacent && lastEnd >= 0 && offset > lastEnd) fillers.push(offset - lastEnd)
    if (adjacent && lane !== lastLane) order.follow(lastLane, lane)
    if (lane !== lastLane || !adjacent) {
      runs[lane]++
      if (lane !== reference) leads[lane].add(clock[lane] - clock[reference], clock[reference] > 0)
    }
    const start = table.dts[row] / tracks[lane].description.timescale
    clock[lane] = (table.dts[row] + table.duration[row]) / tracks[lane].description.timescale
    if (lane === reference) turns.picture(start, clock[lane])
    else if (lane === sound) turns.soundUnit(start, clock[lane])
    lastLane = lane
    lastEnd = offset + bytes
  })
  closeGap()
  const timescales = tracks.map((track) => track.description.timescale)
  const lanes = tracks.map((track, lane) => lanePrior(reader, track, runs[lane]))
  const lag = sound >= 0 && sound !== reference ? measureLag(tables, timescales, reference, sound) : undefined
  const { unitDuration, jitter, constantRate } = lanes[reference]
  const [unit, strays] = [unitDuration, jitter].map((ticks) => ticks / timescales[reference])
  const isRough =
    lag !== undefined &&
    !constantRate &&
    !timesItself({ tables, timescales, picture: reference, sound, lag, unit, jitter: strays })
  const allRuns = runs.reduce((sum, count) => sum + count, 0)
  return {
    sound,
    filler: fillers.length > allRuns * USUAL_FILLER ? Math.max(...fillers.slice(0, 10_000)) : 0,
    lag: lag && isRough ? { ...lag, rough: true } : lag,
    lanes,
    patterns: [...patterns.values()].sort((a, b) => b.count - a.count).slice(0, PATTERN_LIMIT),
    lead: leads.map(({ usual = 0 }) => usual),
    spread: leads.map(({ wander }) => wander),
    reference,
    turns,
    places: order.places(),
  }
}

function lanePrior(reader: ByteReader, track: RecordedTrack, runs: number): LanePrior {
  const { table, description, leavesOut = false } = track
  let bytes = 0
  let units = 0
  let ticks = 0
  let constantUnitBytes = table.length > 0 ? table.size[0] / table.count[0] : 0
  const shown = description.kind === 'video' ? pictureDurations(table) : new Float64Array(0)
  const durations = countsOf(shown)
  for (let row = 0; row < table.length; row++) {
    bytes += table.size[row]
    units += table.count[row]
    ticks += table.duration[row]
    if (table.size[row] / table.count[row] !== constantUnitBytes) constantUnitBytes = 0
    // the last sample's duration is often a writer's guess
    if (description.kind !== 'video' && (row < table.length - 1 || row === 0)) {
      const each = table.duration[row] / table.count[row]
      durations.set(each, (durations.get(each) ?? 0) + table.count[row])
    }
  }
  let unitDuration = 0
  let dominant = 0
  for (const [duration, count] of durations) {
    if (count > dominant) {
      dominant = count
      unitDuration = duration
    }
  }
  const dominantDuration = unitDuration
  const counted = [...durations.values()].reduce((sum, count) => sum + count, 0)
  // rounding of rates like 30000/1001 in coarse timescales alternates neighbouring values: still a constant rate
  const rounding = unitDuration >= LEAST_ROUNDED ? 1 : 0
  let near = 0
  for (const [duration, count] of durations) if (Math.abs(duration - unitDuration) <= rounding) near += count
  // one picture alone that lasts longer was lost from the sample, or is its last
  const single = counted >= FEWEST_DURATIONS && near === counted - 1
  const even = evenUnit(shown)
  const constantRate = counted === 0 || near >= counted * 0.98 || single || even !== undefined
  // a rate that changes at times has one that is the usual
  const usualRate = isMedia(description) && near > counted / 2
  if (even !== undefined) unitDuration = even
  else if ((constantRate || usualRate) && units > 1 && near > dominant)
    unitDuration = weightedMean(durations, unitDuration, rounding)
  else if (!constantRate && !usualRate) {
    const usual = weightedMedian(durations)
    // data come at the times of what they describe, packets in turn with nothing: only all of them together tell a rate
    unitDuration = isMedia(description)
      ? weightedMean(durations, usual, usual / 4)
      : weightedMean(durations, 0, weightedMean(durations, 0, Number.POSITIVE_INFINITY) * OUTLYING)
  }
  return {
    unitDuration,
    constantRate: constantRate && !leavesOut,
    steady: !leavesOut && (constantRate || shareWithin(durations, unitDuration, unitDuration / 2) >= 0.98),
    skips:
      description.kind === 'video' &&
      ((track.told === true && skipsUnits(table, unitDuration)) || leavesGrid(durations, unitDuration)),
    keySpacing: usualKeySpacing(table),
    onGrid: leavesOut || (!constantRate && isOnGrid(durations, dominantDuration)),
    ...(description.kind === 'video' && !constantRate ? { steps: stepHabits(table) } : {}),
    ...(near < counted * MOST ? { pace: weightedMean(durations, 0, unitDuration * OUTLYING) } : {}),
    jitter: constantRate ? 0 : meanDeviation(durations, unitDuration, unitDuration / 4),
    unitBytes: units > 0 ? bytes / units : 0,
    constantUnitBytes,
    byteRate: ticks > 0 ? (bytes * description.timescale) / ticks : 0,
    runUnits: runs > 0 ? Math.max(1, Math.round(units / runs)) : 1,
    prefix: commonPrefix(reader, track),
    ahead: constantRate && unitDuration > 0 ? placesAhead(table, unitDuration) : decodedAhead(table),
    firstCts: table.length > 0 ? table.cts[0] : 0,
    ...(track.asDecoded ? { asDecoded: true } : {}),
  }
}

function isMedia({ kind }: TrackDescription): boolean {
  return kind === 'video' || kind === 'audio'
}

/** Units by which two pictures in display order are apart where one between them is missing. */
const SKIPPED = 1.5

/** Pictures shown last among which others are missing where a recording breaks off: they were to be written behind them. */
const LAST = 16

/** How far from a whole number of units a picture lasts that lasts longer than one, of one: neither lost pictures nor jitter. */
const HELD_BACK = 0.25

/** Whether a picture lasts longer than others do, though not by whole units: the recorder held it back, and may hold back any. */
function leavesGrid(durations: ReadonlyMap<number, number>, unit: number): boolean {
  if (unit < LEAST_ROUNDED) return false
  return [...durations.keys()].some(
    (each) => each > unit && Math.abs(each / unit - Math.round(each / unit)) > HELD_BACK,
  )
}

/**
 * Whether pictures behind the first are missing from an even rate: what is between that and the second is the camera's start.
 * Near the end their decoding tells, which goes on evenly where a recording breaks off.
 */
function skipsUnits({ length, dts, cts }: SampleTable, unit: number): boolean {
  const shown = new Float64Array(length)
  for (let row = 0; row < length; row++) shown[row] = dts[row] + cts[row]
  shown.sort()
  for (let i = 2; i < length; i++) {
    const times = i < length - LAST ? shown : dts
    if (times[i] - times[i - 1] > unit * SKIPPED) return unit > 0
  }
  return false
}

/** The commonest distance of key units, the longest of equals. */
function usualKeySpacing(table: SampleTable): number {
  const distances = new Map<number, number>()
  let last = -1
  for (let row = 0; row < table.length; row++) {
    if ((table.flags[row] & SAMPLE_KEY) === 0) continue
    if (last >= 0) distances.set(row - last, (distances.get(row - last) ?? 0) + 1)
    last = row
  }
  let spacing = 0
  let most = 0
  for (const [distance, count] of distances) {
    if (count < most || (count === most && distance < spacing)) continue
    most = count
    spacing = distance
  }
  return spacing
}

/** Whether nearly all durations are whole multiples of `unit`, give or take rounding. */
function isOnGrid(durations: ReadonlyMap<number, number>, unit: number): boolean {
  if (unit <= 0) return false
  let near = 0
  let all = 0
  for (const [duration, count] of durations) {
    all += count
    const units = Math.round(duration / unit)
    if (units > 0 && Math.abs(duration - units * unit) <= Math.max(units, unit * OFF_GRID)) near += count
  }
  return near >= all * 0.98
}

function commonPrefix(reader: ByteReader, track: RecordedTrack): Uint8Array {
  const { table } = track
  if (table.length < 2 || table.count[0] > 1) return new Uint8Array(0)
  const first = reader.bytes(table.offset[0], Math.min(PREFIX_BYTES, table.size[0])).slice()
  let shared = first.length
  const step = Math.max(1, Math.floor(table.length / PREFIX_UNITS))
  for (let row = 0; row < table.length && shared > 0; row += step) {
    const bytes = reader.bytes(table.offset[row], Math.min(shared, table.size[row]))
    let same = 0
    while (same < bytes.length && bytes[same] === first[same]) same++
    shared = same
  }
  return first.subarray(0, shared)
}

/** Half the range between the 5th and the 95th percentile. */
