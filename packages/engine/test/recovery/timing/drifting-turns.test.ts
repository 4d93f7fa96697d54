import { describe, expect, it } from 'vitest'
import { SampleTable } from '../../../src/model/sample-table.ts'
import { measureLag } from '../../../src/recovery/timing/variable-rate.ts'

const SOUND = 1024 / 44_100
const TICKS = 90_000

describe('a recorder that writes a fixed number of pictures by turns with sound', () => {
  /** Runs of so many pictures at 30 a second, by turns with runs of `heard` seconds of sound. */
  const byTurns = (pictures: number, heard: number): SampleTable[] => {
    const tables = [new SampleTable(), new SampleTable()]
    let [shown, sounding, offset] = [0, 0, 0]
    for (let run = 0; run < 12; run++) {
      for (let i = 0; i < pictures; i++, offset += 1000)
        tables[0].dts[tables[0].push(offset, 1000, 1, TICKS / 30, shown, 0)] = (shown++ * TICKS) / 30
      for (let until = (run + 1) * heard; sounding * SOUND < until; sounding++, offset += 100)
        tables[1].dts[tables[1].push(offset, 100, 1, SOUND * TICKS, 0, 0)] = sounding * SOUND * TICKS
    }
    return tables
  }

  it.each([
    ['drifts away from it where that is shorter', 0.42, true],
    ['drifts away from it where that is longer', 0.45, true],
    ['stays with it where both last as long', 13 / 30, undefined],
  ])('%s', (_, heard, drifts) => {
    expect(measureLag(byTurns(13, heard), [TICKS, TICKS], 0, 1)?.drifts).toBe(drifts)
  })
})
