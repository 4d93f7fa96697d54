import { FF_ENCODER_LIBMP3LAME, FF_ENCODER_MP2 } from 'node-av/constants'
import { describe, expect, it } from 'vitest'
import { BitReservoir } from '../../../src/codecs/mp3/bit-reservoir.ts'
import { encode } from '../support/encode.ts'
import { concatenated } from '../support/scan.ts'
import { sequence, silence, tones, transients } from '../support/signals.ts'

/** Bytes of an MPEG-1 frame of one channel at 64 kbit/s and 48 kHz, and those of them that are main data. */
const FRAME = 192
const MAIN = FRAME - 4 - 17

/** Such a frame whose main data begins so many bytes in front of it. */
function frame(begin: number): Uint8Array {
  const bytes = new Uint8Array(FRAME)
  bytes.set([0xff, 0xfb, 0x54, 0xc0, begin >> 1, (begin & 1) << 7])
  return bytes
}

describe('the bit reservoir of Layer III', () => {
  it.each([
    ['no more than was taken since the loss', [0, MAIN, MAIN * 2], [true, true, true]],
    ['a byte more than was taken', [0, MAIN + 1, 511], [true, false, false]],
    ['what was lost', [300, 300, 300], [false, false, true]],
  ])('behind a loss, of frames that reach back for %s', (_name, begins, fed) => {
    const reservoir = new BitReservoir()
    reservoir.lose()
    expect(begins.map((begin) => reservoir.take(frame(begin)))).toEqual(fed)
  })

  it('holds all that frames reach back for where nothing was lost', () => {
    const reservoir = new BitReservoir()
    expect(reservoir.take(frame(511))).toBe(true)
  })

  it('tells frames that come together as it does those that come one by one', () => {
    const reservoir = new BitReservoir()
    reservoir.lose()
    expect(reservoir.take(concatenated([frame(0), frame(MAIN)]))).toBe(true)
    expect(reservoir.take(concatenated([frame(0), frame(511), frame(MAIN * 4)]))).toBe(true)
    reservoir.lose()
    expect(reservoir.take(concatenated([frame(0), frame(MAIN + 1), frame(0)]))).toBe(false)
  })

  it('counts nothing of a frame whose beginning is lost', () => {
    const reservoir = new BitReservoir()
    reservoir.lose()
    expect(reservoir.take(frame(0).subarray(50))).toBe(true)
    expect(reservoir.take(frame(1))).toBe(false)
  })

  it.each([1, 7, 100, FRAME - 1, FRAME + 60])('tells frames that are cut into pieces of %i bytes', (size) => {
    const reservoir = new BitReservoir()
    reservoir.lose()
    const stream = concatenated([
      frame(9).subarray(50),
      frame(0),
      frame(MAIN),
      frame(MAIN * 2 + 1),
      frame(MAIN * 3),
    ])
    const unfed: number[] = []
    for (let at = 0; at < stream.length; at += size)
      if (!reservoir.take(stream.subarray(at, at + size))) unfed.push(at)
    const wrong = FRAME - 50 + FRAME * 2
    expect(unfed.length).toBeGreaterThan(0)
    expect(unfed.every((at) => at + size > wrong && at < wrong + FRAME)).toBe(true)
  })

  it('finds frames again where bytes of one are gone without a word', () => {
    const reservoir = new BitReservoir()
    reservoir.lose()
    const first = concatenated([frame(0).subarray(0, 90), frame(0), frame(MAIN), frame(MAIN * 2)])
    expect(reservoir.take(first)).toBe(true)
    expect(reservoir.isLow).toBe(false)
  })

  it('of an encoder misses what was left out, and fills within four frames', () => {
    const signal = sequence([tones(44100), transients(44100), silence], 11025)
    const { packets } = encode({
      ...{ encoder: FF_ENCODER_LIBMP3LAME, rate: 44100, channels: 2, bitRate: 128_000 },
      ...{ signal, samples: 88200 },
    })
    const reservoir = new BitReservoir()
    let missed = 0
    for (let i = 8; i + 8 < packets.length; i += 8) {
      reservoir.lose()
      const fed = packets.slice(i, i + 8).map((packet) => reservoir.take(packet))
      expect(fed.slice(4)).toEqual([true, true, true, true])
      missed += fed.filter((is) => !is).length
    }
    expect(missed).toBeGreaterThan(0)
  })

  it('is none of Layer II', () => {
    const { packets } = encode({
      ...{ encoder: FF_ENCODER_MP2, rate: 48000, channels: 2, bitRate: 224_000 },
      ...{ signal: tones(48000), samples: 9600 },
    })
    const reservoir = new BitReservoir()
    reservoir.lose()
    expect(packets.map((packet) => reservoir.take(packet))).toEqual(packets.map(() => true))
  })
})
