import { expect, it } from 'vitest'
import { KNOWN_TABLES } from '../../src/photo/frame/known-tables.ts'

it.each(KNOWN_TABLES)(
  'each known pair has 64 steps a table, of eight bits, none of them far coarser than those around it',
  ({ luminance, chrominance }) => {
    for (const table of [luminance, chrominance]) {
      expect(table.length).toBe(64)
      expect(Math.min(...table)).toBeGreaterThan(0)
      for (let i = 1; i < table.length - 1; i++)
        expect(table[i]).toBeLessThanOrEqual(4 * Math.max(table[i - 1], table[i + 1]))
      expect(Math.max(...table)).toBeLessThan(256)
    }
  },
)
