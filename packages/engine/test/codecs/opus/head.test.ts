import { describe, expect, it } from 'vitest'
import { headChannels, mendHead, plainHead, toldChannels } from '../../../src/codecs/opus/head.ts'

/** A packet of one frame of 20 ms, of one channel or two: configuration 31, RFC 6716 §3.1. */
function packet(channels: 1 | 2): Uint8Array {
  return Uint8Array.of((31 << 3) | (channels === 2 ? 4 : 0), 1, 2, 3)
}

const packets = (channels: 1 | 2): Uint8Array[] => Array.from({ length: 20 }, () => packet(channels))

describe('the head of an Opus track', () => {
  it.each([1, 2] as const)('has as many channels as packets of its pace tell: %i', (channels) => {
    expect(toldChannels(packets(channels), 0.02)).toBe(channels)
    expect(headChannels(plainHead(channels))).toBe(channels)
  })

  it('is not made of packets that come at another pace than they last', () => {
    for (const seconds of [0.0195, 0.0205, 0.06, 0]) expect(toldChannels(packets(2), seconds)).toBe(0)
    // one in ten may be another's, two may not
    const others = (count: number): Uint8Array[] => Array.from({ length: count }, () => Uint8Array.of(0, 1))
    expect(toldChannels([...packets(2).slice(2), ...others(2)], 0.02)).toBe(2)
    expect(toldChannels([...packets(2).slice(4), ...others(4)], 0.02)).toBe(0)
    expect(toldChannels([], 0.02)).toBe(0)
  })

  it('is none where no decoder reads it: another version, no channels, or a mapping without its table', () => {
    const changed = (at: number, value: number): Uint8Array => plainHead(2).with(at, value)
    expect(headChannels(changed(8, 0x0f))).toBe(2)
    for (const bad of [changed(0, 0x6f), changed(8, 0x10), changed(9, 0), changed(9, 3), changed(18, 0x20)])
      expect(headChannels(bad)).toBeUndefined()
    const mapped = Uint8Array.of(...changed(18, 1), 1, 1, 0, 1)
    expect(headChannels(mapped)).toBe(2)
    expect(headChannels(mapped.subarray(0, -1))).toBeUndefined()
  })

  it('keeps what a decoder reads of it, and is left alone where nothing tells what is wrong', () => {
    const own = plainHead(2).with(10, 7).with(16, 3)
    for (const [at, value] of [
      [0, 0x6f],
      [8, 0x21],
      [9, 0x42],
      [18, 0x20],
    ])
      expect(mendHead(own.with(at, value), 2)).toEqual(own)
    expect(mendHead(own, 2)).toBeUndefined()
    expect(mendHead(own.with(9, 0), 6)).toBeUndefined()
    expect(mendHead(own.with(18, 1).subarray(0, 12), 2)).toBeUndefined()
    expect(mendHead(Uint8Array.of(...own.with(18, 1), 2, 0), 2)).toBeUndefined()
  })
})
