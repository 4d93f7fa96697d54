import { describe, expect, it } from 'vitest'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { movedAmongRows } from '../../../src/formats/tiff/mend/moved-rows.ts'

const [WIDTH, HEIGHT, BY] = [64, 48, 10]

/** Soft shades, and ten bytes that came in at a place. */
function shades(at: number): Uint8Array {
  const pixels = Uint8Array.from({ length: WIDTH * HEIGHT }, (_, i) => {
    return 20 + 3 * (i % WIDTH) + Math.round(20 * Math.sin(Math.floor(i / WIDTH) / 5))
  })
  return Uint8Array.from([...pixels.subarray(0, at), ...new Array(BY).fill(7), ...pixels.subarray(at)])
}

describe('bytes among rows', () => {
  it('are found though lengths of strips lie: a strip has no more rows than its height', () => {
    const at = 20 * WIDTH + 9
    const bytes = shades(at)
    const units = Array.from({ length: HEIGHT }, (_, index) => {
      return { index, offset: index * WIDTH, bytes: 2 ** 31, x: 0, y: index, width: WIDTH, height: 1 }
    })
    const before = new ByteReader(new MemorySource(bytes))
    const after = new ByteReader(new MemorySource(bytes.subarray(BY)))
    const place = movedAmongRows({ units, rowBytes: WIDTH, pixelBytes: 1, before, after })
    expect(place?.at).toBe(at)
  })
})
