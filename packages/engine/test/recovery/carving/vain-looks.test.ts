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
