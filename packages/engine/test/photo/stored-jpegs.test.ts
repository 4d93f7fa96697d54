import { expect, it } from 'vitest'
import { ByteReader } from '../../src/bytes/reader.ts'
import { MemorySource } from '../../src/bytes/source.ts'
import { SILENT } from '../../src/model/monitor.ts'
import { storedJpegs } from '../../src/photo/raw/stored-jpegs.ts'
import { writeFrame } from '../../src/syntax/jpeg-markers/frame.ts'
import { DHT, SOS } from '../../src/syntax/jpeg-markers/markers.ts'
import { writeSegment } from '../../src/syntax/jpeg-markers/segments.ts'
import { CountingSource } from '../../testing/hostile-sources.ts'

const FRAME = {
  ...{ marker: 0xc0, precision: 8, width: 40, height: 30 },
  components: [{ id: 1, h: 1, v: 1, table: 0 }],
}

/** A picture of one scan, `inside` in an application segment of it. */
function picture(inside: readonly number[] = []): number[] {
  return [
    ...[0xff, 0xd8, ...writeSegment(0xe1, inside)],
    ...[0xff, 0xff, ...writeSegment(0xc0, writeFrame(FRAME))],
    ...[...writeSegment(DHT, [0]), ...writeSegment(SOS, [1, 1, 0, 0, 63, 0])],
    ...[1, 2, 3, 0xff, 0, 4, 0xff, 0xd9],
  ]
}

/** `length` bytes of a file that is nothing but one piece. */
function over(piece: readonly number[], length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, i) => piece[i % piece.length])
}

/** Counts the bytes asked for one by one, and the most asked for at once. */
class CountingReader extends ByteReader {
  asked = 0
  most = 0

  override u8(offset: number): number {
    this.asked++
    return super.u8(offset)
  }

  override bytes(offset: number, length: number): Uint8Array {
    this.most = Math.max(this.most, length)
    return super.bytes(offset, length)
  }
}

it('the pictures stored in a file are those that no other holds, wherever they lie', async () => {
  const thumbnailed = picture(picture())
  const bytes = new Uint8Array(1_000_000)
  bytes.set(picture(), 4093)
  bytes.set(over([0xff, 0xd8, 0xff, 0xe0, 0, 16, 7, 7], 3000), 90_000)
  bytes.set(thumbnailed, 600_000)
  const found = await storedJpegs(new ByteReader(new MemorySource(bytes)), 0, bytes.length, SILENT)
  expect(found).toEqual([
    { offset: 4093, length: picture().length, frame: FRAME, ended: true },
    { offset: 600_000, length: thumbnailed.length, frame: FRAME, ended: true },
  ])
})

it.each([
  ['nothing', [0xff, 0xd8, 0xff, 0xe0, 0, 16, 7, 7]],
  ['other starts within their segments', [0xff, 0xe1, 0, 4, 0xff, 0xd8]],
  ['long segments', [0xff, 0xd8, 0xff, 0xe0, 0xff, 0xf0]],
])('starts without number with %s behind them are looked at in proportion to the bytes', async (_, piece) => {
  const bytes = over(piece, 100_000)
  const source = new CountingSource(new MemorySource(bytes))
  const reader = new CountingReader(source)
  expect(await storedJpegs(reader, 0, bytes.length, SILENT)).toEqual([])
  expect(source.bytesRead).toBeLessThanOrEqual(2 * bytes.length)
  expect(reader.asked).toBeLessThan(1_000_000)
  expect(reader.most).toBeLessThan(5000)
})
