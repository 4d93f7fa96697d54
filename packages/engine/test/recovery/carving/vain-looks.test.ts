import { expect, it } from 'vitest'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { type Recogniser, Unit } from '../../../src/codecs/recogniser.ts'
import { SILENT } from '../../../src/model/monitor.ts'
import { Assembler } from '../../../src/recovery/carving/assembler.ts'
import { interleave, lane, prior } from '../lanes.ts'

const BYTES = 4_000_000
/** A run of units that are beyond doubt, behind bytes in which each begins one that tells nearly nothing. */
const FIRM = 3_000_000

/** Reads how many places are looked at. */
function everywhere(looked: () => void): Recogniser {
  return {
    codec: 'test',
    timescale: 0,
    orderStep: 1,
    selfDelimiting: true,
    recognise: (_reader, offset, end, unit) => {
      looked()
      const isFirm = offset >= FIRM && (offset - FIRM) % 1000 === 0
      const length = isFirm ? 1000 : 7
      if (offset + length > end) return false
      Object.assign(unit, { evidence: isFirm ? 60 : 2, length, lengthKnown: true, damaged: false })
      return true
    },
    accept: () => {},
    discontinuity: () => {},
    search: (_reader, from, end) => Math.min(from, end),
  }
}

it('bytes that begin a unit everywhere are not tried one by one without end, and units behind them are found', async () => {
  let looks = 0
  const recogniser = everywhere(() => {
    looks++
  })
  const video = { ...lane(0, 'video', 25), recogniser }
  const assembler = new Assembler(
    new ByteReader(new MemorySource(new Uint8Array(BYTES))),
    [video],
    [
      {
        ...{ lanes: [video], family: [video], recogniser, unit: new Unit() },
        ...{ at: -1, matched: false, recoveryIsKey: false },
      },
    ],
    interleave([prior(1, 25_000)]),
    () => undefined,
  )
  await assembler.assemble({ offset: 0, length: BYTES }, SILENT, async () => {})
  const { table } = video
  expect(looks).toBeLessThan(BYTES)
  expect(table.length).toBeGreaterThan(((BYTES - FIRM) / 1000) * 0.98)
})

/** Bytes from one picture to the next. */
const APART = 1_000_000

it('where a picture ends that does not tell is not looked for without end, in bytes that begin sound everywhere', async () => {
  let looks = 0
  const pictures: Recogniser = {
    ...everywhere(() => {}),
    recognise: (_reader, offset, end, unit) => {
      if (offset % APART !== 0 || offset + APART > end) return false
      Object.assign(unit, { evidence: 60, length: APART, lengthKnown: false, damaged: true })
      return true
    },
    search: (_reader, from, end) => Math.min(Math.ceil(from / APART) * APART, end),
  }
  const sound: Recogniser = {
    ...everywhere(() => {}),
    recognise: (_reader, offset, end, unit) => {
      looks++
      if (offset % APART === 0 || offset + 7 > end) return false
      Object.assign(unit, { evidence: 6, length: 7, lengthKnown: true, damaged: false })
      return true
    },
  }
  const video = { ...lane(0, 'video', 25), recogniser: pictures }
  const audio = { ...lane(1, 'audio', 8000), recogniser: sound }
  const groups = [video, audio].map((own) => ({
    ...{ lanes: [own], family: [own], recogniser: own.recogniser, unit: new Unit() },
    ...{ at: -1, matched: false, recoveryIsKey: false },
  }))
  const assembler = new Assembler(
    new ByteReader(new MemorySource(new Uint8Array(BYTES))),
    [video, audio],
    groups,
    interleave([prior(1, 25_000), prior(1, 4000)]),
    () => undefined,
  )
  await assembler.assemble({ offset: 0, length: BYTES }, SILENT, async () => {})
  const { table } = video
  expect(Array.from({ length: table.length }, (_, row) => table.size[row])).toEqual(
    new Array<number>(BYTES / APART).fill(APART),
  )
  expect(looks).toBeLessThan(BYTES)
})

it('where one track goes on soon behind holes the others are not searched for far and wide at each', async () => {
  const apart = 1000
  let searched = 0
  const pictures: Recogniser = {
    ...everywhere(() => {}),
    recognise: (_reader, offset, _end, unit) => {
      Object.assign(unit, { evidence: 60, length: apart - 100, lengthKnown: true, damaged: false })
      return offset % apart === 0
    },
    search: (_reader, from, end) => Math.min(Math.ceil(from / apart) * apart, end),
  }
  const sound: Recogniser = {
    ...everywhere(() => {}),
    recognise: () => false,
    search: (_reader, from, end) => {
      searched += end - from
      return end
    },
  }
  const lanes = [
    { ...lane(0, 'video', 25), recogniser: pictures },
    { ...lane(1, 'audio', 8000), recogniser: sound },
  ]
  const groups = lanes.map((own) => ({
    ...{ lanes: [own], family: [own], recogniser: own.recogniser, unit: new Unit() },
    ...{ at: -1, matched: false, recoveryIsKey: false },
  }))
  const bytes = new ByteReader(new MemorySource(new Uint8Array(BYTES)))
  const kinds = interleave([prior(1, 25_000), prior(1, 4000)])
  const assembler = new Assembler(bytes, lanes, groups, kinds, () => undefined)
  await assembler.assemble({ offset: 0, length: BYTES }, SILENT, async () => {})
  expect(lanes[0].table.length).toBe(BYTES / apart)
  expect(searched).toBeLessThan(8 * BYTES)
})
