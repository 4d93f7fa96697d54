import { describe, expect, it } from 'vitest'
import { Edits } from '../../../src/bytes/edits.ts'
import { RangeWriter } from '../../../src/bytes/range-writer.ts'
import { MemorySink } from '../../../src/bytes/sink.ts'
import { SoundEdges } from '../../../src/formats/mpegps/read/sound-edges.ts'
import { itemsOf } from '../../../src/formats/mpegps/recipes.ts'
import { FRAME_BYTES, frames, packet, streamOf } from './packets.ts'

const PADDING = 0xbe
const SOUND = 0xc0

/**
 * Packets of sound in which frames lie across the edges, `first` bytes of a payload being the end of one, behind a hole from
 * `hole` on.
 */
async function edged(
  first: number,
  mpeg2: boolean,
  forgets = false,
): Promise<{ before: Uint8Array; after: Uint8Array }> {
  const sound = frames(40)
  const cut = (from: number, to: number): Uint8Array => packet(SOUND, sound.subarray(from, to), -1, mpeg2)
  const begin = 20 * FRAME_BYTES - first
  const { reader, items, bytes } = streamOf([
    cut(0, 1600),
    cut(1600, 3200),
    cut(begin, begin + 1600),
    cut(begin + 1600, begin + 3200),
  ])
  const edits = new Edits()
  const edges = new SoundEdges(reader, edits)
  for (const [i, item] of items.entries()) {
    if (i === 2) edges.hole()
    edges.take(item)
    if (forgets && i === 1) edges.forget(item)
  }
  const sink = new MemorySink()
  const writer = new RangeWriter(
    reader,
    sink,
    { progress: () => {}, pause: () => Promise.resolve() },
    bytes.length,
  )
  await edits.write(writer, bytes.length)
  await writer.end()
  return { before: bytes, after: sink.bytes().slice() }
}

/** Payloads of the packets of sound end to end. */
function soundOf(bytes: Uint8Array): Uint8Array {
  const parts = itemsOf(bytes).map(({ code, offset, length, header }) =>
    code === SOUND
      ? bytes.subarray(offset + (header?.headerLength ?? 0), offset + length)
      : new Uint8Array(0),
  )
  return new Uint8Array(Buffer.concat(parts))
}

describe.each([false, true])('sound around a hole, MPEG-2: %s', (mpeg2) => {
  it.each([1, 6, 7, 200])('has whole frames where %i bytes of one follow', async (first) => {
    const { before, after } = await edged(first, mpeg2)
    expect(after.length).toBe(before.length)
    const sound = soundOf(after)
    for (let at = 0; at + 2 < sound.length; at += FRAME_BYTES)
      expect([...sound.subarray(at, at + 2)]).toEqual([0xff, 0xfd])
    // what is in front ends with its last whole frame, what is behind begins with one
    expect(sound.length).toBe(Math.floor(3200 / FRAME_BYTES) * FRAME_BYTES + 3200 - first)
  })

  it('has padding packets as its system has them', async () => {
    const { after } = await edged(200, mpeg2)
    const padding = itemsOf(after).filter(({ code }) => code === PADDING)
    expect(padding.length).toBe(2)
    for (const { offset } of padding) expect(after[offset + 6]).toBe(mpeg2 ? 0xff : 0x0f)
  })

  it('keeps an end that is changed otherwise', async () => {
    const { after } = await edged(200, mpeg2, true)
    expect(soundOf(after).length).toBe(3200 + 3200 - 200)
  })
})

/**
 * A frame of Layer III of 192 bytes, 171 of which are main data that begins so many bytes in front of it, ISO/IEC 11172-3:1993
 * §2.4.1.7.
 */
function layerThree(begin: number): Uint8Array {
  const bytes = new Uint8Array(192)
  bytes.set([0xff, 0xfb, 0x54, 0xc0, begin >> 1, (begin & 1) << 7])
  return bytes
}

describe('packets of Layer III behind a hole', () => {
  const sound = new Uint8Array(Buffer.concat([0, 171, 171, 171, 171, 171, 0, 0].map(layerThree)))
  /** Whether each packet has what its frames begin with, where the hole is in front of the second one. */
  const fed = (cuts: readonly (readonly [from: number, to: number])[]): boolean[] => {
    const { reader, items } = streamOf(cuts.map(([from, to]) => packet(SOUND, sound.subarray(from, to))))
    const edges = new SoundEdges(reader, new Edits())
    return items.map((item, i) => {
      if (i === 1) edges.hole()
      return edges.take(item)
    })
  }

  it('lack the main data of their first frame that lay in what is lost', () => {
    const cuts = [
      [0, 400],
      [700, 1160],
      [1160, 1536],
    ] as const
    expect(fed(cuts)).toEqual([true, false, true])
  })

  it('lack nothing where the hole took none of theirs', () => {
    const cuts = [
      [0, 400],
      [400, 800],
      [800, 1536],
    ] as const
    expect(fed(cuts)).toEqual([true, true, true])
  })
})
