import type { TrackDescription } from '../../src/model/track.ts'

/** Samples of sound that last as long as a picture of 25 a second. */
export const FRAMES = 1920

/** Sound of 16 bits in one channel. */
export const plain: TrackDescription = {
  ...{
    id: 2,
    kind: 'audio',
    codec: 'pcm',
    timescale: 48_000,
    sampleRate: 48_000,
    channels: 1,
    framing: 'raw',
  },
  ...{ config: new Uint8Array(0), blockAlign: 2, facts: { bitsPerSample: 16, endian: 'big' } },
}
