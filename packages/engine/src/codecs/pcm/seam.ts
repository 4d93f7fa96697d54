import { type PcmLayout, sampleBits, sampleReader } from './layout.ts'

/** One over the share by which the newest step moves the expected one: a window of some 16 samples. */
const MEMORY = 16
/** Steps at either end, of which too little is heard around to tell what was to be expected. */
const EDGE = 4
/** In nats, beside one a channel, by which a step must exceed the largest that so many steps hold by chance. */
const CLEAR = 5
/** Share of the most surprising step that the next one reaches at most where a seam is clear: music has many beginnings. */
const SECOND = 0.7

/** Where bytes are missing within sound that is otherwise whole. */
export interface Seam {
  /** Sample frame behind the seam. */
  readonly frame: number
  /** False where no step stands out, so that it may be anywhere. */
  readonly clear: boolean
}

/**
 * Finds where whole sample frames are missing in plain sound: there is the step between two frames that is the largest against
 * those before it as well as those behind it. A note begins with a large step, too, but others as large follow.
 */
export function seamOf(layout: PcmLayout, bytes: Uint8Array): Seam {
  const frames = Math.floor(bytes.length / layout.blockAlign)
  const forward = surprises(layout, bytes, frames, 1)
  const backward = surprises(layout, bytes, frames, -1)
  let best = -1
  let second = 0
  let frame = frames >> 1
  for (let at = EDGE; at <= frames - EDGE; at++) {
    const surprise = Math.min(forward[at], backward[at])
    if (surprise <= best) {
      second = Math.max(second, surprise)
      continue
    }
    second = Math.max(second, best)
    best = surprise
    frame = at
  }
  const clear = best > Math.log(Math.max(1, frames)) + CLEAR + layout.channels && second <= best * SECOND
  return clear ? { frame, clear } : { frame: frames >> 1, clear }
}

/**
 * By how many times the step from frame `at - 1` to `at`, at index `at`, exceeds the mean of those before it in the direction of
 * listening.
 */
function surprises(layout: PcmLayout, bytes: Uint8Array, frames: number, direction: 1 | -1): Float64Array {
  const { channels, blockAlign } = layout
  const width = blockAlign / channels
  const read = sampleReader(layout)
  const all = new Float64Array(frames + 1)
  for (let channel = 0; channel < channels; channel++) {
    // nothing is known of the loudness at first: any step is to be expected
    let expected = 2 ** (sampleBits(layout) - 3)
    for (let i = 1; i < frames; i++) {
      const at = direction > 0 ? i : frames - i
      const offset = at * blockAlign + channel * width
      const step = Math.abs(read(bytes, offset) - read(bytes, offset - blockAlign))
      if (!(step >= 0)) continue
      all[at] += step / expected
      expected = Math.max(1, expected + (step - expected) / MEMORY)
    }
  }
  return all
}
