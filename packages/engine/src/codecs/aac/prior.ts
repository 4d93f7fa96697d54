import { AAC_LC, AAC_MAIN, type AudioSpecificConfig } from './audio-specific-config.ts'
import { scaleFactorBands } from './bands.ts'
import { COUPLING, DATA, END, FILL, LFE, PAIR, PROGRAM_CONFIG, SINGLE } from './program-config.ts'
import * as field from './statistics.ts'

/** Observations that what is common to all encoders is worth: the first frames of a track soon outweigh it. */
const PRIOR_FRAMES = 16

/** Relative frequencies of codebooks in sections, as encoders of phones, cameras and studios use them. */
const BOOKS = [12, 8, 7, 4, 12, 5, 13, 3, 9, 2, 9, 12, 0, 3, 0.2, 0.6]
/** Relative frequencies of section lengths in bands, the last being the escape. */
const LENGTHS_LONG = [
  0.2, 25, 14, 10, 7, 7, 5, 4, 3, 3, 3, 2.4, 2, 1.8, 1.6, 1.4, 1.1, 1.1, 1.1, 0.6, 0.5, 0.5, 0.5, 0.5, 0.5,
  0.5, 0.4, 0.3, 0.2, 0.5, 0.7, 1.8,
]
const LENGTHS_SHORT = [2, 35, 17, 13, 8, 9, 6, 11]
/** Scale factors mostly stay; larger steps get rarer by this factor each. */
const STEP_DECAY = 0.68

/**
 * What is known of a track before its first frame: its configuration and the habits common to all encoders, as
 * weights for `Statistics`. Values that the syntax refuses weigh nothing, so that their absence is evidence.
 */
function startingWeights(config: AudioSpecificConfig): Float64Array {
  const weights = new Float64Array(field.FIELDS_END)
  const put = (start: number, relative: ArrayLike<number>): void => {
    let total = 0
    for (let value = 0; value < relative.length; value++) total += relative[value]
    for (let value = 0; value < relative.length; value++) {
      weights[start + value] = (PRIOR_FRAMES * relative[value]) / total
    }
  }
  const bands = scaleFactorBands(config.samplingIndex, config.frameLength)
  const shaped = config.objectType === AAC_MAIN ? 20 : 12

  for (let position = 0; position <= field.MAX_ELEMENTS; position++) {
    put(field.ELEMENT + position * 8, elementWeights(config, position))
  }
  for (let id = 0; id < 8; id++) {
    const usual = Math.max(1, config.elements.filter((element) => element === id).length)
    put(
      field.TAG + id * 16,
      weigh(16, (tag) => (tag < usual ? 20 / usual : 0.05)),
    )
  }
  put(field.COMMON_WINDOW, [1, 19])
  put(field.WINDOW_SEQUENCE, [75, 8, 10, 7])
  put(field.WINDOW_SHAPE, [1, 1])
  put(field.MAX_SFB_LONG, bandWeights(64, bands.long.length - 1))
  put(field.MAX_SFB_SHORT, bandWeights(16, bands.short.length - 1))
  put(
    field.GROUPING,
    weigh(128, (grouping) => (grouping === 127 ? 80 : 1)),
  )
  put(field.PREDICTOR, config.objectType === AAC_LC ? [1, 0] : [1, 1])
  put(field.MS_MASK, [4, 11, 5, 0])
  put(
    field.GLOBAL_GAIN,
    weigh(64, (gain) => 0.1 + Math.max(0, 8 - Math.abs(gain - 36))),
  )
  put(field.SECTION_BOOK_LONG, BOOKS)
  put(field.SECTION_BOOK_SHORT, BOOKS)
  put(field.SECTION_LENGTH_LONG, LENGTHS_LONG)
  put(field.SECTION_LENGTH_SHORT, LENGTHS_SHORT)
  put(field.SCALE_FACTOR, weigh(121, stepWeight))
  put(field.TOOLS, [70, 2, 26, 2, 0, 0, 0, 0])
  put(field.TOOLS + 8, [60, 0, 40, 0, 0, 0, 0, 0])
  put(field.TNS_FILTERS_LONG, [5, 80, 10, 5])
  put(field.TNS_FILTERS_SHORT, [7, 3])
  put(
    field.TNS_ORDER_LONG,
    weigh(32, (order) => (order > shaped ? 0 : order === 0 ? 0.3 : 1)),
  )
  put(field.EXTENSION_TYPE, [40, 25, 3, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 3, 2, 15, 10, 0.2])
  return weights
}

/** Configurations whose beginnings are kept: a file's tracks have few, and hundreds of recognisers are made of them. */
const MOST_KEPT = 16

/** Never changed: who learns takes a copy. */
const kept = new Map<string, field.Statistics>()

/** The statistics of a track before its first frame. */
export function startingStatistics(config: AudioSpecificConfig): field.Statistics {
  const { objectType, samplingIndex, frameLength, elements } = config
  const name = [objectType, samplingIndex, frameLength, ...elements].join()
  let start = kept.get(name)
  if (!start) {
    start = new field.Statistics(startingWeights(config))
    if (kept.size >= MOST_KEPT) kept.clear()
    kept.set(name, start)
  }
  return new field.Statistics(start)
}

/** What follows after `position` channel elements: the one the configuration names next, seldom another. */
function elementWeights(config: AudioSpecificConfig, position: number): number[] {
  const expected: number = config.elements[position] ?? END
  const weights = [SINGLE, PAIR, COUPLING, LFE, DATA, PROGRAM_CONFIG, FILL, END].map(() => 0.3)
  weights[DATA] = 2
  weights[FILL] = expected === END ? 20 : 3
  weights[expected] = 80
  // A frame without channels is none.
  if (position === 0) weights[END] = 0
  return weights
}

/** Encoders use a fixed bandwidth in the upper half, or none in silence. */
function bandWeights(size: number, bands: number): number[] {
  return weigh(size, (count) => {
    if (count > bands) return 0
    if (count === 0) return bands / 20
    return count > bands * 0.55 ? 1 : 0.15
  })
}

function stepWeight(symbol: number): number {
  const step = Math.abs(symbol - 60)
  return step === 0 ? 2.2 : STEP_DECAY ** (step - 1) + 0.002
}

function weigh(size: number, weight: (value: number) => number): number[] {
  return Array.from({ length: size }, (_, value) => weight(value))
}
