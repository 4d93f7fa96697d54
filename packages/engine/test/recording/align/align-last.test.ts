import { AV_SAMPLE_FMT_S16P, FF_ENCODER_ALAC } from 'node-av/constants'
import { expect, it } from 'vitest'
import { SILENT } from '../../../src/model/monitor.ts'
import { SampleTable } from '../../../src/model/sample-table.ts'
import { align } from '../../../src/recording/align/align.ts'
import { ROW_BROKEN, ROW_FITS, ROW_OUTSIDE } from '../../../src/recording/align/row-state.ts'
import { sampleChecker } from '../../../src/recording/align/sample-checker.ts'
import { concat } from '../../../testing/video/bit-writer.ts'
import { readerOf, trackOf } from '../../../testing/video/replay.ts'
import { streamFixture } from '../../../testing/video/stream-fixture.ts'
import { encode } from '../../codecs/support/encode.ts'
import { audioTrack } from '../../codecs/support/scan.ts'
import { tones } from '../../codecs/support/signals.ts'

const PICTURES = 3
const RATE = 44_100

/** Pictures, then frames of sound, of which the first has lost bytes, `kept` more are whole and the rest is cut off. */
async function alignSound(kept: number) {
  const video = streamFixture('mjpeg')
  const { config, packets } = encode({
    encoder: FF_ENCODER_ALAC,
    rate: RATE,
    channels: 1,
    format: AV_SAMPLE_FMT_S16P,
    signal: tones(RATE),
    samples: 4096 * 8,
  })
  const tables = [new SampleTable(), new SampleTable()]
  const frames: Uint8Array[] = []
  let at = 0
  const add = (lane: number, frame: Uint8Array): void => {
    tables[lane].push(at, frame.length, 1, 1, tables[lane].length, 0)
    frames.push(frame)
    at += frame.length
  }
  for (const { offset, size } of video.packets.slice(0, PICTURES))
    add(0, video.bytes.subarray(offset, offset + size))
  for (const packet of packets) add(1, packet)
  const whole = concat(frames)
  const sound = tables[1]
  const hit = sound.offset[0] + 200
  const reader = readerOf(
    concat([whole.subarray(0, hit), whole.subarray(hit + 35, sound.offset[kept + 1] + 20)]),
  )
  const descriptions = [trackOf(video, 'raw'), audioTrack('alac', config)]
  const { tracks } = await align({
    reader,
    tables,
    checkers: descriptions.map((description, i) => sampleChecker(reader, description, tables[i], [])),
    payload: [{ offset: 0, length: reader.size }],
    suggestions: [],
    monitor: SILENT,
    stage: 'diagnose',
  })
  return tracks[1]
}

it('the last two samples of a file tell by how many bytes the index is off', async () => {
  const { shift, state } = await alignSound(2)
  expect([...shift.subarray(0, 3)]).toEqual([0, -35, -35])
  expect([...state.subarray(0, 4)]).toEqual([ROW_BROKEN, ROW_FITS, ROW_FITS, ROW_OUTSIDE])
})

it('a few samples none of which fits are damaged where the file is cut', async () => {
  const { broken } = await alignSound(1)
  expect(broken).toBe(1)
})
