import type { Candidate } from './candidates.ts'

const NONE = new Uint8Array(0)

/** GoPro's frame descriptors, before every sample of every track; they have no times. */
const DESCRIPTORS: Candidate = {
  codec: 'fdsc',
  origin: 'syntax',
  track: { kind: 'data', timescale: 90_000, unit: 0, coding: { codec: 'fdsc', config: NONE } },
}

/** GoPro telemetry, one payload a second. */
const TELEMETRY: Candidate = {
  codec: 'gpmd',
  origin: 'syntax',
  track: { kind: 'data', timescale: 1000, unit: 1001, coding: { codec: 'gpmd', config: NONE } },
}

/** Camera motion of panoramic cameras, some 200 packets a second. */
const MOTION: Candidate = {
  codec: 'camm',
  origin: 'syntax',
  track: { kind: 'data', timescale: 90_000, unit: 450, coding: { codec: 'camm', config: NONE } },
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
