import { describe, expect, it } from 'vitest'
import { isWholeHvcC, parseHvcC } from '../../../src/codecs/hevc/hvcc.ts'
import { heif } from '../../../src/formats/heif/index.ts'
import { knownRecord, knownSize } from '../../../src/formats/heif/read/known-records.ts'
import { BoxWriter } from '../../../src/syntax/iso-boxes/box-writer.ts'
import { fixturesOf } from '../../../testing/contract/fixtures.ts'
import { heifParts } from '../../../testing/photos/photo-parts.ts'
import { repairPhoto } from '../../../testing/photos/repair-photo.ts'
import { CONFIG, fileType, PICTURE } from './avif-parts.ts'

const [{ bytes: PHOTO, sample: SAMPLE }] = fixturesOf(heif)

/** Zeros over a box of a type: its header, too. */
function without(photo: Uint8Array, ...types: readonly string[]): Uint8Array {
  const bytes = Buffer.from(photo)
  for (const type of types) {
    const at = bytes.indexOf(type, 'latin1') - 4
    bytes.fill(0, at, at + bytes.readUInt32BE(at))
  }
  return Uint8Array.from(bytes)
}

/** The photo's shape, and the bytes of its tiles in order. */
async function tilesOf(bytes: Uint8Array): Promise<{ shape: string | undefined; tiles: Buffer[] }> {
  const parts = await heifParts(bytes)
  const tiles = (parts?.units ?? []).map((unit) =>
    Buffer.concat(unit.map(([from, to]) => bytes.subarray(from, to))),
  )
  return { shape: parts?.shape, tiles }
}

describe('a photo within whose structures a hole is', () => {
  it.each([
    ['where its items lie', ['iloc']],
    ['what its items are', ['iinf']],
    ['which item is the photo, and what belongs to it', ['pitm', 'iref']],
    ['which properties items have', ['ipma']],
    ['all but how it is coded and how large it is', ['pitm', 'iinf', 'iref', 'ipma', 'idat', 'iloc']],
  ])('comes back tile for tile without a sample where the hole took %s', async (_, types) => {
    const { report, bytes } = await repairPhoto(without(PHOTO, ...types), 'heic')
    expect(report).toMatchObject({ kind: 'photo', verdict: 'partial' })
    expect(report.doubts?.map(({ code }) => code)).not.toContain('quantisation')
    expect(await tilesOf(bytes)).toEqual(await tilesOf(PHOTO))
  })

  it('comes back tile for tile where it is coded as AV1', async () => {
    const writer = new BoxWriter()
    writer.raw(fileType('avif', 'mif1'))
    writer.box('av1C', () => writer.raw(CONFIG))
    writer.fullBox('ispe', 0, 0, () => {
      writer.u32(60)
      writer.u32(40)
    })
    writer.box('mdat', () => {
      for (let i = 0; i < 4; i++) writer.raw(PICTURE)
    })
    const { report, bytes } = await repairPhoto(writer.bytes().slice(), 'avif')
    expect(report).toMatchObject({ kind: 'photo', verdict: 'partial' })
    const { shape, tiles } = await tilesOf(bytes)
    expect(shape).toBe('60x40 av01 tiles 4')
    for (const tile of tiles) expect(tile).toEqual(Buffer.from(PICTURE))
  })

  it('comes back where its tiles are not all behind each other, and their structures stand behind them', async () => {
    const writer = new BoxWriter()
    writer.box('free', () => {
      for (let i = 0; i < 4; i++) {
        writer.raw(PICTURE)
        if (i === 1) writer.zeros(100)
      }
      writer.zeros(100_000)
    })
    writer.box('av1C', () => writer.raw(CONFIG))
    writer.fullBox('ispe', 0, 0, () => {
      writer.u32(60)
      writer.u32(40)
    })
    const { bytes } = await repairPhoto(writer.bytes().slice(), 'avif')
    expect((await tilesOf(bytes)).shape).toBe('60x40 av01 tiles 4')
  })

  it('is not healthy where a tile’s place or its coding is gone, and comes back whole', async () => {
    const places = Buffer.from(PHOTO)
    const iloc = places.indexOf('iloc')
    // an entry of version 1 with one extent has 16 bytes; the second tile’s number becomes another’s
    places.writeUInt16BE(999, iloc + 12 + 16)
    const coding = Buffer.from(PHOTO)
    const ipma = coding.indexOf('ipma')
    coding.writeUInt16BE(999, ipma + 12)
    for (const damaged of [places, coding]) {
      const { report, bytes } = await repairPhoto(Uint8Array.from(damaged), 'heic')
      expect(report.verdict).toBe('partial')
      expect(await tilesOf(bytes)).toEqual(await tilesOf(PHOTO))
      expect((await heifParts(bytes))?.healthy).toBe(true)
    }
  })

  it('keeps its own size where a sample has another', async () => {
    const other = Buffer.from(SAMPLE ?? PHOTO)
    for (let at = other.indexOf('ispe'); at > 0; at = other.indexOf('ispe', at + 1))
      if (other.readUInt32BE(at + 8) === 384) other.writeUInt32BE(383, at + 8)
    const grid = other.indexOf('idat') + 8
    other.writeUInt16BE(383, grid)
    const { bytes } = await repairPhoto(without(PHOTO, 'iloc'), 'heic', Uint8Array.from(other))
    expect(await tilesOf(bytes)).toEqual(await tilesOf(PHOTO))
  })

  it('is not put together by a smaller version’s record where its tiles begin as one maker’s of another size', async () => {
    const writer = new BoxWriter()
    writer.raw(fileType('heic', 'mif1'))
    const hvcC = Buffer.from(PHOTO).indexOf('hvcC') - 4
    writer.raw(PHOTO.subarray(hvcC, hvcC + Buffer.from(PHOTO).readUInt32BE(hvcC)))
    // 49 tiles of that record make a photo of this size
    writer.fullBox('ispe', 0, 0, () => {
      writer.u32(896)
      writer.u32(896)
    })
    writer.box('mdat', () => {
      for (let i = 0; i < 49; i++) {
        writer.u32(28)
        writer.u16(0x2601)
        writer.u16(i < 48 ? 44_932 : 0xaf00)
        writer.raw(new Uint8Array(24).fill(0x55))
      }
    })
    const { report, bytes } = await repairPhoto(writer.bytes().slice(), 'heic')
    expect(report.verdict).toBe('partial')
    expect(report.doubts?.map(({ code }) => code)).toContain('quantisation')
    expect((await tilesOf(bytes)).shape).toBe('4032x3024 hvc1 tiles 48')
  })

  it('is not made up where nothing is left of how it is coded, or how large it is', async () => {
    for (const types of [
      ['hvcC', 'iloc'],
      ['ispe', 'ispe', 'idat', 'iloc'],
    ]) {
      let damaged = PHOTO
      for (const type of types) damaged = without(damaged, type)
      expect((await repairPhoto(damaged, 'heic')).report.verdict).toBe('unrepairable')
    }
  })
})

describe('what is known of how makers code their tiles', () => {
  it.each(['44932', '44424'])(
    'is a whole record of the size it says, for pictures that begin as %s',
    (kind) => {
      const record = knownRecord(kind)
      const config = record?.config ?? new Uint8Array(0)
      expect(isWholeHvcC(config)).toBe(true)
      expect(parseHvcC(config)?.sps[0]).toMatchObject(record?.size ?? {})
      expect(record).toMatchObject({ depth: 8, channels: 3 })
      const size = knownSize(kind, 48)
      expect(Math.ceil((size?.width ?? 0) / 512) * Math.ceil((size?.height ?? 0) / 512)).toBe(48)
    },
  )

  it('is nothing of others', () => {
    expect(knownRecord('44930')).toBeUndefined()
    expect(knownRecord(undefined)).toBeUndefined()
    expect(knownSize('44932', 47)).toBeUndefined()
  })
})
