import { describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../../src/bytes/limits.ts'
import { MemorySink } from '../../../src/bytes/sink.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { repair } from '../../../src/engine.ts'
import { RECIPES } from '../../../src/formats/isobmff/recipes.ts'
import { FIXTURES, fixture } from './support/fixtures.ts'

const SEED = 5

describe('how many findings are kept decides nothing', () => {
  it.each(FIXTURES)('%s', async (name) => {
    const whole = fixture(name)
    for (const recipe of RECIPES) {
      const bytes = recipe.apply(whole, SEED)
      const results = []
      for (const findings of [0, 10, 1000]) {
        const sink = new MemorySink()
        const report = await repair({
          damaged: { source: new MemorySource(bytes), name },
          sample: { source: new MemorySource(whole), name },
          sink,
          limits: { ...DEFAULT_LIMITS, findings },
        })
        expect(report.findings.length, recipe.name).toBeLessThanOrEqual(findings)
        const { verdict, doubts } = report
        results.push({
          verdict,
          doubts,
          size: sink.position,
          found: report.findings.length + report.omittedFindings,
        })
      }
      expect(results[0], recipe.name).toEqual(results[2])
      expect(results[1], recipe.name).toEqual(results[2])
    }
  })
})
