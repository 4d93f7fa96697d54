import { describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../../src/bytes/limits.ts'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { assess } from '../../../src/formats/png/assess.ts'
import { chunkBytes, SIGNATURE } from '../../../src/formats/png/read/chunk.ts'
import { walk } from '../../../src/formats/png/read/walk.ts'
import { SILENT } from '../../../src/model/monitor.ts'
import { joined, repeated } from '../../../testing/adversaries/bytes.ts'
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

describe('chunks without number', () => {
  const word = chunkBytes('tEXt')
  const many = repeated(joined([word, Uint8Array.of(1, 2, 3, 4)]), 4_000_000)

  it('are bounded by the bytes, with what lies between them; what follows is one stretch of which nothing is said', () => {
    const { chunks, junk, end } = walk(joined([SIGNATURE, many]))
    expect(chunks.length + junk.length).toBeLessThan(75_000)
    const last = junk[junk.length - 1]
    expect(last.offset).toBeGreaterThan(500_000)
    expect(last.offset + last.length).toBe(many.length + SIGNATURE.length)
    expect(end).toBeLessThanOrEqual(last.offset)
  })
})
