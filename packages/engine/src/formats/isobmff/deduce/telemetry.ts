import type { Candidate } from './candidates.ts'
import { plainEntry } from './sample-entries.ts'

/** GoPro's frame descriptors, before every sample of every track; they have no times. */
const DESCRIPTORS: Candidate = {
  codec: 'fdsc',
  origin: 'syntax',
  track: { handler: 'meta', timescale: 90_000, unit: 0, entry: plainEntry('fdsc', Uint8Array.of(0, 1)) },
}

/** GoPro telemetry, one payload a second. */
const TELEMETRY: Candidate = {
  codec: 'gpmd',
  origin: 'syntax',
  track: { handler: 'meta', timescale: 1000, unit: 1001, entry: plainEntry('gpmd', new Uint8Array(4)) },
}

/** Camera motion of panoramic cameras, some 200 packets a second. */
const MOTION: Candidate = {
  codec: 'camm',
  origin: 'syntax',
  track: { handler: 'meta', timescale: 90_000, unit: 450, entry: plainEntry('camm') },
}

/** A data track with the share of the bytes between others that it must explain. */
interface Telemetry {
  readonly candidate: Candidate
  readonly share: number
}

/** Data tracks that nothing else can be taken for. */
export const TELEMETRIES: readonly Telemetry[] = [
  { candidate: DESCRIPTORS, share: 0.005 },
  { candidate: TELEMETRY, share: 0.005 },
]

/** Data tracks that quiet sound may look like: looked for when the sound is known. */
export const VAGUE_TELEMETRIES: readonly Telemetry[] = [{ candidate: MOTION, share: 0.5 }]
