import { expect, it } from 'vitest'
import { SILENT } from '../../../src/model/monitor.ts'
import { align } from '../../../src/recording/align/align.ts'
import { sampleChecker } from '../../../src/recording/align/sample-checker.ts'
import { readerOf } from '../../../testing/video/replay.ts'
import { checksum, drawnOf, FILMS } from '../../drawn-recordings.ts'

/** How an index fits what became of its payload: rows that do by track over all damages, and a checksum. */
async function account(file: URL): Promise<string> {
  const { name, whole, tracks, from, end, payloads } = await drawnOf(file)
  const tables = tracks.map(({ samples }) => samples)
  const fitting = tracks.map(() => 0)
  const told: unknown[] = []
  for (const payload of payloads) {
    const bytes = new Uint8Array(Buffer.concat([whole.subarray(0, from), payload, whole.subarray(end)]))
    const moved = payload.length - (end - from)
    const suggestions = moved === 0 ? [] : [moved]
    const reader = readerOf(bytes)
    const aligned = await align({
      ...{ reader, tables, suggestions, monitor: SILENT, stage: 'diagnose' },
      checkers: tracks.map(({ description }, i) =>
        sampleChecker(reader, description, tables[i], suggestions),
      ),
      payload: [{ offset: from, length: payload.length }],
    })
    for (const [i, { state, shift, fits, ...rest }] of aligned.tracks.entries()) {
      fitting[i] += fits
      told.push([...state], [...shift], rest)
    }
    told.push(aligned.pieces, aligned.flipped)
  }
  return `${name} ${fitting.join('+')} ${checksum(told)}`
}

it('how an index fits payload damaged by lot is what it was', async () => {
  expect((await Promise.all(FILMS.map(account))).join('\n')).toMatchInlineSnapshot(`
    "h264-aac.mp4 560+1082 8eddca28
    h264-two-aac.mov 253+492+486+0 1d6ddaa6
    h264-opus.mp4 551+0 e62e20fd
    h264-pcm.mov 555+0 d91173ad
    hevc-aac.mp4 544+1034 3a45fdfe
    mjpeg-pcm.mov 97+0 fea15e5d
    mpeg4-aac.mp4 275+518 e70e3042
    prores-pcm.mov 109+0 590b06e1
    3gp-mpeg4-amr.3gp 247+810 7dbc01f0
    h264-two-aac.mp4 499+808+809 ac158d3f"
  `)
})
