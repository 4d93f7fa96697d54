import { expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../src/bytes/limits.ts'
import { SILENT } from '../../src/model/monitor.ts'
import { carve } from '../../src/recovery/carve.ts'
import { readerOf } from '../../testing/video/replay.ts'
import { checksum, columnsOf, drawnOf, FILMS } from '../drawn-recordings.ts'

/** What is carved of a recording's payload: units by track and holes over all damages, and a checksum. */
async function account(file: URL): Promise<string> {
  const { name, whole, tracks, payloads } = await drawnOf(file)
  const recorded = tracks.map(({ description, samples }) => ({ description, table: samples }))
  const units = tracks.map(() => 0)
  let gaps = 0
  const told: unknown[] = []
  for (const bytes of payloads) {
    const { tracks, holes, ...rest } = await carve({
      ...{ reader: readerOf(bytes), regions: [{ offset: 0, length: bytes.length }] },
      ...{ sample: { reader: readerOf(whole), tracks: recorded }, limits: DEFAULT_LIMITS, monitor: SILENT },
    })
    gaps += holes.length
    for (const [i, { table, times }] of tracks.entries()) {
      units[i] += table.length
      const { losses, ...timed } = times
      told.push(
        columnsOf(table),
        losses.map(({ row, seconds }) => [row, seconds]),
        timed,
      )
    }
    told.push(holes, rest)
  }
  return `${name} ${units.join('+')} ${gaps} ${checksum(told)}`
}

it('what is carved of payload damaged by lot is what it was', async () => {
  expect((await Promise.all(FILMS.map(account))).join('\n')).toMatchInlineSnapshot(`
    "h264-aac.mp4 572+1082 15 fbe1798b
    h264-two-aac.mov 257+491+486+12 20 106bcf70
    h264-opus.mp4 560+1102 10 f84a79e4
    h264-pcm.mov 558+92 9 d4a97bd9
    hevc-aac.mp4 547+1034 19 7e90eab0
    mjpeg-pcm.mov 101+44 11 721917a4
    mpeg4-aac.mp4 275+518 10 a927444a
    prores-pcm.mov 113+50 13 be942565
    3gp-mpeg4-amr.3gp 250+813 8 84c8671c
    h264-two-aac.mp4 512+808+809 19 56239974"
  `)
})
