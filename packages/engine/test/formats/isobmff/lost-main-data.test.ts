import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { soundEntry } from '../../../src/formats/isobmff/boxes/sample-entries.ts'
import { indexZeroed } from '../../../src/formats/isobmff/recipes.ts'
import { FIXTURES } from '../../../testing/contract/fixtures.ts'
import { pictureTrack } from '../../../testing/recordings/tracks.ts'
import { type RecordedUnit, writeRecording } from '../../../testing/recordings/write-recording.ts'
import { read as readAvi } from '../avi/support/repaired.ts'
import { movieOf, repaired } from './support/engine.ts'

const SAMPLES = 1152
const RATE = 44_100

/** Frames of Layer III that reach back for main data. */
const film = new Uint8Array(readFileSync(`${FIXTURES}/avi/avi-h264-mp3.avi`))
const { chunks } = (await readAvi(film)).walk
const frames: RecordedUnit[] = Array.from({ length: chunks.length }, (_, row) => row)
  .filter((row) => chunks.stream[row] === 1)
  .map((row) => ({
    bytes: film.slice(chunks.offset[row], chunks.offset[row] + chunks.size[row]),
    duration: SAMPLES,
  }))

const sound = {
  handler: 'soun',
  timescale: RATE,
  entry: soundEntry({ format: '.mp3', channels: 2, rate: RATE, boxes: [] }),
  units: frames,
}
const whole = writeRecording([pictureTrack('h264-baseline', 30), sound])
const { samples } = (await movieOf(whole)).tracks[1]

/** The recording with frame `row` of sound zeroed. */
function without(row: number): Uint8Array {
  return new Uint8Array(whole).fill(0, samples.offset[row], samples.offset[row] + samples.size[row])
}

it.each([
  ['with its index', without(15), undefined],
  ['without one', indexZeroed(without(15)), whole],
])(
  'Layer III sound behind a loss is damaged as far as its main data began in what is lost, %s',
  async (_, damaged, sample) => {
    const { report } = await repaired(damaged, sample)
    const [found] = report.tracks.filter(({ kind }) => kind === 'audio')
    expect([found.recovered, found.damaged, found.lost]).toEqual([frames.length - 3, 2, 1])
  },
)
