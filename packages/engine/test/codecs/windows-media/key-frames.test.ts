import { describe, expect, it } from 'vitest'
import type { Codec } from '../../../src/codecs/codec.ts'
import { Unit } from '../../../src/codecs/recogniser.ts'
import { msmpeg4v2, msmpeg4v3, vc1, wmv1, wmv2, wmv3 } from '../../../src/codecs/windows-media/index.ts'
import { readerOf, recogniserFor } from '../../../testing/video/replay.ts'
import { streamFixture } from '../../../testing/video/stream-fixture.ts'

function isKey(codec: Codec, config: Uint8Array, frame: Uint8Array): boolean | undefined {
  const made = codec.recogniser({
    id: 1,
    kind: 'video',
    codec: codec.name,
    timescale: 1,
    config,
    framing: 'raw',
  })
  const unit = new Unit()
  return made?.recognise(readerOf(frame), 0, frame.length, unit) ? unit.key : undefined
}

describe('Windows Media key frames', () => {
  it.each([
    [msmpeg4v2, 'msmpeg4v2'],
    [msmpeg4v3, 'msmpeg4v3'],
    [wmv1, 'wmv1'],
    [wmv2, 'wmv2'],
  ] as const)('are told in %o', (codec, name) => {
    const fixture = streamFixture(name)
    const recogniser = recogniserFor(codec, fixture, 'raw')
    const reader = readerOf(fixture.bytes)
    const unit = new Unit()
    const keys = fixture.packets.map(({ offset, size }) => {
      expect(recogniser.recognise(reader, offset, offset + size, unit)).toBe(true)
      return unit.key
    })
    expect(keys).toEqual(fixture.packets.map(({ key }) => key))
  })

  it('are told in WMV 9 by what its configuration puts before the type', () => {
    // STRUCT_C with neither interpolation nor range reduction nor B frames; then with seven B frames and both
    const plain = Uint8Array.of(0x4e, 0x21, 0x1a, 0x01)
    expect(isKey(wmv3, plain, Uint8Array.of(0b0000_0000))).toBe(true)
    expect(isKey(wmv3, plain, Uint8Array.of(0b0010_0000))).toBe(false)
    const full = Uint8Array.of(0x4e, 0x21, 0x1a, 0b1111_0010)
    expect(isKey(wmv3, full, Uint8Array.of(0b0000_0100))).toBe(true)
    expect(isKey(wmv3, full, Uint8Array.of(0b0000_0000))).toBe(false)
    expect(isKey(wmv3, full, Uint8Array.of(0b0000_1000))).toBe(false)
  })

  it('are told in VC-1 advanced profile by their entry points', () => {
    const none = new Uint8Array(0)
    expect(isKey(vc1, none, Uint8Array.of(0, 0, 1, 0x0f, 0xdb, 0))).toBe(true)
    expect(isKey(vc1, none, Uint8Array.of(0, 0, 1, 0x0d, 0x40, 0))).toBe(false)
    expect(isKey(vc1, none, Uint8Array.of(0, 0, 1, 0x33, 0x40, 0))).toBeUndefined()
  })
})
