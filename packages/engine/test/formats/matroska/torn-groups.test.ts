import { expect, it } from 'vitest'
import {
  BLOCK,
  BLOCK_ADDITIONS,
  BLOCK_GROUP,
  CLUSTER,
  REFERENCE_BLOCK,
  TIMESTAMP,
} from '../../../src/formats/matroska/ids.ts'
import { element, sizeBytes, unsigned } from '../../../src/syntax/ebml/write.ts'
import { repairRecording } from '../../../testing/recordings/repair-recording.ts'
import { framesIn } from './support/laced.ts'
import { STEP, smallFilm } from './support/small-film.ts'

/** Bytes of what comes on top of a picture. */
const ADDED = 900
const { film: bytes, pictures } = smallFilm('vp8', 'V_VP8')

/** The film with each picture in a group of its own, with how far back the one is that it needs, and what comes on top of it. */
function grouped(): { film: Uint8Array; ends: number[] } {
  const groups = pictures.map(({ offset, size }, i) =>
    element(
      BLOCK_GROUP,
      element(
        BLOCK,
        Uint8Array.from([...sizeBytes(1), (i * STEP) >> 8, (i * STEP) & 255, 0]),
        bytes.subarray(offset, offset + size),
      ),
      i > 0 ? element(REFERENCE_BLOCK, Uint8Array.of(256 - STEP)) : [],
      element(BLOCK_ADDITIONS, new Uint8Array(ADDED).fill(0x5a)),
    ),
  )
  const head = bytes.subarray(0, Buffer.from(bytes).indexOf(Uint8Array.of(0x1f, 0x43, 0xb6, 0x75)))
  const cluster = element(CLUSTER, unsigned(TIMESTAMP, 0), ...groups)
  const ends: number[] = []
  let at = head.length + cluster.length
  for (const group of groups.toReversed()) {
    ends.unshift(at)
    at -= group.length
  }
  return { film: Uint8Array.from([...head, ...cluster]), ends }
}

const { film, ends } = grouped()
const place = 5

it.each<[string, damaged: Uint8Array, kept: number]>([
  [
    'bytes are missing behind it in its group',
    Uint8Array.from([...film.subarray(0, ends[place] - 500), ...film.subarray(ends[place] - 100)]),
    pictures.length,
  ],
  ['the film ends behind it in its group', film.slice(0, ends[place] - 500), place + 1],
])('a picture is kept where %s', async (_, damaged, kept) => {
  const { report, bytes: result } = await repairRecording(damaged, 'webm')
  const frames = await framesIn(result)
  expect(frames.map(({ text }) => text)).toEqual(
    (await framesIn(film)).slice(0, kept).map(({ text }) => text),
  )
  expect(frames.map(({ time }) => time)).toEqual(frames.map((_, i) => i * STEP))
  expect(report.tracks[0].damaged).toBe(1)
  expect((await repairRecording(result, 'webm')).report.verdict).toBe('healthy')
})
