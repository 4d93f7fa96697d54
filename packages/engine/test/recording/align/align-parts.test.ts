import { expect, it } from 'vitest'
import { SILENT } from '../../../src/model/monitor.ts'
import { SampleTable } from '../../../src/model/sample-table.ts'
import { align } from '../../../src/recording/align/align.ts'
import { ROW_FITS } from '../../../src/recording/align/row-state.ts'
import { sampleChecker } from '../../../src/recording/align/sample-checker.ts'
import { concat } from '../../../testing/video/bit-writer.ts'
import { noise, readerOf, trackOf } from '../../../testing/video/replay.ts'
import { streamFixture } from '../../../testing/video/stream-fixture.ts'

const CUT = 300
const REMOVED = 400
const PICTURES = 40
const BEFORE = 20
const SOUND = 1000

it('the shift of the beginning is found where the structures suggest that of the rest', async () => {
  const fixture = streamFixture('mjpeg')
  const [first] = fixture.packets
  const frame = fixture.bytes.subarray(first.offset, first.offset + first.size)
  const pictures = new SampleTable()
  const sound = new SampleTable()
  const parts: Uint8Array[] = []
  let at = 0
  for (let row = 0; row < PICTURES; row++) {
    // a comment makes each of another size
    const comment = concat([Uint8Array.of(0xff, 0xfe, 0, 2 + row), new Uint8Array(row)])
    const picture = concat([frame.subarray(0, 2), comment, frame.subarray(2)])
    pictures.push(at, picture.length, 1, 1, row, 0)
    parts.push(picture)
    at += picture.length
    if (row > 0) continue
    sound.push(at, SOUND, 1, 1, 0, 0)
    parts.push(Uint8Array.from(noise(SOUND)))
    at += SOUND
  }
  const whole = concat(parts)
  const gone = pictures.offset[BEFORE] + 100
  const reader = readerOf(concat([whole.subarray(CUT, gone), whole.subarray(gone + REMOVED)]))
  const video = trackOf(fixture, 'raw')
  const audio = { ...video, id: 2, kind: 'audio' as const, codec: 'pcm', blockAlign: 2 }
  const suggestions = [-CUT - REMOVED]
  const { tracks } = await align({
    reader,
    tables: [pictures, sound],
    checkers: [
      sampleChecker(reader, video, pictures, suggestions),
      sampleChecker(reader, audio, sound, suggestions),
    ],
    payload: [{ offset: 0, length: reader.size }],
    suggestions,
    monitor: SILENT,
    stage: 'diagnose',
  })
  expect(sound.length).toBe(1)
  expect(tracks[1].shift[0]).toBe(-CUT)
  const fits = [...tracks[0].state].flatMap((state, row) => (state === ROW_FITS ? [row] : []))
  expect(fits).toEqual(
    Array.from({ length: PICTURES }, (_, row) => row).filter((row) => row !== 0 && row !== BEFORE),
  )
  expect([...tracks[0].shift.subarray(1, BEFORE)]).toEqual(new Array(BEFORE - 1).fill(-CUT))
})
