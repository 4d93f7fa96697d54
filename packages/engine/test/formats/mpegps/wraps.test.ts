import { describe, expect, it } from 'vitest'
import { mpegps } from '../../../src/formats/mpegps/index.ts'
import { PACK, PACK_CLOCK_AT, packClock } from '../../../src/formats/mpegps/read/item.ts'
import { itemsOf, RECIPES } from '../../../src/formats/mpegps/recipes.ts'
import { isPacketStart } from '../../../src/syntax/pes/packet-header.ts'
import { readTimeStamp, WRAP, wrapped, writeTimeStamp } from '../../../src/syntax/pes/time-stamp.ts'
import { fixtureOf } from '../../../testing/contract/fixtures.ts'
import { repairRecording } from '../../../testing/recordings/repair-recording.ts'

/** Where the first time stamp of an MPEG-2 packet stands, ISO/IEC 13818-1:2022 §2.4.3.6. */
const STAMP_AT = 9
const STAMP_BYTES = 5

/** The program stream with all clocks and time stamps moved. */
function timesMoved(bytes: Uint8Array, ticks: number): Uint8Array {
  const result = bytes.slice()
  for (const { code, offset, clock = Number.NaN } of itemsOf(bytes)) {
    if (code === PACK) {
      result.set(packClock(bytes.slice(offset, offset + 14), clock + ticks), offset + PACK_CLOCK_AT)
      continue
    }
    if (!isPacketStart(bytes, offset) || bytes[offset + 6] >> 6 !== 2) continue
    const stamps = Math.max(0, (bytes[offset + 7] >> 6) - 1)
    for (let at = offset + STAMP_AT; at < offset + STAMP_AT + stamps * STAMP_BYTES; at += STAMP_BYTES)
      writeTimeStamp(result, at, bytes[at] >> 4, wrapped(readTimeStamp(bytes, at) + ticks))
  }
  return result
}

/** Moves times so that the clock turns over in the middle of a recording. */
function turnOf(bytes: Uint8Array): number {
  const packs = itemsOf(bytes).filter(({ code }) => code === PACK)
  return WRAP - (packs[packs.length >> 1].clock ?? 0)
}

const zeroed = (bytes: Uint8Array): Uint8Array =>
  bytes.slice().fill(0, Math.floor(bytes.length * 0.45), Math.floor(bytes.length * 0.55))

describe.each(['mpg-mpeg2-mp2', 'vob-mpeg2-ac3'])('a clock that wraps in the middle, %s', (name) => {
  const plain = fixtureOf(mpegps, name)
  const ticks = turnOf(plain)
  const whole = timesMoved(plain, ticks)

  it('is healthy as it is', async () => {
    expect(whole).not.toEqual(plain)
    expect((await repairRecording(whole, 'mpg')).report.verdict).toBe('healthy')
  })

  it.each([...RECIPES, { name: 'zeros over the wrap', apply: zeroed }])(
    '$name: what comes out is what comes of the recording without a wrap, and its times are moved',
    async ({ apply }) => {
      const like = await repairRecording(apply(plain, 7), 'mpg')
      const { report, bytes, findings, doubts } = await repairRecording(apply(whole, 7), 'mpg')
      expect([report.verdict, findings, doubts]).toEqual([like.report.verdict, like.findings, like.doubts])
      expect(Buffer.compare(bytes, timesMoved(like.bytes, ticks))).toBe(0)
      const lengths = (tracks: typeof report.tracks): string[] =>
        tracks.map(({ duration }) => duration.toFixed(3))
      expect(lengths(report.tracks)).toEqual(lengths(like.report.tracks))
    },
  )
})
