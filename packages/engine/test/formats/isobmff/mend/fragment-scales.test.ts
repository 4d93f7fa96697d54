import { describe, expect, it } from 'vitest'
import { DOUBT } from '../../../../src/model/doubt.ts'
import { movieOf, read, repaired } from '../support/engine.ts'
import { fixture } from '../support/fixtures.ts'

const healthy = fixture('h264-aac-fragmented.mp4')

/** Where the n-th box of a type begins, counted from 0. */
function placeOf(type: string, n: number): number {
  const wanted = Buffer.from(type, 'latin1')
  let at = -1
  for (let i = 0; i <= n; i++) at = Buffer.from(healthy).indexOf(wanted, at + 1)
  return at - 4
}

/** The recording with one bit of a track's time scale flipped; `hit` where the movie box was hit elsewhere as well. */
function flipped(track: number, bit: number, hit: boolean): Uint8Array {
  const damaged = healthy.slice()
  damaged[placeOf('mdhd', track) + 20 + 3 - (bit >> 3)] ^= 1 << (bit & 7)
  if (hit) damaged[placeOf('smhd', 0) + 4] ^= 1
  return damaged
}

const BITS = Array.from({ length: 32 }, (_, bit) => bit)

async function wrongBits(track: number, hit: boolean): Promise<number[]> {
  const scale = (await movieOf(healthy)).tracks[track].mediaHeader.timescale
  const wrong: number[] = []
  for (const bit of BITS) {
    const { movie } = await read(flipped(track, bit, hit))
    const found = movie?.tracks[track]
    if (found?.mediaHeader.timescale !== scale || found.description.timescale !== scale) wrong.push(bit)
  }
  return wrong
}

describe('a flipped bit in the time scale of a track whose samples are in fragments', () => {
  it('is mended where other parts of the movie box were hit, but for 24 pictures a second instead of 25', async () => {
    expect(await wrongBits(0, true)).toEqual([9])
    expect(await wrongBits(1, true)).toEqual([])
  })

  it('leaves a doubt where another is as usual and fits no worse', async () => {
    const { report } = await repaired(flipped(0, 9, true))
    expect(report.doubts).toContain(DOUBT.times)
  })

  it('is mended where the tracks would last differently, though nothing else was hit', async () => {
    // the lowest bits make less than an eighth of the length
    expect((await wrongBits(0, false)).filter((bit) => bit > 11)).toEqual([])
    expect((await wrongBits(1, false)).filter((bit) => bit > 14)).toEqual([])
  })

  it('changes nothing of a healthy recording', async () => {
    const { movie, findings } = await read(healthy)
    expect(findings.healthy).toBe(true)
    expect(movie?.tracks.some(({ tables }) => tables.durationsGuessed)).toBe(false)
  })

  it('leaves a doubt where more than one was flipped', async () => {
    const damaged = flipped(1, 20, true)
    damaged[placeOf('mdhd', 1) + 22] ^= 0x10
    const { report } = await repaired(damaged)
    expect(report.verdict).toBe('partial')
    expect(report.doubts).toContain(DOUBT.times)
  })
})
