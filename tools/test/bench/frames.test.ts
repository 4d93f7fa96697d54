import { describe, expect, it } from 'vitest'
import { splitPacket } from '../../src/bench/frames.ts'

/** A packet of bytes at a time, in seconds. */
function packet(bytes: Buffer, pts: number, duration: number, position: number) {
  return { pts, dts: pts, duration, position, size: bytes.length, key: true, md5: bytes.toString('hex') }
}

/** Frames of as many bytes as their first says. */
const measure = (bytes: Buffer, at: number): number => (bytes[at] ?? 0) + 1

const FRAMES = [[2, 10, 11], [1, 20], [0], [3, 30, 31, 32]].map((bytes) => Buffer.from(bytes))

describe('sound in frames', () => {
  it('is the same however it is joined to packets: bytes, times and places', () => {
    const all = Buffer.concat(FRAMES)
    const whole = splitPacket(packet(all, 1, 0.08, 100), all, measure)
    const halves = [FRAMES.slice(0, 2), FRAMES.slice(2)].flatMap((part, half) => {
      const bytes = Buffer.concat(part)
      return splitPacket(packet(bytes, 1 + half * 0.04, 0.04, 100 + half * 5), bytes, measure)
    })
    expect(whole.map(({ size, position }) => [size, position])).toEqual([
      [3, 100],
      [2, 103],
      [1, 105],
      [4, 106],
    ])
    expect(halves.map(({ md5 }) => md5)).toEqual(whole.map(({ md5 }) => md5))
    expect(halves.map(({ position }) => position)).toEqual(whole.map(({ position }) => position))
    for (const [i, { pts, duration }] of halves.entries()) {
      expect(pts).toBeCloseTo(whole[i]?.pts ?? 0, 9)
      expect(duration).toBeCloseTo(0.02, 9)
    }
  })

  it('stays a packet where its bytes are no whole frames', () => {
    const bytes = Buffer.from([2, 10, 11, 5, 1])
    const one = packet(bytes, 0, 0.02, 0)
    expect(splitPacket(one, bytes, measure)).toEqual([one])
  })
})
