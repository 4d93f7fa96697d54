import { describe, expect, it } from 'vitest'
import { noise } from '../../src/bytes/damage.ts'
import { SoundHeaders } from '../../src/recording/sound-headers.ts'

/** Frames of AAC in ADTS of 200 to 263 bytes, ISO/IEC 14496-3:2019 §1.A.3.2, one behind the other. */
function frames(count: number): { readonly bytes: Uint8Array; readonly starts: readonly number[] } {
  const parts: Uint8Array[] = []
  const starts: number[] = []
  let at = 0
  for (let i = 0; i < count; i++) {
    const length = 200 + ((i * 37) & 63)
    // no sync word in the payload
    const part = noise(length, i).map((byte) => byte & 0x7f)
    part.set([
      0xff,
      0xf1,
      0x4c,
      0x80 | (length >> 11),
      (length >> 3) & 0xff,
      ((length & 7) << 5) | 0x1f,
      0xfc,
    ])
    parts.push(part)
    starts.push(at)
    at += length
  }
  return { bytes: new Uint8Array(Buffer.concat(parts)), starts }
}

/** What is turned in a stream that comes in pieces of 184 bytes, the first of which lies at 1000, with 4 bytes between them. */
function turnedIn(bytes: Uint8Array, interruptedAt = -1): { turned: [number, number][]; breaks: number } {
  const turned: [number, number][] = []
  const headers = new SoundHeaders((offset, byte) => turned.push([offset, byte]))
  for (let at = 0, piece = 0; at < bytes.length; at += 184, piece++) {
    if (at <= interruptedAt && at + 184 > interruptedAt) headers.interrupt()
    else headers.add(bytes.subarray(at, at + 184), 1000 + piece * 188)
  }
  headers.interrupt()
  return { turned, breaks: headers.breaks }
}

/** Where a byte of the stream lies. */
function placeOf(at: number): number {
  return 1000 + Math.floor(at / 184) * 188 + (at % 184)
}

describe('headers of frames of sound', () => {
  const { bytes, starts } = frames(300)

  it('stay as they are where each leads to the next', () => {
    expect(turnedIn(bytes)).toEqual({ turned: [], breaks: 0 })
  })

  it.each([
    ['sync word', 0, 7],
    ['sampling rate', 2, 3],
    ['length, high', 4, 6],
    ['length, low', 5, 5],
  ])('get a turned bit of the %s back, at its place in the file', (_, byte, bit) => {
    for (const frame of [20, 150, 280]) {
      const damaged = new Uint8Array(bytes)
      const at = starts[frame] + byte
      damaged[at] ^= 1 << bit
      expect(turnedIn(damaged)).toEqual({ turned: [[placeOf(at), bytes[at]]], breaks: 0 })
    }
  })

  it('are told as breaks where more than a bit is wrong', () => {
    const damaged = new Uint8Array(bytes)
    damaged.set([0x12, 0x34], starts[100])
    expect(turnedIn(damaged)).toEqual({ turned: [], breaks: 1 })
  })

  it('are looked for anew behind a hole, which is no break', () => {
    expect(turnedIn(bytes, starts[100])).toEqual({ turned: [], breaks: 0 })
    const damaged = new Uint8Array(bytes)
    damaged[starts[90]] ^= 0x10
    damaged[starts[120]] ^= 0x10
    expect(turnedIn(damaged, starts[100]).turned.map(([, byte]) => byte)).toEqual([0xff, 0xff])
  })

  it('are none in noise, which costs no time for long', () => {
    expect(turnedIn(noise(1 << 20, 3))).toEqual({ turned: [], breaks: 0 })
  })
})
