import type { Stretch } from './taint.ts'

/** What is known of the pictures around a stretch that may show errors, by places in display order. */
export interface Around {
  readonly stretch: Stretch
  readonly blocks: number
  /**
   * Mean squares by block between the picture of a place and that of the place before; undefined where they were not compared.
   */
  step(rank: number): Float32Array | undefined
  /** Whether a picture is sound. */
  isSound(rank: number): boolean
  /**
   * Whether a picture may show errors that the one before it does not: it was hit itself, or another one that it goes back to.
   */
  isHit(rank: number): boolean
}

/** What the pictures of a stretch tell of their errors. */
export interface Evidence {
  /** Mean square by block of each picture's likely error; undefined where nothing tells. */
  readonly errors: readonly (Float32Array | undefined)[]
  /**
   * Sum of what the hits brought in, and what is too much in front of the sound picture behind: the lower, the better were they
   * decoded.
   */
  readonly cost: number
}

/** A step is no more than movement while it is within this many times the steps near it. */
const MOVEMENT = 1.5
/** Steps looked at on either side, and how far they are looked for. */
const NEAR_STEPS = 2
const NEAR = 8
/** An error has left a picture where the step is at least this share of it. */
const LEAVING = 0.5

/**
 * How wrong the pictures of a stretch likely are, block by block, without the original: a hit brings an error in with a step
 * larger than movement nearby makes, and where the next sound picture comes, what was wrong leaves with such a step. An error is
 * believed as far as both sides allow.
 */
export function evidenceOf(around: Around): Evidence {
  const { stretch, blocks } = around
  const forward = entering(around)
  const backward = leaving(around)
  const errors = forward.map((errors, place) => lowerOf(errors, backward[place]))
  const last = stretch.end - stretch.start - 1
  return { errors, cost: (sumOf(forward[last]) + sumOf(backward[last])) / blocks }
}

type Errors = (Float32Array | undefined)[]

/** What hits bring in, from the sound picture in front on; an error stays until it leaves with a step. */
function entering(around: Around): Errors {
  const { stretch, blocks } = around
  const found: Errors = []
  let before = around.isSound(stretch.start - 1) ? new Float32Array(blocks) : undefined
  for (let rank = stretch.start; rank < stretch.end; rank++) {
    const excess = excessAt(around, rank)
    if (around.isHit(rank)) before = before && excess && before.map((error, at) => error + (excess[at] ?? 0))
    else before = before?.map((error, at) => ((excess?.[at] ?? 0) >= LEAVING * error ? 0 : error))
    found.push(before)
  }
  return found
}

/** What is too much in front of the sound picture behind, from there to the front. */
function leaving(around: Around): Errors {
  const { stretch, blocks } = around
  const found: Errors = []
  let behind = around.isSound(stretch.end) ? new Float32Array(blocks) : undefined
  for (let rank = stretch.end - 1; rank >= stretch.start; rank--) {
    const excess = excessAt(around, rank + 1)
    behind = behind && excess && behind.map((error, at) => error + (excess[at] ?? 0))
    found.push(behind)
  }
  return found.reverse()
}

/** By how much a step is larger than movement near it. */
function excessAt(around: Around, rank: number): Float32Array | undefined {
  const step = around.step(rank)
  const movement = movementAt(around, rank)
  return step && movement && step.map((value, at) => Math.max(0, value - MOVEMENT * (movement[at] ?? 0)))
}

/** The largest of the steps near one that no error makes. */
function movementAt(around: Around, rank: number): Float32Array | undefined {
  let most: Float32Array | undefined
  for (const direction of [-1, 1]) {
    let found = 0
    for (let away = 1; away <= NEAR && found < NEAR_STEPS; away++) {
      const other = rank + direction * away
      const isAlike = around.isSound(other)
        ? around.isSound(other - 1)
        : !around.isSound(other - 1) && !around.isHit(other)
      const step = isAlike ? around.step(other) : undefined
      if (!step) continue
      found++
      most = most?.map((value, at) => Math.max(value, step[at] ?? 0)) ?? step
    }
  }
  return most
}

function lowerOf(a: Float32Array | undefined, b: Float32Array | undefined): Float32Array | undefined {
  return a && b ? a.map((value, at) => Math.min(value, b[at] ?? 0)) : (a ?? b)
}

function sumOf(values: Float32Array | undefined): number {
  return values?.reduce((sum, value) => sum + value, 0) ?? 0
}
