import { BLOCK_COEFFICIENTS } from '../../codecs/jpeg/mcu-layout.ts'
import { ZIGZAG } from '../../codecs/jpeg/zigzag.ts'
import { offSmooth } from './smooth-block.ts'

/** A quantisation table of which some values are put right. */
export interface MendedSteps {
  /** In zigzag order. */
  readonly values: Uint16Array
  /** Values that changed. */
  readonly changed: number
  /** All of them are those of a table that encoders write, which all others are of. */
  readonly proven: boolean
}

/** Spreads that must be known, and values a table must share with another to be that one, hit. */
const LEAST_SPREADS = 16
const LEAST_FITTED = 12
const LEAST_ALIKE = 40
/** Values that are hit at most: beyond that, smooth is what is hit. */
const MOST_HIT = 24

/** How far a hit value is off, as a logarithm: from another table's, and from a smooth one, at low frequencies and others. */
const OFF_KNOWN = 0.4
const OFF_SMOOTH = 0.8
const OFF_SMOOTH_LOW = 1.1
const LOW = 10
/** How far it is off, in steps. */
const LEAST_OFF_KNOWN = 2
const LEAST_OFF_SMOOTH = 3
/** By which part of that a spread may be off otherwise, with a known table and a smooth one, and the most of it. */
const AGREES_KNOWN = 0.4
const AGREES = 0.25
const MOST_APART = 1
/** Part of it below which the spread, being as smooth as others, speaks for the value. */
const SPEAKS_FOR = 0.5
/** Hits for each value that the spreads speak for, and parts of the values that differ which may be as their mirrored ones. */
const HITS_FOR_EACH = 4
/** Places without a difference between hits of one stretch. */
const MOST_BETWEEN = 2
/** How little a spread is off where its step is right, and how far a step whose spread nobody knows. */
const SURELY_RIGHT = 0.3
const SURELY_OFF = 0.7
/** How near a value must be to its mirrored one to be the same. */
const MIRRORED = 0.35

/** Where the coefficient of which both frequencies are exchanged stands, in zigzag order. */
const MIRROR = Uint8Array.from(ZIGZAG, (place) => ZIGZAG.indexOf((place & 7) * 8 + (place >> 3)))

const PLACES = Array.from({ length: BLOCK_COEFFICIENTS }, (_, i) => i)

/**
 * Values of a quantisation table that were hit, put right. How widely coefficients spread is a smooth function of frequency in
 * photos, so a step that is off shows twice: the table is not smooth there, and neither are the spreads, by the same factor.
 * Tables that are rough by themselves have smooth spreads. `known`: tables that it may be; `makeSpreads`, asked only where a
 * value stands out: those of `spreadsInSteps`. Undefined where nothing shows that one was hit.
 */
export function mendSteps(
  steps: Uint16Array,
  known: readonly Uint16Array[],
  makeSpreads: () => Float64Array,
): MendedSteps | undefined {
  const alike = nearestOf(known, steps)
  const logs = Float64Array.from(steps, Math.log)
  const rough = offSmooth(logs, (i) => i > 0)
  const standsOut = PLACES.some(
    (i) =>
      i > 0 &&
      !isMirrored(steps, i) &&
      (Math.abs(rough[i]) >= SURELY_OFF || (alike && isFar(steps, alike, i))),
  )
  if (!standsOut) return undefined
  const spreads = makeSpreads()
  if (PLACES.filter((i) => !Number.isNaN(spreads[i])).length < LEAST_SPREADS) return undefined
  const scales = spreads.map((spread, i) => spread + logs[i])
  return (alike && asKnown(steps, scales, alike)) ?? asSmooth(steps, logs, scales)
}

/** The table that shares most values with another, if those are enough for it to be that one, hit. */
function nearestOf(known: readonly Uint16Array[], steps: Uint16Array): Uint16Array | undefined {
  const shared = known.map((table) => PLACES.filter((i) => table[i] === steps[i]).length)
  const most = Math.max(...shared)
  return most < LEAST_ALIKE ? undefined : known[shared.indexOf(most)]
}

/** Whether a step is far from a known table's. */
function isFar(steps: Uint16Array, table: Uint16Array, index: number): boolean {
  if (Math.abs(steps[index] - table[index]) < LEAST_OFF_KNOWN) return false
  return Math.abs(Math.log(steps[index] / table[index])) >= OFF_KNOWN
}

/** Whether a step off the diagonal is the same where both frequencies are exchanged: in tables many are, and few hits. */
function isMirrored(steps: Uint16Array, index: number): boolean {
  return MIRROR[index] !== index && steps[MIRROR[index]] === steps[index]
}

/** Values that differ from the known table that most others are of. */
function asKnown(steps: Uint16Array, scales: Float64Array, table: Uint16Array): MendedSteps | undefined {
  const other = PLACES.filter((i) => i > 0 && table[i] !== steps[i])
  if (other.filter((i) => isMirrored(steps, i)).length * HITS_FOR_EACH > other.length) return undefined
  const fitted = (i: number): boolean => !Number.isNaN(scales[i]) && table[i] === steps[i]
  if (PLACES.filter(fitted).length < LEAST_FITTED) return undefined
  const off = offSmooth(scales, fitted)
  const far = other.filter((i) => isFar(steps, table, i) && !Number.isNaN(off[i]))
  const hits = far.filter((i) => {
    const by = Math.log(steps[i] / table[i])
    return Math.abs(off[i] - by) <= Math.min(MOST_APART, AGREES_KNOWN * Math.abs(by))
  })
  const against = far.filter((i) => Math.abs(off[i]) < SPEAKS_FOR * Math.abs(Math.log(steps[i] / table[i])))
  if (hits.length === 0 || against.length * HITS_FOR_EACH > hits.length) return undefined
  const stretch = stretchAround(hits, other)
  const values = Uint16Array.from(steps)
  for (const i of stretch) values[i] = table[i]
  return { values, changed: stretch.length, proven: values.every((value, i) => value === table[i]) }
}

/** Those of the places that lie between the first and the last hit, or next to them. */
function stretchAround(hits: readonly number[], places: readonly number[]): number[] {
  let first = places.indexOf(hits[0])
  let last = places.indexOf(hits[hits.length - 1])
  while (first > 0 && places[first] - places[first - 1] <= MOST_BETWEEN) first--
  while (last + 1 < places.length && places[last + 1] - places[last] <= MOST_BETWEEN) last++
  return places.slice(first, last + 1)
}

/** Rounds in which hits are told apart from what is smooth. */
const ROUNDS = 6

/** Values that are off a smooth table by as much as the spreads of their coefficients are off smooth ones. */
function asSmooth(steps: Uint16Array, logs: Float64Array, scales: Float64Array): MendedSteps | undefined {
  const isKnown = (i: number): boolean => !Number.isNaN(scales[i])
  let byTable = offSmooth(logs, (i) => i > 0)
  // spreads in steps do not know of hits in the table: where they are smooth and it is not, one may be
  const inSteps = offSmooth(
    scales.map((scale, i) => scale - logs[i]),
    isKnown,
  )
  const candidates = PLACES.filter((i) => i > 0 && isKnown(i) && !isMirrored(steps, i))
  let hits = candidates.filter(
    (i) => Math.abs(byTable[i]) >= SURELY_OFF && Math.abs(inSteps[i]) <= SPEAKS_FOR * Math.abs(byTable[i]),
  )
  let bySpread = inSteps
  for (let round = 0; round < ROUNDS; round++) {
    if (hits.length === 0 || hits.length > MOST_HIT) return undefined
    const isHit = (i: number): boolean => hits.includes(i)
    if (PLACES.filter((i) => isKnown(i) && !isHit(i)).length < LEAST_FITTED) return undefined
    bySpread = offSmooth(scales, (i) => isKnown(i) && !isHit(i))
    byTable = offSmooth(logs, (i) => i > 0 && !isHit(i))
    const now = candidates.filter((i) => isOff(i, steps[i], byTable[i], bySpread[i]))
    const same = now.length === hits.length && now.every(isHit)
    hits = now
    if (same) break
  }
  if (hits.length === 0 || hits.length > MOST_HIT) return undefined
  const between = PLACES.slice(hits[0], hits[hits.length - 1]).filter((i) => {
    const right = isKnown(i) && Math.abs(bySpread[i]) < SURELY_RIGHT
    return !hits.includes(i) && !isMirrored(steps, i) && !right && Math.abs(byTable[i]) > SURELY_OFF
  })
  const changed = [...hits, ...between]
  const values = Uint16Array.from(steps)
  for (const i of changed) {
    const likely = steps[i] * Math.exp(hits.includes(i) ? -(bySpread[i] + byTable[i]) / 2 : -byTable[i])
    const mirrored = steps[MIRROR[i]]
    const isLike = !changed.includes(MIRROR[i]) && Math.abs(Math.log(mirrored / likely)) < MIRRORED
    values[i] = isLike ? mirrored : Math.max(1, Math.min(MOST_STEP, Math.round(likely)))
  }
  return { values, changed: changed.length, proven: false }
}

/** Whether a step is off smooth ones, and the spread of its coefficient as far off. */
function isOff(index: number, step: number, byTable: number, bySpread: number): boolean {
  const [a, b] = [Math.abs(byTable), Math.abs(bySpread)]
  if (Math.min(a, b) < (index < LOW ? OFF_SMOOTH_LOW : OFF_SMOOTH)) return false
  if (Math.abs(byTable - bySpread) > AGREES * Math.max(a, b)) return false
  return Math.abs(step - step * Math.exp(-byTable)) >= LEAST_OFF_SMOOTH
}

/** Steps are at most this wide where values have a byte. */
const MOST_STEP = 255
