import { describe, expect, it } from 'vitest'
import { MemorySink } from '../../../src/bytes/sink.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { FIXED_HUFFMAN } from '../../../src/codecs/jpeg/fixed-tables.ts'
import { McuLayout } from '../../../src/codecs/jpeg/mcu-layout.ts'
import { STANDARD_HUFFMAN } from '../../../src/codecs/jpeg/standard-tables.ts'
import { repair } from '../../../src/engine.ts'
import { findTables } from '../../../src/formats/jpeg/mend/find-tables.ts'
import { exifOf } from '../../../src/formats/jpeg/read/exif.ts'
import { turnSegment } from '../../../src/formats/jpeg/write/lent-segments.ts'
import type { PhotoReport } from '../../../src/model/report.ts'
import { scaledTable } from '../../../src/photo/frame/estimate-quantisation.ts'
import { writeQuantisation } from '../../../src/syntax/jpeg-markers/quantisation.ts'
import { walkSegments, writeSegment } from '../../../src/syntax/jpeg-markers/segments.ts'
import { randomFrom } from '../../../testing/hostile-sources.ts'
import { drawPicture } from '../../../testing/photos/draw.ts'
import { readPhoto } from '../../../testing/photos/read-photo.ts'
import { writePhoto } from '../../../testing/photos/write-photo.ts'

const PLAIN = { sampling: [2, 2], quality: 90, interval: 0 } as const
const SOS = 0xda
const DQT = 0xdb
const DHT = 0xc4

async function mend(
  bytes: Uint8Array,
  sample?: Uint8Array,
): Promise<{ report: PhotoReport; output: Uint8Array }> {
  const sink = new MemorySink()
  const report = await repair({
    damaged: { source: new MemorySource(bytes), name: 'photo.jpg' },
    ...(sample ? { sample: { source: new MemorySource(sample), name: 'sample.jpg' } } : {}),
    sink,
  })
  if (report.kind !== 'photo') throw new Error('not taken for a photo')
  return { report, output: sink.bytes() }
}

function segmentOf(bytes: Uint8Array, marker: number): { offset: number; end: number } {
  const segment = walkSegments(bytes, 0).find((found) => found.marker === marker)
  if (!segment) throw new Error('no such segment')
  return segment
}

function without(bytes: Uint8Array, { offset, end }: { offset: number; end: number }): Uint8Array {
  return Uint8Array.from([...bytes.subarray(0, offset), ...bytes.subarray(end)])
}

function sameCoefficients(one: Uint8Array, other: Uint8Array): boolean {
  const own = readPhoto(one)?.coefficients
  return readPhoto(other)?.coefficients.every((value, i) => value === own?.[i]) ?? false
}

describe('a JPEG photo with a damaged header', () => {
  it('whose scan header is gone begins at once, where all would be too bright with what would be one', async () => {
    const photo = writePhoto(drawPicture(160, 120, 34), { ...PLAIN, quality: 92 })
    const { report, output } = await mend(without(photo, segmentOf(photo, SOS)))
    expect(report.verdict).toBe('repaired')
    expect(sameCoefficients(output, photo)).toBe(true)
  })

  it('whose two colours are duller in its preview to different degrees has tables of the brighter', () => {
    const layout = new McuLayout(
      80,
      80,
      [0, 1, 1].map((table, i) => ({ id: i + 1, h: 1, v: 1, table })),
    )
    const coefficients = new Int16Array(layout.mcuCount * layout.mcuLength)
    const planes = [1, 2 / 3, 3 / 4].map((dull, component) =>
      Float32Array.from({ length: layout.mcuCount }, (_, mcu) => {
        const dc = ((mcu * 37) % 100) - 50
        coefficients[mcu * layout.mcuLength + component * 64] = dc
        return (dull * 2 * dc) / 8
      }),
    )
    const tables: (Uint16Array | undefined)[] = []
    findTables(
      tables,
      undefined,
      { layout, coefficients, count: layout.mcuCount, whole: true },
      { planes, rowsOfSample: 1 },
    )
    expect(tables.map((table) => table?.[0])).toEqual([2, 2])
  })

  it.each([
    ['marker', 0, 0x80],
    ['marker', 1, 0x40],
    ['length', 2, 0x02],
    ['length', 3, 0x10],
    ['number of components', 4, 0x01],
  ])('whose scan header has another %s has its data behind it', async (_, byte, bit) => {
    const photo = writePhoto(drawPicture(320, 200, 12), PLAIN)
    const damaged = Uint8Array.from(photo)
    damaged[segmentOf(photo, SOS).offset + byte] ^= bit
    const { report, output } = await mend(damaged)
    expect(report.verdict).toBe('repaired')
    expect(sameCoefficients(output, photo)).toBe(true)
  })

  it('put together anew ends where it ended, once', async () => {
    const photo = writePhoto(drawPicture(160, 120, 34), PLAIN)
    const { output } = await mend(without(photo, segmentOf(photo, SOS)))
    expect(output.subarray(-4)).toEqual(photo.subarray(-4))
  })

  it('of which little is left in front of another picture is not that one', async () => {
    const small = writePhoto(drawPicture(160, 120, 34), PLAIN)
    const other = writePhoto(drawPicture(640, 400, 3), PLAIN)
    const scan = small.subarray(segmentOf(small, SOS).end)
    const { report } = await mend(Uint8Array.from([...scan, ...other]))
    expect(report.verdict).toBe('partial')
    expect((report.doubts ?? []).map(({ code }) => code)).toEqual(['preview-only'])
  })

  it('whose scan header is zeroed begins with its first MCU, not with those that zeros would be', async () => {
    const photo = writePhoto(drawPicture(640, 400, 3), PLAIN)
    const damaged = Uint8Array.from(photo)
    const { offset, end } = segmentOf(photo, SOS)
    damaged.fill(0, offset, end)
    const { report, output } = await mend(damaged)
    expect(sameCoefficients(output, photo)).toBe(true)
    expect(report.verdict).toBe('repaired')
  })

  it('whose scan header is cut out behind application data has its data behind them', async () => {
    const photo = writePhoto(drawPicture(640, 400, 3), PLAIN)
    const { offset, end } = segmentOf(photo, SOS)
    const body = Uint8Array.from({ length: 2_000 }, (_, i) => (i * 41) & 0x7f)
    const damaged = [photo.subarray(0, offset), writeSegment(0xe1, body), photo.subarray(end)]
    const { output } = await mend(Uint8Array.from(damaged.flatMap((part) => [...part])))
    expect(sameCoefficients(output, photo)).toBe(true)
  })

  it.each([
    ['a sample', 0, true, 0],
    ['no sample', 0, false, 0],
    ['a sample, and restart markers', 40, true, 0],
    ['a sample, and noise with a restart marker', 0, true, 0xd3],
    ['a sample, restart markers, and noise with another', 40, true, 0xd3],
  ])(
    'of which only the scan is left behind noise begins behind that: %s',
    async (_, interval, sampled, code) => {
      const options = { ...PLAIN, interval }
      const photo = writePhoto(drawPicture(640, 480, 3), options)
      const sample = writePhoto(drawPicture(640, 480, 8), options)
      const random = randomFrom(4)
      const damaged = Uint8Array.from(photo)
      const { end } = segmentOf(photo, SOS)
      for (let i = 0; i < end; i++) damaged[i] = random() * 256
      if (code > 0) damaged.set([0xff, code], end - 200)
      const { report, output } = await mend(damaged, sampled ? sample : undefined)
      expect(report.verdict).toBe('partial')
      expect(report.pictures[0]).toMatchObject({ width: 640, height: 480, layout: '4:2:0, baseline' })
      // a start by an MCU wrong would shift all levels
      expect((report.doubts ?? []).map(({ code }) => code)).toContain('colour')
      const [own, mended] = [readPhoto(photo)?.coefficients, readPhoto(output)?.coefficients]
      // what is behind the first row of MCUs has its place and its detail
      const behind = own
        ?.subarray(40 * 6 * 64)
        .filter((value, i) => i % 64 > 0 && mended?.[i + 40 * 6 * 64] !== value)
      expect(behind?.length).toBe(0)
    },
  )

  it('whose scan lost its front, too, has a doubt of its colours; whole behind no head it has none', async () => {
    const photo = writePhoto(drawPicture(640, 480, 3), PLAIN)
    const { end } = segmentOf(photo, SOS)
    const colour = async (from: number): Promise<boolean> => {
      const { report } = await mend(photo.subarray(from))
      return (report.doubts ?? []).some(({ code }) => code === 'colour')
    }
    expect([await colour(end), await colour(end + 3_000)]).toEqual([false, true])
  })

  it('of which only the scan is left has no more columns and rows than its encoder had', async () => {
    const photo = writePhoto(drawPicture(618, 389, 3), PLAIN)
    const { report } = await mend(photo.subarray(segmentOf(photo, SOS).end))
    expect(report.pictures[0]).toMatchObject({ width: 618, height: 389 })
  })

  it('of which only the scan is left behind more zeros than it is long begins behind them', async () => {
    const photo = writePhoto(drawPicture(640, 400, 3), PLAIN)
    const scan = photo.subarray(segmentOf(photo, SOS).end)
    const damaged = new Uint8Array(4 * scan.length)
    damaged.set(scan, 3 * scan.length)
    const { report, output } = await mend(damaged)
    expect(report.pictures[0]).toMatchObject({ width: 640, height: 400 })
    expect(sameCoefficients(output, photo)).toBe(true)
  })

  it.each(FIXED_HUFFMAN.map((huffman, index) => ({ huffman, index })))(
    'without Huffman tables has those of an encoder by which it can be read: $index',
    async ({ huffman, index }) => {
      const photo = writePhoto(drawPicture(640, 400, 5), {
        ...PLAIN,
        quality: index === 4 ? 40 : 90,
        huffman,
      })
      const { report, output } = await mend(without(photo, segmentOf(photo, DHT)))
      expect(report.verdict).toBe('repaired')
      expect(report.pictures[0].rebuilt).toEqual([
        { part: 'Huffman tables', from: index === 0 ? 'standard' : 'fitted' },
      ])
      expect(sameCoefficients(output, photo)).toBe(true)
    },
  )

  it('without Huffman tables, whose sample has others, has those by which it can be read', async () => {
    const photo = writePhoto(drawPicture(640, 400, 5), PLAIN)
    const sample = writePhoto(drawPicture(640, 400, 6), { ...PLAIN, huffman: FIXED_HUFFMAN[2] })
    const { report, output } = await mend(without(photo, segmentOf(photo, DHT)), sample)
    expect(report.pictures[0].rebuilt).toEqual([{ part: 'Huffman tables', from: 'standard' }])
    expect(sameCoefficients(output, photo)).toBe(true)
  })

  it('without Huffman tables that were made for it alone is refused, with a sample that has such, too', async () => {
    /** The standard's codes for other symbols: `from` tells which comes first. */
    const own = (from: number) =>
      STANDARD_HUFFMAN.map((spec) => {
        const at = spec.kind * from
        const symbols = Uint8Array.of(...spec.symbols.subarray(at), ...spec.symbols.subarray(0, at))
        return { ...spec, symbols }
      })
    const photo = writePhoto(drawPicture(640, 400, 5), { ...PLAIN, huffman: own(4) })
    const scan = photo.subarray(segmentOf(photo, SOS).end)
    for (const sample of [undefined, writePhoto(drawPicture(640, 400, 6), { ...PLAIN, huffman: own(7) })]) {
      const { report } = await mend(scan, sample)
      expect(report.verdict).toBe('unrepairable')
      expect(report.reason).toContain('Huffman tables')
    }
    const like = writePhoto(drawPicture(640, 400, 6), { ...PLAIN, huffman: own(4) })
    const { report } = await mend(scan, like)
    expect(report.pictures[0]).toMatchObject({ width: 640, height: 400 })
  })

  it.each([
    [256, 160, 80, 24],
    [192, 128, 92, 16],
  ])(
    'of %i by %i without Huffman tables of its own is refused, although usual ones read some of it',
    async (width, height, quality, usual) => {
      // the codes that are `usual`, and others among the rest
      const huffman = STANDARD_HUFFMAN.map((spec) => {
        const from = spec.kind === 1 ? usual : spec.symbols.length
        const symbols = Uint8Array.of(
          ...spec.symbols.subarray(0, from),
          ...spec.symbols.slice(from).reverse(),
        )
        return { ...spec, symbols }
      })
      const photo = writePhoto(drawPicture(width, height, 5), { ...PLAIN, quality, huffman })
      const { report } = await mend(photo.subarray(segmentOf(photo, SOS).end))
      expect(report.verdict).toBe('unrepairable')
      expect(report.reason).toContain('Huffman tables')
    },
  )

  it('without quantisation tables gets the steps of DC that make it as bright as its thumbnail', async () => {
    const thumbnail = writePhoto(drawPicture(160, 100, 5), { ...PLAIN, quality: 80 })
    const photo = writePhoto(drawPicture(640, 400, 5), { ...PLAIN, thumbnail })
    const { report, output } = await mend(without(photo, segmentOf(photo, DQT)))
    expect(report.doubts?.map(({ code }) => code)).toEqual(['quantisation'])
    const found = readPhoto(output)?.quantisation
    const dc = (tables: readonly ArrayLike<number>[] | undefined) => tables?.map((table) => table[0])
    expect(dc(found)).toEqual(dc(readPhoto(photo)?.quantisation))
  })

  it.each([
    ['that is turned', 640, 400],
    ['that is turned and lies on the other side', 400, 640],
  ])(
    'of which the scan alone is left, with a sample %s, is upright, with a doubt',
    async (_what, width, height) => {
      const photo = writePhoto(drawPicture(320, 240, 5), PLAIN)
      const other = writePhoto(drawPicture(width, height, 6), PLAIN)
      const sample = Uint8Array.from([...other.subarray(0, 2), ...turnSegment(6), ...other.subarray(2)])
      const { report, output } = await mend(
        Uint8Array.from(photo).fill(0, 0, segmentOf(photo, SOS).end),
        sample,
      )
      expect(report.pictures[0]?.orientation).toBe(1)
      expect(exifOf({ segments: walkSegments(output, 0) })?.orientation ?? 1).toBe(1)
      expect(report.doubts?.map(({ code }) => code)).toContain('orientation')
      expect(report.sample?.used).not.toContain('orientation')
    },
  )

  it('of which the scan alone is left has the colour profile of a sample, unless it kept its own', async () => {
    const profile = (name: string): Uint8Array =>
      writeSegment(0xe2, Buffer.from(`ICC_PROFILE\0\x01\x01${name.repeat(20)}`, 'latin1'))
    const photo = writePhoto(drawPicture(320, 240, 5), PLAIN)
    const other = writePhoto(drawPicture(320, 240, 6), PLAIN)
    const sample = Uint8Array.from([...other.subarray(0, 2), ...profile('wide'), ...other.subarray(2)])
    const bare = await mend(Uint8Array.from(photo).fill(0, 0, segmentOf(photo, SOS).end), sample)
    expect(Buffer.from(bare.output).includes(profile('wide'))).toBe(true)
    expect(bare.report.sample?.used).toContain('colour profile')
    const own = Uint8Array.from([0, 0, ...profile('mine'), ...photo.subarray(2)])
    const kept = await mend(own, sample)
    expect(Buffer.from(kept.output).includes(profile('mine'))).toBe(true)
    expect(Buffer.from(kept.output).includes(profile('wide'))).toBe(false)
  })

  it('without quantisation tables takes none of a sample that would make it brighter than its thumbnail', async () => {
    const thumbnail = writePhoto(drawPicture(160, 100, 5), { ...PLAIN, quality: 80 })
    const photo = writePhoto(drawPicture(640, 400, 5), { ...PLAIN, thumbnail })
    const sample = writePhoto(drawPicture(640, 400, 6), { ...PLAIN, quality: 50 })
    const { report, output } = await mend(without(photo, segmentOf(photo, DQT)), sample)
    expect(report.sample?.used ?? []).not.toContain('quantisation tables')
    expect(readPhoto(output)?.quantisation[0][0]).toBe(readPhoto(photo)?.quantisation[0][0])
  })

  it('without quantisation tables takes none of a sample with which it would be far from black and white', async () => {
    const photo = writePhoto(drawPicture(640, 400, 5), PLAIN)
    const damaged = without(photo, segmentOf(photo, DQT))
    const used = async (quality: number) =>
      (await mend(damaged, writePhoto(drawPicture(640, 400, 6), { ...PLAIN, quality }))).report.sample
        ?.used ?? []
    expect(await used(90)).toContain('quantisation tables')
    expect(await used(15)).not.toContain('quantisation tables')
  })

  it('without quantisation tables takes none of a sample with which much of it would have no colour', async () => {
    const photo = writePhoto(drawPicture(640, 400, 5), PLAIN)
    const damaged = without(photo, segmentOf(photo, DQT))
    const used = async (times: number) => {
      const sample = writePhoto(drawPicture(640, 400, 6), PLAIN)
      const { end } = segmentOf(sample, DQT)
      // the table of chrominance is the last
      for (let at = end - 64; at < end; at++) sample[at] *= times
      return (await mend(damaged, sample)).report.sample?.used ?? []
    }
    expect(await used(1)).toContain('quantisation tables')
    expect(await used(4)).not.toContain('quantisation tables')
  })

  it('into whose quantisation table bytes came has a doubt of it', async () => {
    const photo = writePhoto(drawPicture(160, 120, 5), { ...PLAIN, sampling: undefined })
    const { offset } = segmentOf(photo, DQT)
    const at = offset + 30
    const damaged = [
      ...photo.subarray(0, at),
      ...Array.from({ length: 40 }, (_, i) => 7 + i),
      ...photo.subarray(at),
    ]
    const { report } = await mend(Uint8Array.from(damaged))
    expect(report.doubts?.map(({ code }) => code)).toContain('quantisation')
  })

  it('without its table of chrominance gets the one that goes with that of luminance', async () => {
    const photo = writePhoto(drawPicture(640, 400, 5), PLAIN)
    const { offset, end } = segmentOf(photo, DQT)
    const luminance = writeQuantisation([{ id: 0, width: 1, values: scaledTable(0, PLAIN.quality) }])
    const parts = [photo.subarray(0, offset), writeSegment(DQT, luminance), photo.subarray(end)]
    const { output } = await mend(Uint8Array.from(Buffer.concat(parts)))
    expect(readPhoto(output)?.quantisation[1]).toEqual(scaledTable(1, PLAIN.quality))
  })

  it('whose frame says progressive though its scan has all bands is sequential', async () => {
    const photo = writePhoto(drawPicture(160, 120, 34), PLAIN)
    const damaged = Uint8Array.from(photo)
    damaged[segmentOf(photo, 0xc0).offset + 1] = 0xc2
    const { report, output } = await mend(damaged)
    expect(report.verdict).toBe('repaired')
    expect(sameCoefficients(output, photo)).toBe(true)
  })

  it('of whose scan not one MCU can be read is unrepairable', async () => {
    const { report, output } = await mend(unreadable(writePhoto(drawPicture(640, 400, 3), PLAIN)))
    expect([report.verdict, report.pictures, output.length]).toEqual(['unrepairable', [], 0])
    expect(report.reason).toContain('survives')
  })

  it('of whose scan not one MCU can be read gives its preview where it has one', async () => {
    const thumbnail = writePhoto(drawPicture(160, 100, 3), PLAIN)
    const photo = writePhoto(drawPicture(640, 400, 3), { ...PLAIN, thumbnail })
    const { report, output } = await mend(unreadable(photo))
    expect([report.verdict, report.pictures.map(({ role }) => role)]).toEqual(['partial', ['preview']])
    expect(report.doubts?.map(({ code }) => code)).toContain('preview-only')
    expect(readPhoto(output)?.coefficients).toEqual(readPhoto(thumbnail)?.coefficients)
  })
})

/** The photo with ones instead of its scan's data: no code begins with so many. */
function unreadable(photo: Uint8Array): Uint8Array {
  const damaged = Uint8Array.from(photo)
  for (let at = segmentOf(photo, SOS).end; at + 2 < photo.length; at += 2) damaged.set([0xff, 0], at)
  return damaged
}
