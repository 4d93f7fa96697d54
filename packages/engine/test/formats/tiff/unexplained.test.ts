import { describe, expect, it } from 'vitest'
import { headZeroed, noise } from '../../../src/bytes/damage.ts'
import { repairPhoto } from '../../../testing/photos/repair-photo.ts'

const [WIDTH, HEIGHT, HEADER] = [40, 30, 8]

/** A preview and its directory, which stands at the end, with bytes between them that it does not tell of. */
function photo(between: Uint8Array | number, orientation = 1): Uint8Array {
  const others = typeof between === 'number' ? between : between.length
  const fields = [
    ...[
      [256, 3, WIDTH],
      [257, 3, HEIGHT],
      [258, 3, 8],
    ],
    ...[
      [259, 3, 1],
      [262, 3, 1],
      [273, 4, HEADER],
      [274, 3, orientation],
    ],
    ...[
      [277, 3, 1],
      [278, 3, HEIGHT],
      [279, 4, WIDTH * HEIGHT],
    ],
  ]
  const at = HEADER + WIDTH * HEIGHT + others
  const bytes = new Uint8Array(at + 2 + 12 * fields.length + 4)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, 0x4949_2a00)
  view.setUint32(4, at, true)
  bytes.set(noise(WIDTH * HEIGHT + others, 3), HEADER)
  if (typeof between !== 'number') bytes.set(between, HEADER + WIDTH * HEIGHT)
  view.setUint16(at, fields.length, true)
  for (const [i, [tag = 0, type = 0, value = 0]] of fields.entries()) {
    view.setUint16(at + 2 + 12 * i, tag, true)
    view.setUint16(at + 4 + 12 * i, type, true)
    view.setUint32(at + 6 + 12 * i, 1, true)
    view.setUint32(at + 10 + 12 * i, value, true)
  }
  return bytes
}

describe('a photo whose header is gone', () => {
  it('is explained where directories tell of what it holds', async () => {
    const result = await repairPhoto(headZeroed(photo(800), HEADER), 'iiq')
    expect(result.doubts).not.toContain('unexplained')
    expect(result.bytes).toEqual(photo(800))
  })

  it('is not where as much as its picture is told of by none: that of another page', async () => {
    const result = await repairPhoto(headZeroed(photo(1_250), HEADER), 'tif')
    expect(result.report.verdict).toBe('partial')
    expect(result.doubts).toContain('unexplained')
  })

  it('is not where nothing tells of what stood right behind the header: its first directory', async () => {
    const file = photo(0)
    const moved = new Uint8Array(file.length + 512)
    moved.set(file.subarray(HEADER), HEADER + 512)
    const view = new DataView(moved.buffer)
    const directory = 512 + HEADER + WIDTH * HEIGHT
    const offsets = directory + 2 + 12 * 5 + 8
    view.setUint32(offsets, HEADER + 512, true)
    for (const name of ['kdc', 'tif']) {
      const result = await repairPhoto(moved, name)
      expect(result.report.verdict).toBe('partial')
      expect(result.doubts).toContain('unexplained')
    }
  })

  it('is not where the most of it is told of by none that is left', async () => {
    const result = await repairPhoto(headZeroed(photo(20_000), HEADER), 'iiq')
    expect(result.report.verdict).toBe('partial')
    expect(result.doubts).toContain('unexplained')
  })
})

describe('the first directory of a file without its header', () => {
  it('is the last one that tells of its pixels: programs leave the one that they replace', async () => {
    const before = photo(0, 1).subarray(HEADER + WIDTH * HEIGHT)
    const rewritten = photo(before, 7)
    const result = await repairPhoto(headZeroed(rewritten, HEADER), 'tif')
    expect(result.bytes).toEqual(rewritten)
  })
})
