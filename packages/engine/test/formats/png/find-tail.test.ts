import { constants, deflateSync, inflateSync, type ZlibOptions } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { noise } from '../../../src/bytes/damage.ts'
import { chunkCrc } from '../../../src/formats/png/read/chunk.ts'
import { repairPhoto } from '../../../testing/photos/repair-photo.ts'

const [WIDTH, HEIGHT] = [61, 160]
const STRIDE = 1 + 3 * WIDTH
const [NONE, SUB, UP] = [0, 1, 2]
/** Every so many rows one needs none above it. */
const FREE = 8

function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(12 + data.length)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, data.length)
  bytes.set(new TextEncoder().encode(type), 4)
  bytes.set(data, 8)
  view.setUint32(8 + data.length, chunkCrc(type, data))
  return bytes
}

/** Pixels that change a little from row to row and from one to the next. */
const PIXELS = Uint8Array.from(noise(3 * WIDTH * HEIGHT, 5), (byte, i) => {
  const [y, x] = [Math.floor(i / (3 * WIDTH)), (i / 3) % WIDTH]
  return 60 + x + (y >> 1) + (byte & 15)
})

/** The rows behind their filters, mostly those from above, in blocks of few symbols. */
function photo(
  pixels: Uint8Array = PIXELS,
  options: ZlibOptions = { memLevel: 2, strategy: constants.Z_HUFFMAN_ONLY },
): Uint8Array {
  const rows = new Uint8Array(STRIDE * HEIGHT)
  for (let y = 0; y < HEIGHT; y++) {
    const filter = y % FREE === 3 ? (y % (2 * FREE) === 3 ? SUB : NONE) : UP
    rows[y * STRIDE] = filter
    for (let i = 0; i < STRIDE - 1; i++) {
      const at = y * (STRIDE - 1) + i
      const before = filter === SUB ? (i < 3 ? 0 : pixels[at - 3]) : y === 0 ? 0 : pixels[at - STRIDE + 1]
      rows[y * STRIDE + i + 1] = pixels[at] - (filter === NONE ? 0 : before)
    }
  }
  const header = new Uint8Array(13)
  new DataView(header.buffer).setUint32(0, WIDTH)
  new DataView(header.buffer).setUint32(4, HEIGHT)
  header.set([8, 2, 0, 0, 0], 8)
  const data = Uint8Array.from(deflateSync(rows, options))
  return Uint8Array.from(
    Buffer.concat([
      Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
      ...[chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', new Uint8Array(0))],
    ]),
  )
}

const PHOTO = photo()
const AT = Math.floor(PHOTO.length * 0.4)
const HIT = 200

/** The pixels of a file of one chunk of image data, whose rows have no filter, the left one or the one from above. */
function pixelsOf(file: Uint8Array): Uint8Array {
  const bytes = Buffer.from(file)
  const at = bytes.indexOf('IDAT')
  const rows = inflateSync(bytes.subarray(at + 4, at + 4 + bytes.readUInt32BE(at - 4)))
  const pixels = new Uint8Array(3 * WIDTH * HEIGHT)
  for (let y = 0; y < HEIGHT; y++)
    for (let i = 0; i < STRIDE - 1; i++) {
      const here = y * (STRIDE - 1) + i
      const filter = rows[y * STRIDE]
      const before = filter === SUB ? here - 3 : filter === UP ? here - STRIDE + 1 : -1
      const known = filter === SUB ? i >= 3 : before >= 0
      pixels[here] = (rows[y * STRIDE + i + 1] ?? 0) + (known ? (pixels[before] ?? 0) : 0)
    }
  return pixels
}

describe('image data behind a hole', () => {
  it('repeat nothing that is gone: rows that are told to be recovered are those of the photo', async () => {
    // every row repeats pieces of others that are up to the window away
    const pixels = PIXELS.map((byte, i) => ((i * 7) % 11 < 6 ? byte : (PIXELS[i % 4_001] ?? 0)))
    const whole = photo(pixels, { level: 9, memLevel: 1 })
    const from = Math.floor(whole.length * 0.3)
    const { report, bytes } = await repairPhoto(Uint8Array.from(whole).fill(0, from, from + 300), 'png')
    const back = pixelsOf(bytes)
    const [{ areas, recovered }] = report.pictures
    let right = 0
    for (let y = 0; y < HEIGHT; y++) {
      if (areas.some((area) => y >= area.y && y < area.y + area.height)) continue
      const row = [y * (STRIDE - 1), (y + 1) * (STRIDE - 1)] as const
      expect(Buffer.compare(back.subarray(...row), pixels.subarray(...row)), `row ${y}`).toBe(0)
      right++
    }
    expect(right).toBe(recovered)
    expect(recovered).toBeGreaterThan(HEIGHT * 0.4)
  })

  it.each([
    ['zeroed', Uint8Array.from(PHOTO).fill(0, AT, AT + HIT)],
    ['overwritten', Buffer.concat([PHOTO.slice(0, AT), noise(HIT, 3), PHOTO.slice(AT + HIT)])],
    ['missing', Buffer.concat([PHOTO.slice(0, AT), PHOTO.slice(AT + HIT)])],
  ])(
    'that was %s are read on from the next block, and placed by how far they are from the end',
    async (_, damaged) => {
      const { report, doubts } = await repairPhoto(Uint8Array.from(damaged), 'png')
      const [{ recovered, estimated, lost, areas }] = report.pictures
      expect(report.verdict).toBe('partial')
      expect(doubts).toContain('areas-lost')
      // two fifths in front of it, and what is behind the next row that needs none above it
      expect(recovered).toBeGreaterThan(HEIGHT * 0.85)
      expect(recovered + estimated + lost).toBe(HEIGHT)
      expect(Math.max(...areas.map(({ y, height }) => y + height))).toBeLessThan(HEIGHT * 0.6)
    },
  )

  it('are left out where they do not come to their end', async () => {
    const two = Uint8Array.from(PHOTO).fill(0, AT, AT + HIT)
    two.fill(0, PHOTO.length - 300, PHOTO.length - 100)
    const { report } = await repairPhoto(two, 'png')
    expect(report.pictures[0].recovered).toBeLessThan(HEIGHT * 0.45)
  })
})
