import { deviationOf, medianOf, NORMAL } from '../statistics.ts'

/** Values beyond so many times the usual distance from the middle are no noise. */
const OUTLIER = 4
const ROUNDS = 4
/** Neighbours along a border err alike: so many count as one. */
const ALIKE = 3
/** Least error of a border's difference, in levels. */
export const LEAST_ERROR = 0.03
/** Values kept of one border: more tell no more. Most of thousands of borders have few. */
const MOST_VALUES = 2_048
const FIRST_VALUES = 64
/** Levels by which brightness drifts for each row of MCUs between two that do not touch. */
const DRIFT_OF_ROW = 1
/** Rows by which it is told what a step usually is, and what neighbours tell of each other. */
const LEAST_TRIED = 4
const LEAST_COMPARED = 12
/** Steps count no further from the usual one than so many deviations. */
export const MOST_DEVIATIONS = 3
/** Deviations from which on half of what a step tells of how alike neighbours are is gone. */
const OFF_IN_PAIRS = 2

/** How much brighter one side of a border is than it should be, in levels, and how far that may be off. */
export interface BorderStep {
  readonly difference: number
  readonly error: number
}

/** Values along one border, each with its weight. */
export class Values {
  values = new Float32Array(FIRST_VALUES)
  weights = new Float32Array(FIRST_VALUES)
  count = 0
  /** MCUs below and above the border, in turn. */
  readonly pairs: number[] = []
  /** Rows of MCUs between the two sides that are lost, at the nearest place. */
  apart = Number.POSITIVE_INFINITY

  /** No more are kept. */
  get full(): boolean {
    return this.count === MOST_VALUES
  }

  /** Keeps one more. */
  add(value: number, weight: number): void {
    if (this.count === this.values.length) {
      this.values = doubled(this.values)
      this.weights = doubled(this.weights)
    }
    this.values[this.count] = value
    this.weights[this.count++] = weight
  }
}

function doubled(values: Float32Array): Float32Array<ArrayBuffer> {
  const larger = new Float32Array(2 * values.length)
  larger.set(values)
  return larger
}

/** The middle of values by weight, those far from it left out: Tukey's biweight. */
export function stepOf({ values, weights, count, apart }: Values): BorderStep {
  let middle = weightedMedian(values, weights, count)
  const scaled = new Float32Array(count)
  for (let i = 0; i < count; i++) scaled[i] = Math.abs(values[i] - middle) * Math.sqrt(weights[i])
  const spread = Math.max(1e-3, NORMAL * medianOf(scaled))
  let total = 0
  for (let round = 0; round < ROUNDS; round++) {
    let sum = 0
    total = 0
    for (let i = 0; i < count; i++) {
      const far = ((values[i] - middle) * Math.sqrt(weights[i])) / (OUTLIER * spread)
      if (Math.abs(far) >= 1) continue
      const weight = weights[i] * (1 - far * far) ** 2
      total += weight
      sum += weight * values[i]
    }
    if (total > 0) middle = sum / total
  }
  const noise = total > 0 ? spread * Math.sqrt(ALIKE / total) : spread
  return { difference: middle, error: Math.hypot(LEAST_ERROR, noise, DRIFT_OF_ROW * apart) }
}

function weightedMedian(values: Float32Array, weights: Float32Array, count: number): number {
  const order = Array.from({ length: count }, (_, i) => i).sort((a, b) => values[a] - values[b])
  let total = 0
  for (let i = 0; i < count; i++) total += weights[i]
  let sum = 0
  for (const i of order) {
    sum += weights[i]
    if (2 * sum >= total) return values[i]
  }
  return 0
}

/** What steps between rows come to where there are none, in levels. */
export interface UsualSteps {
  readonly bias: number
  /** How far a step follows those beside it: 0 not at all, 1 wholly. */
  readonly alike: number
  /** What those beside it come to. */
  readonly biasBeside: number
  /** How far steps are off, without regard to those beside them and with it. */
  readonly error: number
  readonly errorBeside: number
}

const NOTHING_USUAL = { bias: 0, alike: 0, biasBeside: 0, error: LEAST_ERROR, errorBeside: LEAST_ERROR }

/** What a step is expected to come to where there is none, and those beside it come to `beside`, if that is known. */
export function expectedOf({ bias, alike, biasBeside }: UsualSteps, beside: number | undefined): number {
  return beside === undefined ? bias : bias + alike * (beside - biasBeside)
}

/** The median of the steps beside a row's own in its group; undefined where there are none. */
export function besideRow(group: readonly number[], row: number): number | undefined {
  const beside = [row - 2, row - 1, row + 1, row + 2].filter((i) => i >= 0 && i < group.length)
  return beside.length === 0 ? undefined : middleOf(beside.map((i) => group[i]))
}

/**
 * What is usual by the steps of rows that follow each other, group by group, where those beside them are measured in another way.
 */
export function usualSteps(
  groups: readonly (readonly number[])[],
  groupsBeside: readonly (readonly number[])[],
): UsualSteps {
  const steps = Float32Array.from(groups.flat())
  if (steps.length < LEAST_TRIED) return NOTHING_USUAL
  const bias = medianOf(steps.slice())
  const error = deviationOf(steps, bias)
  const most = MOST_DEVIATIONS * error
  const stepsBeside = Float32Array.from(groupsBeside.flat())
  const biasBeside = medianOf(stepsBeside.slice())
  const mostBeside = MOST_DEVIATIONS * deviationOf(stepsBeside, biasBeside)
  const pairs = groups.flatMap((group, index) =>
    group.flatMap((step, row) => {
      const beside = besideRow(groupsBeside[index], row)
      if (beside === undefined) return []
      return [{ own: clamp(step - bias, most), beside: clamp(beside - biasBeside, mostBeside) }]
    }),
  )
  if (pairs.length < LEAST_COMPARED) return { bias, alike: 0, biasBeside, error, errorBeside: error }
  // edges of the picture's own that lie along rows are like nothing beside them: what is far off counts the less the farther it
  // is
  let alike = 0
  let rest = Float32Array.from(pairs, ({ own }) => own)
  for (let round = 0; round < ROUNDS; round++) {
    const far = OFF_IN_PAIRS * Math.max(LEAST_ERROR, deviationOf(rest, 0))
    let product = 0
    // as if one more pair told nothing
    let square = error * error
    pairs.forEach(({ own, beside }, index) => {
      const weight = 1 / (1 + (rest[index] / far) ** 2)
      product += weight * own * beside
      square += weight * beside * beside
    })
    alike = square > 0 ? Math.max(0, Math.min(1, product / square)) : 0
    rest = Float32Array.from(pairs, ({ own, beside }) => own - alike * beside)
  }
  return { bias, alike, biasBeside, error, errorBeside: Math.min(error, deviationOf(rest, 0)) }
}

/** The median of few values: of an even number the mean of the two in the middle. */
export function middleOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2
}

export function clamp(value: number, most: number): number {
  return Math.max(-most, Math.min(most, value))
}
