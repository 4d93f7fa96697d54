import { expect, it } from 'vitest'
import { SAMPLE_AFTER_HOLE, SampleTable } from '../../src/model/sample-table.ts'
import { measureLag, variableRateTimes } from '../../src/recovery/timing/variable-rate.ts'

const UNIT = 1 / 30
const FRAME = 0.096
const SECONDS = 4
const TICKS = 90_000

/**
 * Pictures and frames of sound of three pictures each, by turns, without those of `lost` seconds, whose time the unit before has.
 */
function recorded(lost: readonly [from: number, to: number]): SampleTable[] {
  const tables = [new SampleTable(), new SampleTable()]
  const hole = [false, false]
  const next = [0, 0]
  let offset = 0
  while (next[0] < SECONDS) {
    // sound is written ahead of the pictures that are shown with it
    const lane = next[1] <= next[0] ? 1 : 0
    const time = next[lane]
    const duration = lane === 0 ? UNIT : FRAME
    next[lane] += duration
    offset += 1000
    const table = tables[lane]
    if (time >= lost[0] && time < lost[1]) {
      table.duration[table.length - 1] += duration * TICKS
      hole[lane] = true
      continue
    }
    const flags = hole[lane] ? SAMPLE_AFTER_HOLE : 0
    table.dts[table.push(offset, 1000, 1, duration * TICKS, table.length, flags)] = time * TICKS
    hole[lane] = false
  }
  return tables
}

it('pictures between the last sound in front of a hole and the hole come before what it took', () => {
  const timescales = [TICKS, TICKS]
  const lag = measureLag(recorded([SECONDS, SECONDS]), timescales, 0, 1)
  if (!lag) throw new Error('no lag')
  const tables = recorded([1.3, 1.8])
  const found = variableRateTimes({
    ...{ tables, timescales, picture: 0, sound: 1, lag, unit: UNIT, jitter: 0 },
    knownVariable: false,
    start: 0,
  })
  expect(found).toBeUndefined()
})
