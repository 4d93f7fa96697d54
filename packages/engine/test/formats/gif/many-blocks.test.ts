import { expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../../src/bytes/limits.ts'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { assess } from '../../../src/formats/gif/assess.ts'
import { SILENT } from '../../../src/model/monitor.ts'
import { ADVERSARIES } from '../../../testing/adversaries/index.ts'

it('blocks without number are bounded by the bytes; what follows is one stretch', async () => {
  const hostile = ADVERSARIES.find(({ name }) => name === 'gif: dark pictures of a pixel')
  const { damaged } = hostile?.make(4_000_000) ?? { damaged: new Uint8Array(0) }
  const { walk, findings } = await assess(new ByteReader(new MemorySource(damaged)), DEFAULT_LIMITS, SILENT)
  expect(walk.blocks.length).toBeGreaterThan(65_536)
  expect(walk.blocks.length).toBeLessThan(72_000)
  expect(walk.blocks.at(-1)).toMatchObject({ kind: 'junk', end: damaged.length })
  expect(findings.has('gif.foreign-bytes')).toBe(true)
})
