import { describe, expect, it } from 'vitest'
import { MemorySink } from '../../../src/bytes/sink.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { repair } from '../../../src/engine.ts'

const ENTRIES = 11
const DIRECTORY = 8
const PIXELS = DIRECTORY + 2 + 12 * ENTRIES + 4
const PALETTE = PIXELS + 64
const SOFTWARE = PALETTE + 3 * 256 * 2
const NAME = 40

/** A palette of three equal ramps, then the name of a program, behind the 8 by 8 pixels that they belong to. */
function picture(): Buffer {
  const bytes = Buffer.alloc(SOFTWARE + NAME, 'x')
  bytes.write('II*\0', 'latin1')
  bytes.writeUInt32LE(DIRECTORY, 4)
  bytes.writeUInt16LE(ENTRIES, DIRECTORY)
  const fields = [
    [256, 3, 1, 8],
    [257, 3, 1, 8],
    [258, 3, 1, 8],
    [259, 3, 1, 1],
    [262, 3, 1, 3],
    [273, 4, 1, PIXELS],
    [277, 3, 1, 1],
    [278, 3, 1, 8],
    [279, 4, 1, 64],
    [305, 2, NAME, SOFTWARE],
    [320, 3, 768, PALETTE],
  ]
  for (const [i, [tag, type, count, value]] of fields.entries()) {
    const at = DIRECTORY + 2 + 12 * i
    bytes.writeUInt16LE(tag, at)
    bytes.writeUInt16LE(type, at + 2)
    bytes.writeUInt32LE(count, at + 4)
    bytes.writeUInt32LE(value, at + 8)
  }
  bytes.writeUInt32LE(0, PIXELS - 4)
  for (let i = 0; i < 64; i++) bytes[PIXELS + i] = 3 * i
  for (let i = 0; i < 768; i++) bytes.writeUInt16LE(257 * (i % 256), PALETTE + 2 * i)
  return bytes
}

async function cutAt(length: number) {
  const sink = new MemorySink()
  const source = new MemorySource(picture().subarray(0, length))
  const report = await repair({ damaged: { source, name: 'picture.tif' }, sink })
  return { report, bytes: Buffer.from(sink.bytes()), doubts: (report.doubts ?? []).map(({ code }) => code) }
}

describe('a file that breaks off behind its pixels', () => {
  it('whole, is healthy', async () => {
    expect((await cutAt(SOFTWARE + NAME)).report.verdict).toBe('healthy')
  })

  it('within what stands beside them lacks that', async () => {
    const { report, bytes, doubts } = await cutAt(SOFTWARE + 20)
    expect([report.verdict, doubts]).toEqual(['partial', ['metadata']])
    expect(bytes).toEqual(picture().subarray(0, SOFTWARE + 20))
  })

  it.each([0, 101, 512, 1001])(
    'within its palette has shades of grey from byte %d of it on',
    async (there) => {
      const { report, bytes, doubts } = await cutAt(PALETTE + there)
      expect([report.verdict, doubts]).toEqual(['partial', ['colour', 'metadata']])
      expect(report.findings.map(({ code }) => code)).toContain('tiff.values-cut')
      expect(bytes).toEqual(picture().subarray(0, SOFTWARE))
    },
  )
})
