import { expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../../src/bytes/limits.ts'
import { SILENT } from '../../../src/model/monitor.ts'
import { flagBlankRows } from '../../../src/recording/judge/blank-rows.ts'
import { measureUnexplained } from '../../../src/recording/judge/unexplained.ts'
import { carve } from '../../../src/recovery/carve.ts'
import { readerOf } from '../../../testing/video/replay.ts'
import { checksum, drawnOf, FILMS } from '../../drawn-recordings.ts'

/**
 * What is left over of a recording's payload: bytes that nothing explains by damage, `!` where they may hide units, and damaged
 * rows.
 */
async function account(file: URL): Promise<string> {
  const { name, whole, tracks, payloads } = await drawnOf(file)
  const recorded = tracks.map(({ description, samples }) => ({ description, table: samples }))
  const sample = { reader: readerOf(whole), tracks: recorded }
  const told: string[] = []
  const damaged: unknown[] = []
  for (const bytes of payloads) {
    const reader = readerOf(bytes)
    const regions = [{ offset: 0, length: bytes.length }]
    const carved = await carve({ reader, regions, sample, limits: DEFAULT_LIMITS, monitor: SILENT })
    const left = measureUnexplained(reader, carved, (offset) => offset === 0)
    told.push(`${left.bytes}${left.hidesUnits ? '!' : ''}`)
    for (const { description, table } of carved.tracks) {
      damaged.push(flagBlankRows(reader, description, table), [...table.flags.subarray(0, table.length)])
    }
  }
  return `${name} ${told.join(' ')} ${checksum(damaged)}`
}

it('what nothing explains of payload damaged by lot is what it was', async () => {
  expect((await Promise.all(FILMS.map(account))).join('\n')).toMatchInlineSnapshot(`
    "h264-aac.mp4 0 0 7325 0 510! 1! 56 0 344 275! 1250! 601! 1febf04b
    h264-two-aac.mov 0 0 1950 3068! 2638! 119! 94! 0 4517! 0 1503! 0 a57854d8
    h264-opus.mp4 0 0 0 1552 0 0 4187! 0 2396 0 1656 0 b5a741fd
    h264-pcm.mov 6292 6584 0 0 0 0 0 7452 274 0 9772 0 aa8695bb
    hevc-aac.mp4 804! 0 1120 13 145 0 0 269 0 0 5! 0 a539e359
    mjpeg-pcm.mov 0 3584 0 1157 8064 565! 6274 0 2711! 10773! 0 1 0fbb3b18
    mpeg4-aac.mp4 2 21 603 1041 2621 72 821 168 456 0 244 515 78b2dc6b
    prores-pcm.mov 0 3751 736 0 2921! 5055! 3840 0 3001 1 2560 588 72490b56
    3gp-mpeg4-amr.3gp 15536 23310 3707 1727! 10821 0 0 10590 10590 8320 21912 7630 72e24369
    h264-two-aac.mp4 6366! 0 3939! 0 19! 3000! 4140! 0 5013 5784 3000! 20915 87cb0181"
  `)
})
