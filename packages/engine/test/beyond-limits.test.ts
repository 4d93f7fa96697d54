import { describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../src/bytes/limits.ts'
import type { Format } from '../src/formats/format.ts'
import { FORMATS } from '../src/formats/index.ts'
import { diagnose, MemorySink, MemorySource, repair } from '../src/index.ts'
import { type Fixture, fixturesOf } from '../testing/contract/fixtures.ts'

/** Fewer rows than any of the fixtures has. */
const TIGHT = { ...DEFAULT_LIMITS, samplesPerTrack: 5 }

/** Families whose tables grow with what they find in the file, each with a fixture. */
const CASES = FORMATS.filter(({ name }) => ['asf', 'avi', 'flv', 'matroska', 'mpegvideo'].includes(name)).map(
  (format): [string, Format, Fixture] => {
    const [fixture] = fixturesOf(format)
    return [format.name, format, fixture]
  },
)

describe.each(CASES)('%s with more units than a recording of its length can have', (_, format, fixture) => {
  const file = { source: new MemorySource(fixture.bytes.slice(0, -100)), name: `film.${fixture.extension}` }

  it('is answered by a verdict with a reason, and nothing is written', async () => {
    const sink = new MemorySink()
    const report = await repair({ damaged: file, limits: TIGHT, sink, formats: [format] })
    expect(report.verdict).toBe('unrepairable')
    expect(report.reason).toContain('than a recording of its length can have')
    expect(report.findings.map(({ code }) => code)).toEqual(['file.beyond-limits'])
    expect(sink.position).toBe(0)
  })

  it('is diagnosed as what no recording is', async () => {
    const { healthy, findings } = await diagnose({ file, limits: TIGHT, formats: [format] })
    expect(healthy).toBe(false)
    expect(findings.map(({ code }) => code)).toEqual(['file.beyond-limits'])
  })
})
