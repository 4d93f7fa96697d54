import type { SampleTable } from '../../model/sample-table.ts'

/** Seconds by which sound may be early or late and few notice, ITU-R BT.1359-1 Annex 1. */
const AUDIBLE = 0.1
/** Samples among which sound gets in step. */
const START = 64
/** Share of samples that last as long as most for a track to have a pace. */
const PACED = 0.5

/**
 * Whether the first samples of sound that has a pace last so much longer or shorter than the others that what follows is out of
 * step with it, as phones and converters write sound which starts late or early. Another recording of the kind starts as late as
 * it happens, which its bitstream does not tell.
 */
export function startsOutOfStep({ length, dts, duration }: SampleTable, timescale: number): boolean {
  if (length < 2) return false
  const unit = duration.slice(0, length).sort()[length >> 1]
  let paced = 0
  for (let row = 0; row < length; row++) if (duration[row] === unit) paced++
  if (paced < length * PACED) return false
  const last = Math.min(START, length) - 1
  return Math.abs(dts[last] - dts[0] - last * unit) > AUDIBLE * timescale
}
