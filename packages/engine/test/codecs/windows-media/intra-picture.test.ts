import { describe, expect, it } from 'vitest'
import {
  IntraPictureReader,
  isReadable,
  type ReadableCodec,
} from '../../../src/codecs/windows-media/intra-picture.ts'
import { streamFixture } from '../../../testing/video/stream-fixture.ts'

/** Whether each picture of the kind asked for reads with so many macroblocks in rows of `columns`. */
function read(name: ReadableCodec, columns: number, rows: number, key = true): (boolean | undefined)[] {
  const { packets, bytes, config } = streamFixture(name)
  const reader = new IntraPictureReader(name, config, columns, rows)
  return packets
    .filter((packet) => packet.key === key)
    .map(({ offset, size }) => reader.reads(bytes.subarray(offset, offset + size)))
}

describe.each(['msmpeg4v3', 'wmv1', 'wmv2'] as const)('intra pictures of %s', (name) => {
  it('are read from the first bit to the last in macroblocks of their size', () => {
    const { width, height } = streamFixture(name)
    const found = read(name, width / 16, height / 16)
    expect(found.length).toBeGreaterThan(1)
    expect(found.every((whole) => whole)).toBe(true)
  })

  it('are not in more of them, or fewer', () => {
    const { width, height } = streamFixture(name)
    const [columns, rows] = [width / 16, height / 16]
    for (const [across, down] of [
      [columns, rows - 1],
      [columns, rows + 1],
      [columns - 1, rows],
      [columns + 1, rows],
    ] as const)
      expect(read(name, across, down), `${across} ${down}`).not.toContain(true)
  })

  it('are told from predicted ones, and from none', () => {
    expect(read(name, 4, 3, false).every((whole) => whole === undefined)).toBe(true)
    const reader = new IntraPictureReader(name, streamFixture(name).config, 4, 3)
    expect(reader.reads(new Uint8Array(0))).not.toBe(true)
    expect(reader.reads(new Uint8Array(400))).not.toBe(true)
  })
})

it('those of other Windows Media codecs are not read', () => {
  expect(['msmpeg4v2', 'wmv3', 'vc1'].some(isReadable)).toBe(false)
})
