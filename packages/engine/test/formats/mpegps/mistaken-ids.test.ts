import { describe, expect, it } from 'vitest'
import { noise } from '../../../src/bytes/damage.ts'
import { DEFAULT_LIMITS } from '../../../src/bytes/limits.ts'
import { MistakenIds } from '../../../src/formats/mpegps/read/mistaken-ids.ts'
import { Streams } from '../../../src/formats/mpegps/read/streams.ts'
import { frames, packet, streamOf } from './packets.ts'

const SOUND = 0xc0
const PICTURES = 0xe0
const USUAL = 4
/** Bytes that hold neither frames nor start codes. */
const plain = (length: number): Uint8Array => noise(length, 3).map((byte) => (byte & 0x7f) | 1)
const slices = (length: number): Uint8Array => plain(length).with(20, 0).with(21, 0).with(22, 1).with(23, 2)

/** The ids of packets behind ten of either kind. */
function idsOf(last: readonly Uint8Array[]): number[] {
  const usual = Array.from({ length: 10 }, (_, i) => [
    packet(SOUND, frames(USUAL), 90_000 + i * 8640),
    packet(PICTURES, slices(2000)),
  ]).flat()
  const { reader, items } = streamOf([...usual, ...last])
  const streams = new Streams(reader, DEFAULT_LIMITS)
  const ids = new MistakenIds(reader, streams)
  const found = items.map((item) => {
    streams.take(item)
    const id = ids.idOf(item)
    ids.before({ ...item, code: id })
    return id
  })
  return found.slice(usual.length)
}

describe('the id of a packet of sound', () => {
  const usual = frames(USUAL).length

  it.each([
    ['one of pictures where it holds a start code', slices(usual), PICTURES],
    ['one of pictures where it has no frames and no usual length', plain(usual + 100), PICTURES],
    ['its own where its length is the usual one and no start code tells', plain(usual), SOUND],
    ['its own where a pack begins in it', slices(usual).with(23, 0xba), SOUND],
    ['its own where it is shorter than a frame may be', plain(1000), SOUND],
    ['its own where it is empty', new Uint8Array(usual + 100), SOUND],
    ['its own where it has frames', frames(USUAL + 1), SOUND],
  ])('is %s', (_, payload, id) => {
    expect(idsOf([packet(SOUND, payload, 180_000)])).toEqual([id])
  })
})

it('a packet of sound that is not as long as it says keeps its id where no start code tells', () => {
  const usual = Array.from({ length: 10 }, () => [
    packet(SOUND, frames(USUAL)),
    packet(PICTURES, slices(2000)),
  ])
  const { reader, items } = streamOf([
    ...usual.flat(),
    packet(SOUND, plain(1300)),
    packet(SOUND, slices(1300)),
  ])
  const streams = new Streams(reader, DEFAULT_LIMITS)
  const ids = new MistakenIds(reader, streams)
  const found = items.map((item) => {
    streams.take(item)
    return ids.idOf(item, item.length + 300)
  })
  expect(found.slice(-2)).toEqual([SOUND, PICTURES])
})

it('packets of sound that were taken for pictures are those one bit away alone that frames fill', () => {
  const sound = (id: number, i: number): Uint8Array => packet(id, frames(USUAL), 90_000 + i * 8640)
  const rows = Array.from({ length: 8 }, (_, i) => [
    sound(SOUND, i),
    sound(SOUND + 1, i),
    packet(PICTURES, slices(2000)),
    packet(PICTURES + 1, slices(2000)),
  ]).flat()
  // one packet of each sound went by the pictures' id
  const chance = slices(2000)
  chance.set(frames(1).subarray(0, 4), 1900)
  const { reader, items } = streamOf([
    ...rows,
    packet(PICTURES, chance),
    sound(PICTURES, 8),
    sound(PICTURES + 1, 8),
    sound(SOUND, 10),
  ])
  const streams = new Streams(reader, DEFAULT_LIMITS)
  const ids = new MistakenIds(reader, streams)
  const missing = items.flatMap((item) => {
    streams.take(item)
    ids.idOf(item)
    return ids.before(item)
  })
  expect(missing).toEqual([{ offset: items.at(-3)?.offset, id: SOUND }])
})

describe('a packet of pictures without a start code that is as long as those of sound', () => {
  /** Sound cut into packets in which frames do not begin where they do. */
  const pieces = (length: number): Uint8Array[] => {
    const all = frames(80)
    return Array.from({ length: 14 }, (_, i) => all.subarray(i * length, (i + 1) * length))
  }
  const mistakenIn = (sound: readonly Uint8Array[]): number[] => {
    const rows = sound.flatMap((payload) => [packet(SOUND, payload), packet(PICTURES, slices(2000))])
    const { reader, items } = streamOf(rows)
    const streams = new Streams(reader, DEFAULT_LIMITS)
    const ids = new MistakenIds(reader, streams)
    return items.flatMap((item) => {
      streams.take(item)
      expect(ids.idOf(item)).toBe(item.code)
      return ids
        .before(item)
        .map(({ offset, id }) => (id === PICTURES ? items.findIndex((other) => other.offset === offset) : -1))
    })
  }
  const frame = frames(1).length

  it('has their id where frames go on behind it as if it were not there', () => {
    const sound = pieces(3 * frame + 100)
    expect(mistakenIn(sound)).toEqual([])
    expect(mistakenIn(sound.toSpliced(9, 0, plain(sound[0].length)))).toEqual([18])
  })

  it('stays where frames are missing for it, or nothing tells that none are', () => {
    const sound = pieces(3 * frame + 100)
    expect(mistakenIn(sound.with(9, plain(sound[0].length)))).toEqual([])
    const even = pieces(3 * frame).map((_, i) =>
      frames(80).subarray(100 + i * 3 * frame, 100 + (i + 1) * 3 * frame),
    )
    expect(mistakenIn(even.with(9, plain(even[0].length)))).toEqual([])
  })
})
