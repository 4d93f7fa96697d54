import { expect, it } from 'vitest'
import { movieOf } from '../support/engine.ts'
import { fixture } from '../support/fixtures.ts'

it.each([
  ['h264-aac.mp4', 'avc1', 'h264'],
  ['hevc-aac.mp4', 'hvc1', 'hevc'],
] as const)(
  'a format one bit from several is the one that its configuration belongs to: %s',
  async (name, format, codec) => {
    const bytes = fixture(name)
    bytes[Buffer.from(bytes).indexOf(format, 0, 'latin1')] = '`'.charCodeAt(0)
    expect((await movieOf(bytes)).tracks[0].description.codec).toBe(codec)
  },
)
