import { expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../../src/bytes/limits.ts'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { PACK } from '../../../src/formats/mpegps/read/item.ts'
import { lengthIn } from '../../../src/formats/mpegps/read/packet-length.ts'
import { Sectors } from '../../../src/formats/mpegps/read/sector-size.ts'
import { Streams } from '../../../src/formats/mpegps/read/streams.ts'
import { frames, packet, streamOf } from './packets.ts'

it.each([
  ['what one turned bit leaves where zeros fill up the rest', 500, 506],
  ['all of its room where a hole follows', 600, 1106],
])('a packet whose length is wrong has %s', (_, zeros, length) => {
  const bytes = new Uint8Array(506 + zeros)
  bytes.fill(7, 0, 506)
  // 500 bytes, of which bit 12 was turned
  const item = { code: 0xe0, offset: 0, length: 6 + (500 ^ 0x1000) }
  expect(lengthIn(new ByteReader(new MemorySource(bytes)), item, bytes.length)).toBe(length)
})

it.each([
  [2048, [100], 2048],
  [2048, [100, 300, 500, 700, 900, 1100], 0],
])('packs in sectors of %i bytes, with others of %j, have sectors of %i', (size, others, bytes) => {
  const sectors = new Sectors()
  let offset = 0
  for (const distance of [...Array.from({ length: 20 }, () => size), ...others]) {
    sectors.take({ code: PACK, offset, length: 14 })
    offset += distance
  }
  sectors.take({ code: PACK, offset, length: 14 })
  expect(sectors.bytes).toBe(bytes)
})

it('a lone packet one bit off a stream is taken for its own, whatever coding its bytes look like', () => {
  const mpeg2 = Uint8Array.of(
    0,
    0,
    1,
    0xb3,
    0x14,
    0,
    0xb4,
    0x13,
    0xff,
    0xff,
    0xe0,
    0,
    0,
    0,
    1,
    0xb5,
    0x14,
    0x8a,
  )
  const mpeg4 = Uint8Array.of(0, 0, 1, 0xb6, 0x10, 0x60)
  const usual = Array.from({ length: 40 }, () => packet(0xe0, mpeg2))
  const straysOf = (count: number): number[] => {
    const { reader, items } = streamOf([
      ...usual,
      ...Array.from({ length: count }, () => packet(0xe4, mpeg4)),
    ])
    const streams = new Streams(reader, DEFAULT_LIMITS)
    for (const item of items) streams.take(item)
    return streams.strays().map(({ id }) => id)
  }
  expect(straysOf(1)).toEqual([0xe0])
  expect(straysOf(2)).toEqual([])
})

it('a lone packet that frames of sound fill is of sound, though its id is one bit off that of pictures', () => {
  const pictures = Uint8Array.of(0, 0, 1, 0xb3, 0x14, 0, 0xb4, 0x13, 0xff, 0xff, 0xe0, 0, 0, 0, 1, 0xb5)
  const usual = Array.from({ length: 40 }, () => packet(0xe0, pictures))
  const straysWith = (payload: Uint8Array): number => {
    const { reader, items } = streamOf([...usual, packet(0xc0, payload)])
    const streams = new Streams(reader, DEFAULT_LIMITS)
    for (const item of items) streams.take(item)
    return streams.strays().length
  }
  expect(straysWith(frames(4))).toBe(0)
  expect(straysWith(frames(4).fill(7, 384))).toBe(1)
})
