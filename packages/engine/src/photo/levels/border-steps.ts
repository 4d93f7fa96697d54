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
const MOST_DEVIATIONS = 3

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
  /** How far steps are off, without regard to those beside them and with it. */
  readonly error: number
  readonly errorBeside: number
}

/** What is usual by the steps of rows that follow each other, group by group. */
export function usualSteps(groups: readonly (readonly number[])[]): UsualSteps {
  const steps = Float32Array.from(groups.flat())
  if (steps.length < LEAST_TRIED) return { bias: 0, alike: 0, error: LEAST_ERROR, errorBeside: LEAST_ERROR }
  const bias = medianOf(steps.slice())
  const error = deviationOf(steps, bias)
  const most = MOST_DEVIATIONS * error
  const pairs = groups.flatMap((group) =>
    group.flatMap((step, index) => {
      const beside = [index - 2, index - 1, index + 1, index + 2].filter((i) => i >= 0 && i < group.length)
      if (beside.length < 2) return []
      const mean = beside.reduce((sum, i) => sum + group[i], 0) / beside.length
      return [{ own: clamp(step - bias, most), mean: clamp(mean - bias, most) }]
    }),
  )
  if (pairs.length < LEAST_COMPARED) return { bias, alike: 0, error, errorBeside: error }
  let product = 0
  // as if one more pair told nothing
  let square = error * error
  for (const { own, mean } of pairs) {
    product += own * mean
    square += mean * mean
  }
  const alike = square > 0 ? Math.max(0, Math.min(1, product / square)) : 0
  const rest = Float32Array.from(pairs, ({ own, mean }) => own - alike * mean)
  return { bias, alike, error, errorBeside: Math.min(error, deviationOf(rest, 0)) }
}

function clamp(value: number, most: number): number {
  return Math.max(-most, Math.min(most, value))
}
