/** Runs that a beat is told from. */
const MOST_RUNS = 256
/** Periods tried for each run and each picture that the usual distance of runs may be off. */
const TRIED = 8
/** Periods for each run that its kind may keep instead, in the same bounds. */
const OTHER_PERIODS = 2
/** Bits of evidence: chance makes so regular a beat less than once in a thousand recordings. */
const EVIDENCE = 10
/** Share of its runs that a writer begins on the beat, as a rule. */
const KEPT = 0.9
/** Fewer runs tell no beat. */
const FEWEST_RUNS = 3
/** Runs that have another length than most: where all have one, that may be what their writer keeps. */
const FEWEST_OTHERS = 2
/** Seconds that writers' periods are whole multiples of, roundest first. */
const ROUND = [1, 0.5, 0.1]
/** A round period is taken for the writer's own where as narrow bounds hold one by chance less often than this. */
const CHANCE = 0.05
/** Seconds by which rounding takes times off. */
const ROUNDING = 0.002
/** Runs that are held against one another, so that a rate known a little too high or low takes none of them far off. */
const NEIGHBOURS = 8
/** Share of a picture by which runs may miss the beat together. */
const STRAYED = 0.5

/** A writer's habit to begin a run of pictures with the first one at or behind each whole period of the recording's own clock. */
export interface Beat {
  /** Seconds, least and most: the same where the period is known. */
  readonly shortest: number
  readonly longest: number
  /** Seconds by which runs begin after it, least and most. */
  readonly low: number
  readonly high: number
  /** Every run of the recording that it is told from keeps it. */
  readonly always: boolean
  /** Runs are of one number of pictures, which may be what their writer keeps instead: other runs will tell. */
  readonly orCount?: true
}

/** Where a run of pictures begins in a recording of known times. */
export interface RunStart {
  readonly row: number
  /** Seconds from the first picture, of the run's first one and of the one before it. */
  readonly time: number
  readonly before: number
}

/**
 * The beat that runs keep, in order: undefined where chance may keep it too, or a fixed number of pictures a run does and their
 * period is not round. Bounded work, whatever their number.
 */
export function beatOf(all: readonly RunStart[]): Beat | undefined {
  const runs = all.slice(0, MOST_RUNS).filter(({ time, before }) => before >= 0 && time > before)
  if (runs.length < FEWEST_RUNS) return undefined
  const usual = median(runs.slice(1).map(({ time }, i) => time - runs[i].time))
  const gap = median(runs.map(({ time, before }) => time - before))
  if (!(usual > gap)) return undefined
  const tries = runs.length * TRIED
  const period = commonest(runs, usual - gap, usual + gap, tries)
  const kept = runs.filter((run) => keeps(run, period))
  if (evidence(kept, runs.length, period) < EVIDENCE + Math.log2(runs.length * OTHER_PERIODS))
    return undefined
  const { shortest, longest } = boundsOf(kept, period)
  const orCount = !varyInLength(runs)
  if (orCount && longest > shortest) return undefined
  const delays = kept.map(({ time }) => time - wholes(time, period) * ((shortest + longest) / 2))
  const always = kept.length === runs.length
  return {
    shortest,
    longest,
    low: Math.min(...delays),
    high: Math.max(...delays),
    always,
    ...(orCount ? { orCount } : {}),
  }
}

/** Whether the number of pictures in a run varies. */
function varyInLength(runs: readonly RunStart[]): boolean {
  const lengths = runs.slice(1).map(({ row }, i) => row - runs[i].row)
  const counts = new Map<number, number>()
  for (const length of lengths) counts.set(length, (counts.get(length) ?? 0) + 1)
  return lengths.length - Math.max(0, ...counts.values()) >= FEWEST_OTHERS
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1]
}

/** Whole periods that are over at a time. */
function wholes(time: number, period: number): number {
  return Math.floor((time + ROUNDING) / period)
}

/** Share of its period by which runs of a fixed number of pictures keep a beat, rather than that number at another rate. */
const SAME = 0.01

/** Whether runs that sound bounds come as far apart in the mean as the beat has them. */
export function keepsPeriod(bounds: readonly Window[], { shortest, longest }: Beat): boolean {
  const [first, last] = [bounds[0], bounds[bounds.length - 1]]
  if (bounds.length < FEWEST_RUNS) return false
  const apart = (last.low + last.high - first.low - first.high) / 2 / (bounds.length - 1)
  return apart > shortest * (1 - SAME) && apart < longest * (1 + SAME)
}

/** Share of a period by which sound may be off where the beat tells time. */
const VAGUE = 0.25

/**
 * The bounds of runs by the beat alone, wherever near sound has them begin: each behind a later period than the last. Those of
 * runs that begin elsewhere stay as they are.
 */
export function beatenBounds<T extends Window & { readonly begins: boolean }>(
  bounds: readonly T[],
  beat: Beat,
): (T & { readonly isBeat: boolean })[] {
  let last = Number.NEGATIVE_INFINITY
  return bounds.map((heard) => {
    if (!heard.begins) return { ...heard, isBeat: false }
    const period = (beat.shortest + beat.longest) / 2
    const count = Math.round((heard.low + heard.high - beat.low - beat.high) / 2 / period)
    const [low, high] = [count * beat.shortest + beat.low, count * beat.longest + beat.high]
    const isNear = low < heard.high + period * VAGUE && high > heard.low - period * VAGUE
    if (!isNear || count <= last) return { ...heard, isBeat: false }
    last = count
    return { ...heard, low, high, isBeat: true }
  })
}

/** When something happens, in seconds, at the least and at the most. */
interface Window {
  readonly low: number
  readonly high: number
}

/**
 * When a beat begins whose own time nobody knows, in seconds from where the bounds of runs count: less than a period behind it.
 * So that most runs keep both.
 */
export function startOfBeat(bounds: readonly Window[], { shortest: period, low, high }: Beat): number {
  const edges = bounds.slice(0, MOST_RUNS).flatMap((bound) => {
    const from = bound.low - high
    const width = Math.min(period, bound.high - low - from)
    const at = from - Math.floor(from / period) * period
    const rest = at + width - period
    const ends = [
      { at, by: 1 },
      { at: at + Math.min(width, period - at), by: -1 },
    ]
    return rest > 0 ? [...ends, { at: 0, by: 1 }, { at: rest, by: -1 }] : ends
  })
  edges.sort((a, b) => a.at - b.at || b.by - a.by)
  let [count, most, start] = [0, 0, 0]
  for (const [i, { at, by }] of edges.entries()) {
    count += by
    if (by < 0 || count <= most) continue
    most = count
    start = (at + (edges[i + 1]?.at ?? at)) / 2
  }
  return start
}

/** Whether a run begins with the first picture behind a whole period. */
function keeps({ time, before }: RunStart, period: number): boolean {
  return wholes(time, period) > wholes(before, period)
}

/** The middle of the periods between `from` and `to`, of `tries`, that most runs keep. */
function commonest(runs: readonly RunStart[], from: number, to: number, tries: number): number {
  let most = 0
  let [first, last] = [0, 0]
  for (let i = 1; i < tries; i++) {
    const period = from + ((to - from) * i) / tries
    let kept = 0
    for (const run of runs) if (keeps(run, period)) kept++
    if (kept > most) [most, first] = [kept, i]
    if (kept === most && (first === i || last === i - 1)) last = i
  }
  return from + ((to - from) * (first + last)) / 2 / tries
}

/** Bits by which runs speak for a period rather than for chance, which begins one anywhere. */
function evidence(kept: readonly RunStart[], runs: number, period: number): number {
  const hits = kept.reduce(
    (sum, { time, before }) => sum + Math.log2(period / Math.min(period, time - before)),
    0,
  )
  return hits + kept.length * Math.log2(KEPT) + (runs - kept.length) * Math.log2(1 - KEPT)
}

/** The periods that the same runs keep: a round one among them, where they are so few that none would be by chance. */
function boundsOf(kept: readonly RunStart[], period: number): Pick<Beat, 'shortest' | 'longest'> {
  let [shortest, longest] = [0, Number.POSITIVE_INFINITY]
  for (const { time, before } of kept) {
    const count = wholes(time, period)
    shortest = Math.max(shortest, (before + ROUNDING) / count)
    longest = Math.min(longest, (time + ROUNDING) / count)
  }
  for (const grain of ROUND) {
    const round = Math.floor(longest / grain) * grain
    if (round > shortest && longest - shortest < grain * CHANCE) return { shortest: round, longest: round }
  }
  return { shortest, longest }
}

/**
 * Whether runs of pictures that begin at `times` (seconds, rising, each at an even rate behind the one before) cannot all keep a
 * beat of which no run was an exception: then pictures between them were left out. `unit`: seconds a picture lasts.
 */
export function breaksBeat(times: readonly number[], beat: Beat, unit: number): boolean {
  const { shortest, longest, low, high } = beat
  const period = (shortest + longest) / 2
  const room = high - low + unit * STRAYED + (longest - shortest) * NEIGHBOURS
  return (
    beat.always &&
    times.some((_, i) => i > 0 && spread(times.slice(Math.max(0, i + 1 - NEIGHBOURS), i + 1), period) > room)
  )
}

/** Seconds from the earliest to the latest of `times` behind the whole periods nearest to them, whenever these begin. */
function spread(times: readonly number[], period: number): number {
  const [first] = times
  const behind = times.map((time) => time - first - Math.round((time - first) / period) * period)
  return Math.max(...behind) - Math.min(...behind)
}

/**
 * The part of a time's bounds that a beat leaves, and behind how many of its periods: where several lie in there, rather the one
 * behind the `last`. Undefined where none does.
 */
export function onBeat(
  low: number,
  high: number,
  beat: Beat,
  last: number,
): { readonly low: number; readonly high: number; readonly count: number } | undefined {
  const first = Math.ceil((low - beat.high) / beat.longest)
  const until = Math.floor((high - beat.low) / beat.shortest)
  if (first > until) return undefined
  const count = Math.min(until, Math.max(first, last + 1))
  const [from, to] = [count * beat.shortest + beat.low, count * beat.longest + beat.high]
  return { low: Math.max(low, from), high: Math.min(high, to), count }
}
