import { expect, it } from 'vitest'
import { MemorySink } from '../../../src/bytes/sink.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { repair } from '../../../src/engine.ts'
import * as ids from '../../../src/formats/matroska/ids.ts'
import type { RecordingReport } from '../../../src/model/report.ts'
import { element, float, text, unsigned } from '../../../src/syntax/ebml/write.ts'

const FRAMES = 60
/** MPEG-1 frames of one channel at 64 kbit/s and 48 kHz: 24 ms, of whose 192 bytes 171 are main data. */
const FRAME = 192
const LASTS = 24
/** Where main data begins in front of its frame: two frames behind a lost one miss theirs. */
const BEGIN = 300

const blocks = Array.from({ length: FRAMES }, (_, i) => {
  const frame = Uint8Array.from({ length: FRAME }, (_, at) => 1 + ((at * 7 + i * 31) % 250))
  // header, main_data_begin and side information without big values
  frame.set([0xff, 0xfb, 0x54, 0xc0, BEGIN >> 1, (BEGIN & 1) << 7, ...new Uint8Array(15)])
  const time = i * LASTS
  return element(ids.SIMPLE_BLOCK, [0x81, time >> 8, time & 255, 0x80], frame)
})
const film = Uint8Array.from(
  Buffer.concat([
    element(ids.EBML, text(ids.DOC_TYPE, 'matroska')),
    element(
      ids.SEGMENT,
      element(ids.INFO, unsigned(ids.TIMESTAMP_SCALE, 1_000_000), float(ids.DURATION, FRAMES * LASTS)),
      element(
        ids.TRACKS,
        element(
          ids.TRACK_ENTRY,
          ...[unsigned(ids.TRACK_NUMBER, 1), unsigned(ids.TRACK_UID, 1), unsigned(ids.TRACK_TYPE, 2)],
          ...[unsigned(ids.DEFAULT_DURATION, LASTS * 1e6), text(ids.CODEC_ID, 'A_MPEG/L3')],
          element(ids.AUDIO, float(ids.SAMPLING_FREQUENCY, 48000), unsigned(ids.CHANNELS, 1)),
        ),
      ),
      element(ids.CLUSTER, unsigned(ids.TIMESTAMP, 0), ...blocks),
    ),
  ]),
)

async function repaired(damaged: Uint8Array): Promise<RecordingReport> {
  const source = new MemorySource(damaged)
  const report = await repair({ damaged: { source, name: 'damaged.mkv' }, sink: new MemorySink() })
  if (report.kind !== 'recording') throw new Error('the file was taken for a photo')
  return report
}

it('Layer III sound behind a loss is damaged as far as its main data began in what is lost', async () => {
  const { length } = blocks[0]
  const at = film.length - (FRAMES - 20) * length
  const { tracks } = await repaired(new Uint8Array(film).fill(0, at, at + length))
  expect(tracks.map(({ recovered, damaged, lost }) => [recovered, damaged, lost])).toEqual([
    [FRAMES - 3, 2, 1],
  ])
})

it('a film whose end is cut off has no Layer III sound that misses anything', async () => {
  const { tracks } = await repaired(film.slice(0, film.length - 20 * blocks[0].length))
  expect(tracks.map(({ recovered, damaged }) => [recovered, damaged])).toEqual([[FRAMES - 20, 0]])
})
