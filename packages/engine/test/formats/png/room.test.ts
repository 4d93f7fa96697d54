import { describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../../src/bytes/limits.ts'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { assess } from '../../../src/formats/png/assess.ts'
import { SILENT } from '../../../src/model/monitor.ts'
import { ADVERSARIES } from '../../../testing/adversaries/index.ts'

describe('frames that claim 64 megapixels and have no data', () => {
  it('take no more room than their data can come to', async () => {
    const hostile = ADVERSARIES.find(({ name }) => name === 'png: frames of no data')
    const { damaged } = hostile?.make(1000) ?? { damaged: new Uint8Array(0) }
    const {
      frames: [, ...frames],
    } = await assess(new ByteReader(new MemorySource(damaged)), DEFAULT_LIMITS, SILENT)
    expect(frames.length).toBeGreaterThan(10)
    expect(frames[4].wanted).toBeGreaterThan(64_000_000)
    for (const { plain } of frames) expect(plain.bytes.length).toBeLessThan(50_000)
  })
})
