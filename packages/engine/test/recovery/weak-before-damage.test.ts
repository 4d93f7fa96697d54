import { expect, it } from 'vitest'
import { type Recogniser, Unit } from '../../src/codecs/recogniser.ts'
import { SILENT } from '../../src/model/monitor.ts'
import { Assembler } from '../../src/recovery/carving/assembler.ts'
import { noise, readerOf } from '../../testing/video/replay.ts'
import { interleave, lane, prior } from './lanes.ts'

/** First bytes of pictures that tell little and much, and their bits of evidence. */
const EVIDENCE = new Map([
  [0xf1, 18],
  [0xf2, 33],
])
const PICTURE = 1000
const SOUND = 320

/** Pictures of one size that a first byte opens. */
const pictures: Recogniser = {
  codec: 'test',
  timescale: 0,
  orderStep: 1,
  selfDelimiting: true,
  recognise: (reader, offset, end, unit) => {
    const evidence = offset + PICTURE <= end ? EVIDENCE.get(reader.u8(offset)) : undefined
    if (evidence === undefined) return false
    Object.assign(unit, { evidence, length: PICTURE, lengthKnown: true, damaged: false })
    return true
  },
  accept: () => {},
  discontinuity: () => {},
  search: (reader, from, end) => {
    let at = from
    while (at < end && !EVIDENCE.has(reader.u8(at))) at++
    return at
  },
}

it('a picture that tells little, with sound on both sides, is kept in front of one whose successor is destroyed', async () => {
  const video = { ...lane(0, 'video', 25), recogniser: pictures }
  const audio = { ...lane(1, 'audio', 8_000), group: -1 }
  const plain = { ...audio, description: { ...audio.description, blockAlign: 2 } }
  const opens = [0xf2, 0xf2, 0xf2, 0xf1, 0xf2, 0, 0xf2, 0xf2, 0xf2, 0xf2]
  // no byte of the rest opens a picture
  const bytes = noise(opens.length * (PICTURE + SOUND), 5).map((byte) => byte & 0x7f)
  for (const [i, first] of opens.entries()) bytes[i * (PICTURE + SOUND)] = first
  const gap = { pieces: [{ lane: 1, bytes: SOUND, units: [] }], total: SOUND, count: 100 }
  const assembler = new Assembler(
    readerOf(bytes),
    [video, plain],
    [
      {
        ...{ lanes: [video], family: [video], recogniser: pictures, unit: new Unit() },
        ...{ at: -1, matched: false, recoveryIsKey: false },
      },
    ],
    { ...interleave([prior(1, 25_000), prior(1, 16_000)]), patterns: [gap] },
    () => undefined,
  )
  await assembler.assemble({ offset: 0, length: bytes.length }, SILENT, async () => {})
  const { table } = video
  const found = Array.from({ length: table.length }, (_, row) => table.offset[row] / (PICTURE + SOUND))
  expect(found).toEqual([0, 1, 2, 3, 4, 6, 7, 8, 9])
})
