import { expect, it } from 'vitest'
import * as ids from '../../../src/formats/matroska/ids.ts'
import { matroska } from '../../../src/formats/matroska/index.ts'
import { element, float, text, unsigned } from '../../../src/syntax/ebml/write.ts'
import { fixtureOf } from '../../../testing/contract/fixtures.ts'
import { repairRecording } from '../../../testing/recordings/repair-recording.ts'
import { framesOf, remade } from './support/remade.ts'

const SOUND = 2
/** Bytes of a block of sound: samples of 16 bits at 12 kHz for as long as a frame of the fixture's sound lasts. */
const BLOCK = 512

let blocks = 0
/** Samples that begin with the number of their block. */
const samples = (): Uint8Array => {
  const number = blocks++
  return Uint8Array.from({ length: BLOCK }, (_, i) => (i === 0 ? number : i * 37 + number * 11))
}

const whole = await remade(fixtureOf(matroska, 'mkv-h264-aac'), {
  entries: ([pictures]) => [
    pictures,
    element(
      ids.TRACK_ENTRY,
      unsigned(ids.TRACK_NUMBER, SOUND),
      unsigned(ids.TRACK_UID, SOUND),
      unsigned(ids.TRACK_TYPE, 2),
      text(ids.CODEC_ID, 'A_PCM/INT/LIT'),
      element(
        ids.AUDIO,
        float(ids.SAMPLING_FREQUENCY, 12_000),
        unsigned(ids.CHANNELS, 1),
        unsigned(ids.BIT_DEPTH, 16),
      ),
    ),
  ],
  stored: (track, frame) => (track === SOUND ? samples() : frame),
})
const sounds = (frames: readonly string[]): Buffer[] =>
  frames
    .filter((frame) => frame.startsWith(`${SOUND} `))
    .map((frame) => Buffer.from(frame.replace(/^\d+ \d+ /, ''), 'latin1'))
const before = sounds(await framesOf(whole))
const hit = before.length >> 1
const at = Buffer.from(whole).indexOf(before[hit])

it.each([
  [
    'bytes are missing in its end',
    Uint8Array.from([...whole.subarray(0, at + 401), ...whole.subarray(at + 501)]),
    before.length,
  ],
  ['the film ends in it', whole.slice(0, at + 401), hit + 1],
])('of plain samples in a block what is there stays, in whole samples: %s', async (_, damaged, count) => {
  const { report, bytes } = await repairRecording(damaged, 'mkv')
  expect(report.verdict).toBe('repaired')
  const after = sounds(await framesOf(bytes))
  expect(after).toHaveLength(count)
  expect(after[hit].subarray(0, 400)).toEqual(before[hit].subarray(0, 400))
  expect(after[hit].length % 2).toBe(0)
  expect(after.filter((_unused, i) => i !== hit)).toEqual(
    before.slice(0, count).filter((_unused, i) => i !== hit),
  )
})
