import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { FORMATS } from '../../src/formats/index.ts'
import {
  COLUMNS as EXPECTED_COLUMNS,
  expectedPath,
  RESULT_COLUMNS,
  resultsPath,
  verdictsOf,
} from '../contract/expected.ts'
import { fixturesOf } from '../contract/fixtures.ts'
import { COLUMNS, isRecorded, recordPath, resultsOf } from './results.ts'

/**
 * `npm run record -- [FORMAT…]`: records what becomes of every damaged fixture, for a test to hold later engines against. A
 * change of these files is a decision: the commit that has one says why.
 */
const names = process.argv.slice(2)
for (const format of FORMATS) {
  if (names.length > 0 && !names.includes(format.name)) continue
  const expected: string[] = [EXPECTED_COLUMNS]
  const held: string[] = [RESULT_COLUMNS]
  for (const fixture of fixturesOf(format)) {
    const { verdicts, results } = await verdictsOf(format, fixture)
    expected.push(...verdicts)
    held.push(...results)
    if (!isRecorded(format)) continue
    const path = recordPath(format, fixture)
    const lines = await resultsOf(format, fixture)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, `${[COLUMNS, ...lines].join('\n')}\n`)
    console.log(`${format.name}/${fixture.name}: ${lines.length} results`)
  }
  writeFileSync(expectedPath(format), `${expected.join('\n')}\n`)
  writeFileSync(resultsPath(format), `${held.join('\n')}\n`)
  console.log(`${format.name}: ${expected.length - 1} situations`)
}
