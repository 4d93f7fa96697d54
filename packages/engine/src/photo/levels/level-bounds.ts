import type { Section } from '../reading/pieces.ts'
import type { EdgeMeans } from './edge-means.ts'

/** Levels of black and white, as coded: ITU-T T.81 §A.3.1 takes 128 off. */
const BLACK = -128
const WHITE = 127
/** Levels by which means along edges are beyond them in next to no photo, and with them half a step of DC. */
const BEYOND = 0.5
const BLOCK = 8
/** MCUs that are compared, about; the part of them that may be wrong, and MCUs that may have been invented in damage. */
const MOST_COMPARED = 2048
const MAY_BE_WRONG = 0.02
const INVENTED = 8

/** Levels that may be added to a section: no picture is darker than black or brighter than white. */
export interface LevelBounds {
  readonly least: number
  readonly most: number
}

/** Of what tells nothing. */
const NO_BOUNDS: LevelBounds = { least: Number.NEGATIVE_INFINITY, most: Number.POSITIVE_INFINITY }

/** Bounds that all of some have in common; undefined where they contradict each other, as those of what was invented do. */
export function commonBounds(all: readonly LevelBounds[]): LevelBounds | undefined {
  const least = Math.max(...all.map((each) => each.least))
  const most = Math.min(...all.map((each) => each.most))
  return least <= most ? { least, most } : undefined
}

/**
 * What may be added to the luminance of a section whose DC has such a step: means along edges of MCUs are of samples between
 * black and white, so they are too.
 */
export function boundsOfLuminance(
  { top, bottom }: EdgeMeans,
  { first, count }: Section,
  step: number,
): LevelBounds {
  const slack = BEYOND + step / BLOCK / 2
  const stride = Math.max(1, Math.ceil(count / MOST_COMPARED))
  const compared = Math.ceil(count / stride)
  const low = new Float32Array(compared)
  const high = new Float32Array(compared)
  for (let i = 0; i < compared; i++) {
    const mcu = first + i * stride
    low[i] = Math.min(top[mcu], bottom[mcu])
    high[i] = Math.max(top[mcu], bottom[mcu])
  }
  const wrong = Math.floor((MAY_BE_WRONG * count + INVENTED) / stride)
  if (2 * wrong >= compared) return NO_BOUNDS
  return {
    least: BLACK - slack - low.sort()[wrong],
    most: WHITE + slack - high.sort()[compared - 1 - wrong],
  }
}
