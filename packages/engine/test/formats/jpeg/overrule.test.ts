import { describe, expect, it } from 'vitest'
import { FIXED_HUFFMAN } from '../../../src/codecs/jpeg/fixed-tables.ts'
import { STANDARD_HUFFMAN } from '../../../src/codecs/jpeg/standard-tables.ts'
import type { PhotoReport } from '../../../src/model/report.ts'
import { DHT, DRI, SOF0, SOS } from '../../../src/syntax/jpeg-markers/markers.ts'
import { walkSegments } from '../../../src/syntax/jpeg-markers/segments.ts'
import { drawPicture } from '../../../testing/photos/draw.ts'
import { readPhoto } from '../../../testing/photos/read-photo.ts'
import { repairPhoto } from '../../../testing/photos/repair-photo.ts'
import { writePhoto } from '../../../testing/photos/write-photo.ts'

const PLAIN = { sampling: [2, 2], quality: 90, interval: 0 } as const

async function mend(
  bytes: Uint8Array,
  sample?: Uint8Array,
): Promise<{ report: PhotoReport; output: Uint8Array }> {
  const { report, bytes: output } = await repairPhoto(bytes, 'jpg', sample)
  return { report, output }
}

function offsetOf(bytes: Uint8Array, marker: number): number {
  const segment = walkSegments(bytes, 0).find((found) => found.marker === marker)
  if (!segment) throw new Error('no such segment')
  return segment.offset
}

/** A photo with a bit of a segment turned. */
function turned(photo: Uint8Array, marker: number, byte: number, bit: number): Uint8Array {
  const bytes = Uint8Array.from(photo)
  bytes[offsetOf(photo, marker) + byte] ^= bit
  return bytes
}

function sameCoefficients(one: Uint8Array, other: Uint8Array): boolean {
  const own = readPhoto(one)?.coefficients
  return readPhoto(other)?.coefficients.every((value, i) => value === own?.[i]) ?? false
}

const codes = ({ doubts }: PhotoReport): string[] => (doubts ?? []).map(({ code }) => code)

describe('a JPEG photo whose header contradicts its scan', () => {
  it('of a few bytes keeps its header: other tables read so little to its end by chance', async () => {
    const table = (kind: number, value: number) => [
      0xff,
      DHT,
      0,
      20,
      kind,
      1,
      ...new Array(15).fill(0),
      value,
    ]
    const bytes = Uint8Array.of(
      ...[0xff, 0xd8, 0xff, 0xdb, 0, 67, 0, ...new Array<number>(64).fill(1)],
      ...[0xff, SOF0, 0, 17, 8, 0, 1, 0, 1, 3, 1, 0x22, 0, 2, 0x11, 0, 3, 0x11, 0],
      ...[...table(0x00, 9), ...table(0x10, 0), ...table(0x01, 0), ...table(0x11, 0)],
      ...[0xff, SOS, 0, 12, 3, 1, 0, 2, 0x11, 3, 0x11, 0, 63, 0, 0x2b, 0, 0x3f, 0xff, 0xd9],
    )
    const { report } = await mend(bytes)
    expect(report.findings.map(({ code }) => code)).not.toContain('jpeg.header-broken')
  })

  it.each([
    ['height', 5, 0x01],
    ['height', 6, 0x20],
    ['width', 7, 0x01],
    ['width', 8, 0x40],
  ])(
    'in its %s by a turned bit has the size that Exif tells, without doubt: %i, %i',
    async (_, byte, bit) => {
      const photo = writePhoto(drawPicture(640, 400, 3), { ...PLAIN, orientation: 6 })
      const { report, output } = await mend(turned(photo, SOF0, byte, bit))
      expect(report.pictures[0]).toMatchObject({ width: 640, height: 400, orientation: 6 })
      expect(sameCoefficients(output, photo)).toBe(true)
      expect(report.verdict).toBe('repaired')
    },
  )

  it.each([
    ['height', 5, 0x01],
    ['width', 7, 0x01],
    ['width', 8, 0x40],
  ])(
    'in its %s by a turned bit has the size that its MCUs tell, with a doubt: %i, %i',
    async (_, byte, bit) => {
      const photo = writePhoto(drawPicture(640, 400, 3), PLAIN)
      const { report, output } = await mend(turned(photo, SOF0, byte, bit))
      expect(report.pictures[0]).toMatchObject({ width: 640, height: 400 })
      expect(sameCoefficients(output, photo)).toBe(true)
      expect(report.verdict).toBe('partial')
      expect(codes(report)).toEqual(['size'])
    },
  )

  it.each([
    ['sampling', SOF0, 11, 0x01],
    ['sampling', SOF0, 14, 0x02],
    ['names of components', SOF0, 13, 0x10],
    ['choice of tables', SOS, 6, 0x10],
    ['choice of tables that are there', SOS, 8, 0x01],
    ['restart interval', DRI, 5, 0x02],
  ])('in its %s has that by which it can be read', async (_, marker, byte, bit) => {
    const photo = writePhoto(drawPicture(640, 400, 3), { ...PLAIN, interval: marker === DRI ? 40 : 0 })
    const { report, output } = await mend(turned(photo, marker, byte, bit))
    expect(report.pictures[0]).toMatchObject({ width: 640, height: 400, layout: '4:2:0, baseline' })
    expect(sameCoefficients(output, photo)).toBe(true)
    expect(report.verdict).toBe('repaired')
  })

  it('in a Huffman table that is the standard’s but for a bit has that', async () => {
    expect(FIXED_HUFFMAN[0]).toBe(STANDARD_HUFFMAN)
    const photo = writePhoto(drawPicture(640, 400, 3), PLAIN)
    const { report, output } = await mend(turned(photo, DHT, 25, 0x02))
    expect(sameCoefficients(output, photo)).toBe(true)
    expect(report.verdict).toBe('repaired')
  })

  it.each([true, false])(
    'behind the whole head of another has the size of its scan; sampled: %s',
    async (sampled) => {
      const photo = writePhoto(drawPicture(320, 240, 3), { ...PLAIN, orientation: 1 })
      const sample = writePhoto(drawPicture(320, 240, 8), { ...PLAIN, orientation: 1 })
      const other = writePhoto(drawPicture(400, 272, 5), { ...PLAIN, sampling: [2, 1], orientation: 6 })
      const scan = (bytes: Uint8Array): number => readPhoto(bytes)?.start ?? 0
      const damaged = Uint8Array.from([...other.subarray(0, scan(other)), ...photo.subarray(scan(photo))])
      const { report } = await mend(damaged, sampled ? sample : undefined)
      expect(report.pictures[0]).toMatchObject({ width: 320, height: 240, layout: '4:2:0, baseline' })
      expect(report.verdict).toBe('partial')
      expect(codes(report)).toEqual(
        expect.arrayContaining([...(sampled ? [] : ['size']), 'quantisation', 'orientation', 'metadata']),
      )
    },
  )

  it('by one row of MCUs, and nothing else tells its height, keeps that: the row may be there twice', async () => {
    const photo = writePhoto(drawPicture(320, 240, 3), PLAIN)
    const { report } = await mend(turned(photo, SOF0, 6, 0x10))
    expect(report.pictures[0]).toMatchObject({ width: 320, height: 240 ^ 0x10 })
    expect(report.verdict).toBe('partial')
  })

  it('but of which rows are gone keeps its size', async () => {
    const photo = writePhoto(drawPicture(640, 400, 3), { ...PLAIN, orientation: 1 })
    const start = readPhoto(photo)?.start ?? 0
    const damaged = Uint8Array.from([...photo.subarray(0, start + 9_000), ...photo.subarray(start + 12_000)])
    const { report } = await mend(damaged)
    expect(report.pictures[0]).toMatchObject({ width: 640, height: 400 })
    expect(report.verdict).toBe('partial')
  })
})
