import { describe, expect, it } from 'vitest'
import { MemorySink } from '../../../src/bytes/sink.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { repair } from '../../../src/engine.ts'
import { bmp } from '../../../src/formats/bmp/index.ts'
import { fixturesOf } from '../../../testing/contract/fixtures.ts'

/** Bitmaps of plain rows behind a header of Windows. */
const FIXTURES = fixturesOf(bmp).filter(({ name }) => !['run-lengths', 'os2'].includes(name))

async function repaired(damaged: Uint8Array) {
  const sink = new MemorySink()
  const report = await repair({ damaged: { source: new MemorySource(damaged), name: 'damaged.bmp' }, sink })
  return {
    verdict: report.verdict,
    doubts: (report.doubts ?? []).map(({ code }) => code),
    bytes: sink.bytes(),
  }
}

function changed(bytes: Uint8Array, at: number, change: (byte: number) => number, count = 1): Uint8Array {
  return bytes.map((byte, i) => (i >= at && i < at + count ? change(byte) : byte))
}

describe.each(FIXTURES)('the header of the bitmap $name', ({ bytes }) => {
  it.each([
    ['height', 22, (byte: number) => byte ^ 2],
    ['depth', 28, (byte: number) => byte ^ 64],
    ['size', 14, (byte: number) => byte ^ 128],
  ])('of whose %s a bit was turned is repaired exactly by its other fields', async (_, at, change) => {
    const { verdict, bytes: back } = await repaired(changed(bytes, at, change))
    expect(verdict).toBe('repaired')
    expect(Buffer.compare(back, bytes)).toBe(0)
  })

  it.each([
    ['its width', 18, 4],
    ['its height', 22, 4],
    ['both', 18, 8],
  ])('of which zeros overwrote %s keeps all else that it says, which is a doubt', async (_, at, count) => {
    const { verdict, doubts, bytes: back } = await repaired(changed(bytes, at, () => 0, count))
    expect(verdict).toBe('partial')
    expect(doubts).toContain('size')
    expect(back.length).toBe(bytes.length)
    expect(back.subarray(26)).toEqual(bytes.subarray(26))
  })
})
