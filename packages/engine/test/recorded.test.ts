import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { FORMATS } from '../src/formats/index.ts'
import { fixturesOf } from '../testing/contract/fixtures.ts'
import { COLUMNS, isRecorded, recordPath, resultsOf } from '../testing/recorded/results.ts'

describe.each(FORMATS.filter(isRecorded))('damaged recordings of $name', (format) => {
  it.each(fixturesOf(format))(
    'come out as recorded: $name (if meant otherwise: npm run record)',
    async (fixture) => {
      const recorded = readFileSync(recordPath(format, fixture), 'utf8').trimEnd().split('\n')
      expect([COLUMNS, ...(await resultsOf(format, fixture))]).toEqual(recorded)
    },
  )
})
