import type { Allowance } from '../../model/allowance.ts'

/** How the units of a stretch without a hole may be dealt. */
export interface Deal {
  /** The lane of each unit, by its place in the group. */
  readonly which: Uint8Array
  /** Seconds at which each lane's next unit starts. */
  readonly clocks: readonly number[]
  /** Other deals are about as likely. */
  readonly guessed: boolean
}

/** What is known of a stretch of units of tracks that look alike and take turns by their clocks. */
export interface Stretch {
  readonly units: number
  /** Seconds that unit `unit` lasts in lane `lane`. */
  readonly seconds: (unit: number, lane: number) => number
  /** Bits by which unit `unit` is like those of lane `lane`: differences count. */
  readonly bits: (unit: number, lane: number) => number
  /** Whether units of other tracks lie before a unit. */
  readonly begins: (unit: number) => boolean
  /** Bits by which each lane is likely to begin such a run. */
  readonly beginning: readonly number[]
}

/** Units that tell how clocks stand behind a hole. */
const WITNESSES = 512
/** Bits between two deals, the less likely of which is out of the question. */
const CERTAIN = 6
/** Share of units that two deals have in common at most for them to be different ones. */
const SAME_SHARE = 0.9
/** Ways in which clocks may stand apart that are tried, over all lanes. */
const MOST_STANDS = 1024
/** Looks at units that one stand takes beside those at its own. */
const STAND_LOOKS = 32
/** Even steps tried for each lane. */
const MOST_STEPS = 96
/** Bits by which units must be rather like another lane's for clocks to have slipped. */
const SLIP = 48
/** Bits by which a unit may be rather like another lane's: single ones stray. */
const STRAY = 1
/** Slips in one stretch that are looked into. */
const MOST_SLIPS = 64
/** Units of one lane within which those of two may come out even: 147 at 44.1 kHz and 160 at 48 kHz. */
const LONGEST_ROUND = 160

/**
 * Deals a stretch by clocks: the unit that starts soonest comes next. Where clocks stand is known where nothing was lost
 * (`clocks`), and otherwise the stand is taken that makes each lane's units most like its own. Where they are like others' from
 * some unit on, one was lost there without a hole to tell of it.
 * @param phases seconds at which each lane's clock started in the recording, undefined when nobody knows
 * @param looks at a unit in a lane that may be taken, over all stretches: without them clocks start level, and the deal is
 * guessed
 */
export function dealTurns(
  stretch: Stretch,
  clocks: readonly number[],
  disturbed: boolean,
  phases: readonly number[] | undefined,
  looks: Allowance,
): Deal {
  const which = new Uint8Array(stretch.units)
  let from = 0
  let guessed = false
  let deal = disturbed ? dealAnew(stretch, clocks.length, phases, looks) : dealOn(stretch, clocks)
  for (let slips = 0; slips < MOST_SLIPS; slips++) {
    const slip = slipOf(stretch, from, deal.which)
    if (slip < 0) break
    const rest = behind(stretch, from + slip)
    const next = dealAnew(rest, clocks.length, phases, looks)
    const witnesses = Math.min(rest.units, WITNESSES)
    const gain =
      likelihood(rest, next.which.subarray(0, witnesses)) -
      likelihood(rest, deal.which.subarray(slip, slip + witnesses))
    if (gain < SLIP) break
    which.set(deal.which.subarray(0, slip), from)
    from += slip
    deal = next
    guessed = true
  }
  which.set(deal.which, from)
  return { which, clocks: deal.clocks, guessed: guessed || deal.guessed }
}

/** Deals a stretch by clocks that stand so. */
function dealOn(stretch: Stretch, stand: readonly number[]): Deal {
  const which = new Uint8Array(stretch.units)
  return { which, clocks: run(stretch, stand, which), guessed: false }
}

/** A stand of the clocks with how it deals the first units. */
interface Tried {
  readonly stand: readonly number[]
  readonly which: Uint8Array
  readonly bits: number
}

/** Deals a stretch by the stand of its clocks that suits its first units best. */
function dealAnew(
  stretch: Stretch,
  lanes: number,
  phases: readonly number[] | undefined,
  looks: Allowance,
): Deal {
  const witnesses = Math.min(stretch.units, WITNESSES)
  if (!looks.take(MOST_STANDS * (witnesses * lanes + STAND_LOOKS)))
    return { ...dealOn(stretch, new Array<number>(lanes).fill(0)), guessed: true }
  const steps = Math.max(2, Math.floor(MOST_STANDS ** (1 / Math.max(1, lanes - 1))))
  const begun = firstUnits(stretch, witnesses, lanes)
  const which = new Uint8Array(witnesses)
  const clocks = new Float64Array(lanes)
  let best: Tried = { stand: [], which, bits: Number.NEGATIVE_INFINITY }
  const likely: Tried[] = []
  for (const stand of stands(stretch, lanes, steps, phases)) {
    clocks.set(stand)
    const bits = deal(begun, clocks, which)
    if (bits <= best.bits - CERTAIN) continue
    const tried = { stand: [...stand], which: which.slice(), bits }
    likely.push(tried)
    if (bits > best.bits) best = tried
  }
  const isGuessed =
    2 ** (lanes - 1) > MOST_STANDS ||
    likely.some(({ which, bits }) => bits > best.bits - CERTAIN && !nearlySame(which, best.which))
  return { ...dealOn(stretch, best.stand), guessed: isGuessed }
}

/** What is known of a stretch's first units, by unit and then lane: it is gone through for each stand of the clocks. */
interface FirstUnits {
  readonly lanes: number
  readonly seconds: Float64Array
  /** Bits by which a unit is like those of a lane, and by which it begins a run where it does. */
  readonly bits: Float64Array
}

function firstUnits({ seconds, bits, begins, beginning }: Stretch, units: number, lanes: number): FirstUnits {
  const first = { lanes, seconds: new Float64Array(units * lanes), bits: new Float64Array(units * lanes) }
  for (let unit = 0; unit < units; unit++)
    for (let lane = 0; lane < lanes; lane++) {
      first.seconds[unit * lanes + lane] = seconds(unit, lane)
      first.bits[unit * lanes + lane] = bits(unit, lane) + (unit > 0 && begins(unit) ? beginning[lane] : 0)
    }
  return first
}

/** Deals the first units from clocks that stand so, which go on; returns by how many bits they are like their lanes' units. */
function deal({ lanes, seconds, bits }: FirstUnits, clocks: Float64Array, which: Uint8Array): number {
  let sum = 0
  for (let unit = 0, at = 0; unit < which.length; unit++, at += lanes) {
    let lane = 0
    for (let i = 1; i < lanes; i++) if (clocks[i] < clocks[lane] - LEVEL) lane = i
    which[unit] = lane
    clocks[lane] += seconds[at + lane]
    sum += bits[at + lane]
  }
  return sum
}

/** The units of a stretch from `from` on. */
function behind({ units, seconds, bits, begins, beginning }: Stretch, from: number): Stretch {
  return {
    units: units - from,
    seconds: (unit, lane) => seconds(from + unit, lane),
    bits: (unit, lane) => bits(from + unit, lane),
    begins: (unit) => begins(from + unit),
    beginning,
  }
}

/** The unit of `which` from which on units are rather like those of other lanes; -1 where none are. */
function slipOf({ bits }: Stretch, from: number, which: Uint8Array): number {
  const lanes = 1 + which.reduce((most, lane) => Math.max(most, lane), 0)
  let regret = 0
  let start = 0
  for (let unit = 0; unit < which.length; unit++) {
    let other = Number.NEGATIVE_INFINITY
    for (let lane = 0; lane < lanes; lane++)
      if (lane !== which[unit]) other = Math.max(other, bits(from + unit, lane))
    const against = lanes > 1 ? other - bits(from + unit, which[unit]) : 0
    if (regret === 0) start = unit
    regret = Math.max(0, regret + against - STRAY)
    if (regret >= SLIP) return start
  }
  return -1
}

/** Deals units from clocks that stand so; returns where they stand behind the last. */
function run({ seconds }: Stretch, stand: readonly number[], which: Uint8Array): number[] {
  const clocks = stand.slice()
  for (let unit = 0; unit < which.length; unit++) {
    let lane = 0
    for (let i = 1; i < clocks.length; i++) if (clocks[i] < clocks[lane] - LEVEL) lane = i
    which[unit] = lane
    clocks[lane] += seconds(unit, lane)
  }
  return clocks
}

/** Seconds within which two clocks are level: rounding. */
const LEVEL = 1e-9

function likelihood({ bits, begins, beginning }: Stretch, which: Uint8Array): number {
  let sum = 0
  for (let unit = 0; unit < which.length; unit++) {
    sum += bits(unit, which[unit])
    if (unit > 0 && begins(unit)) sum += beginning[which[unit]]
  }
  return sum
}

function nearlySame(a: Uint8Array, b: Uint8Array): boolean {
  let same = 0
  for (let i = 0; i < a.length; i++) if (a[i] === b[i]) same++
  return same > a.length * SAME_SHARE
}

/**
 * The ways in which clocks may stand where a stretch begins: each lane's next unit lies within one of the first's. Where there
 * are too many lanes the clocks of further ones stand in the middle of that. Each way is overwritten by the next.
 */
function* stands(
  { seconds }: Stretch,
  lanes: number,
  most: number,
  phases: readonly number[] | undefined,
): Generator<readonly number[]> {
  const offsets: (readonly number[])[] = [[0]]
  const first = seconds(0, 0)
  let ways = 1
  for (let lane = 1; lane < lanes; lane++) {
    const steps = ways * most <= MOST_STANDS ? most : 1
    const phase = phases ? phases[lane] - phases[0] : undefined
    offsets.push(offsetsOf(first, seconds(0, lane), steps, phase))
    ways *= offsets[lane].length
  }
  const stand = new Array<number>(offsets.length).fill(0)
  for (let way = 0; way < ways; way++) {
    let rest = way
    for (let lane = offsets.length - 1; lane >= 0; lane--) {
      const { length } = offsets[lane]
      stand[lane] = offsets[lane][rest % length]
      rest = Math.floor(rest / length)
    }
    yield stand
  }
}

/**
 * By how much a lane's clock may be behind the first's: in the steps that two rates allow, if they are few enough, else in even
 * ones.
 */
function offsetsOf(first: number, own: number, most: number, phase: number | undefined): number[] {
  const round = phase === undefined ? 0 : roundOf(first, own)
  const grid = first / round
  if (phase !== undefined && round > 0 && (own + first) / grid <= most) {
    const offsets: number[] = []
    const from = Math.ceil((-own - phase) / grid + 1e-6)
    for (let at = from; at * grid + phase < first; at++) offsets.push(at * grid + phase)
    return offsets
  }
  const steps = Math.min(MOST_STEPS, most)
  return Array.from({ length: steps }, (_, step) => ((step + 0.5) / steps) * (own + first) - own)
}

/** Units of a length `own` that last as long as some number of units of a length `first`; 0 where these are many. */
function roundOf(first: number, own: number): number {
  for (let units = 1; units <= LONGEST_ROUND; units++) {
    const others = (units * own) / first
    if (others >= 0.5 && Math.abs(others - Math.round(others)) < 1e-6) return units
  }
  return 0
}
