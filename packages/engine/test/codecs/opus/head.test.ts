import { describe, expect, it } from 'vitest'
import { headChannels, plainHead, toldChannels } from '../../../src/codecs/opus/head.ts'

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
})
