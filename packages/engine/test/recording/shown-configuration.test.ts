import { describe, expect, it } from 'vitest'
import type { TrackDescription } from '../../src/model/track.ts'
import { showsConfiguration } from '../../src/recording/shown-configuration.ts'
import { readerOf } from '../../testing/video/replay.ts'
import { type StreamFixture, streamFixture } from '../../testing/video/stream-fixture.ts'

/** What pictures of `stream` say of the configuration of another one of the same codec. */
function shown(stream: StreamFixture, config = stream.config): boolean | undefined {
  const { codec, packets, bytes } = stream
  const track: TrackDescription = {
    ...{ id: 1, kind: 'video', codec, timescale: 1000, config },
    framing: codec === 'h264' || codec === 'hevc' ? 'length' : 'raw',
  }
  const units = packets.map(({ offset, size }) => ({ offset, length: size }))
  return showsConfiguration(readerOf(bytes), track, units)
}

describe('a configuration that did not stand beside its pictures', () => {
  it.each(['h264-b-pyramid', 'h264-baseline', 'hevc-b-pyramid', 'mpeg4-simple', 'mpeg4-b'])(
    'is shown to be theirs by those of %s',
    (name) => {
      expect(shown(streamFixture(name))).toBe(true)
    },
  )

  it.each([
    ['h264-b-pyramid', 'h264-baseline'],
    ['h264-baseline', 'h264-b-pyramid'],
    ['hevc-b-pyramid', 'hevc-422-10-bit'],
  ])('is not shown by pictures of %s where it is that of %s', (name, other) => {
    expect(shown(streamFixture(name), streamFixture(other).config)).toBe(false)
  })

  it('is nothing that codecs without one need', () => {
    expect(shown(streamFixture('vp8'))).toBeUndefined()
  })
})
