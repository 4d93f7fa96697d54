import { FORMATS } from '@mendframe/engine'
import {
  CODECS,
  type Fixture,
  fixturesOf,
  SMALL_RECORDINGS,
  smallRecording,
  smallRecordingStreams,
  storedStreams,
} from '@mendframe/engine/testing'
import { codecTarget, type Stream } from './codec-targets.ts'
import { formatTargets } from './format-targets.ts'
import type { Target } from './target.ts'

/** Pictures of a small recording and of its sample: two groups of pictures, and enough sound to learn from. */
const PICTURES = 32
const SAMPLE_PICTURES = 24

/** Every way into every format, and every codec's recogniser. */
export function targets(): Target[] {
  const stored = FORMATS.map((format) => ({ format, fixtures: fixturesOf(format) }))
  const formats = stored.flatMap(({ format, fixtures }) =>
    fixtures.length === 0 ? [] : formatTargets(format, fixtures, smallFixtures(format.name, fixtures)),
  )
  const streams: Stream[] = [
    ...storedStreams(),
    ...smallRecordingStreams(),
    ...stored.flatMap(({ fixtures }) =>
      fixtures.map(({ bytes }) => ({ codec: '', config: bytes.subarray(-200), bytes })),
    ),
  ]
  return [...formats, ...CODECS.map((codec) => codecTarget(codec, streams))]
}

/** Made ones are ISO media. Of other formats samples are small: each is its own. */
function smallFixtures(format: string, stored: readonly Fixture[]): readonly Fixture[] {
  if (format !== 'isobmff')
    return stored.flatMap(({ name, extension, sample }) =>
      sample ? [{ name: `sample of ${name}`, extension, bytes: sample, sample }] : [],
    )
  return Object.keys(SMALL_RECORDINGS).map((name) => ({
    name,
    extension: 'mp4',
    bytes: smallRecording(name, PICTURES, 1),
    sample: smallRecording(name, SAMPLE_PICTURES, 2),
  }))
}
