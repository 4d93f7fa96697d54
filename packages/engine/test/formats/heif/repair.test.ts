import { describe, expect, it } from 'vitest'
import { headCut, headZeroed, truncated } from '../../../src/bytes/damage.ts'
import { DEFAULT_LIMITS } from '../../../src/bytes/limits.ts'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySink } from '../../../src/bytes/sink.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { repair } from '../../../src/engine.ts'
import { type Assessment, assess } from '../../../src/formats/heif/assess.ts'
import { heif } from '../../../src/formats/heif/index.ts'
import { checkHevcItem } from '../../../src/formats/heif/read/nal-items.ts'
import { SILENT } from '../../../src/model/monitor.ts'
import type { PhotoReport } from '../../../src/model/report.ts'
import { fixturesOf } from '../../../testing/contract/fixtures.ts'
import { repairPhoto } from '../../../testing/photos/repair-photo.ts'

const [{ bytes: PHOTO, sample: SAMPLE }] = fixturesOf(heif)
const TILES = 6
/** Most of what stands in front of the pictures. */
const HEAD = 500

async function read(bytes: Uint8Array): Promise<Assessment> {
  return assess(new ByteReader(new MemorySource(bytes)), DEFAULT_LIMITS, SILENT)
}

/** The bytes of each tile, in the grid's order. */
async function tilesOf(bytes: Uint8Array): Promise<Uint8Array[]> {
  const { picture } = await read(bytes)
  if (!picture) throw new Error('no picture')
  return picture.tiles.map(({ item: { extents } }) =>
    bytes.slice(extents[0].offset, extents[0].offset + extents[0].length),
  )
}

const repaired = (damaged: Uint8Array, sample?: Uint8Array) => repairPhoto(damaged, 'heic', sample)

const codes = (report: PhotoReport): string[] => (report.doubts ?? []).map(({ code }) => code)

describe('a photo whose structures are lost', () => {
  it.each([
    ['zeroed', headZeroed(PHOTO, HEAD)],
    ['cut away', headCut(PHOTO, HEAD)],
  ])('(%s) comes back tile for tile with another photo of the same camera', async (_what, damaged) => {
    const { report, bytes } = await repaired(damaged, SAMPLE)
    expect(report.verdict).toBe('partial')
    expect(report.pictures[0]).toMatchObject({ width: 384, height: 256, total: TILES, recovered: TILES })
    expect(await tilesOf(bytes)).toEqual(await tilesOf(PHOTO))
    expect(codes(report)).toEqual(['quantisation', 'orientation', 'metadata'])
  })

  it.each([
    ['zeroed, named as a photo', headZeroed(PHOTO, 64), 'damaged.heic'],
    ['zeroed, without a name', headZeroed(PHOTO, 64), 'damaged'],
    ['cut away', headCut(PHOTO, 64), 'damaged.heic'],
  ])(
    'of which only the first 64 bytes are (%s) comes back tile for tile by what its boxes say',
    async (_what, bytesOf, name) => {
      const sink = new MemorySink()
      const damaged = { source: new MemorySource(bytesOf), name }
      const report = await repair({ damaged, sink })
      expect([report.verdict, report.doubts?.map(({ code }) => code)]).toEqual(['partial', ['metadata']])
      const bytes = sink.bytes().slice()
      expect((await read(bytes)).healthy).toBe(true)
      expect(await tilesOf(bytes)).toEqual(await tilesOf(PHOTO))
    },
  )

  it('into which bytes came between its tiles, or of which they are gone, has those behind them in their places', async () => {
    const { picture } = await read(PHOTO)
    const { offset, length } = picture?.tiles[2].item.extents[0] ?? { offset: 0, length: 0 }
    const at = offset + (length >> 1)
    const longer = Buffer.concat([PHOTO.subarray(0, at), Buffer.alloc(37, 0x5a), PHOTO.subarray(at)])
    const shorter = Buffer.concat([PHOTO.subarray(0, at), PHOTO.subarray(at + 41)])
    const whole = await tilesOf(PHOTO)
    for (const damaged of [longer, shorter]) {
      const { report, bytes } = await repaired(Uint8Array.from(damaged))
      expect(report.pictures[0]).toMatchObject({ recovered: TILES - 1, lost: 1 })
      expect(codes(report)).toEqual(['areas-lost', 'metadata'])
      const back = await tilesOf(bytes)
      for (const tile of [0, 1, 3, 4, 5]) expect(back[tile], `tile ${tile}`).toEqual(whole[tile])
    }
  })

  it('in front of whose tiles bytes came is whole', async () => {
    const { picture } = await read(PHOTO)
    const { offset } = picture?.tiles[0].item.extents[0] ?? { offset: 0 }
    const longer = Buffer.concat([PHOTO.subarray(0, offset), Buffer.alloc(37, 0x5a), PHOTO.subarray(offset)])
    const { report, bytes } = await repaired(Uint8Array.from(longer))
    expect(codes(report)).toEqual(['metadata'])
    expect(await tilesOf(bytes)).toEqual(await tilesOf(PHOTO))
  })

  it('is not in doubt of how it is coded where its own record is left, and is as the sample’s', async () => {
    const box = Buffer.from(PHOTO).indexOf('hvcC') - 4
    const own = PHOTO.slice(box, box + Buffer.from(PHOTO).readUInt32BE(box))
    const damaged = headZeroed(PHOTO, HEAD)
    damaged.set(own, 100)
    const { report } = await repaired(damaged, SAMPLE)
    expect(codes(report)).toEqual(['orientation', 'metadata'])
  })

  it('is not repairable without a sample, and says what would help', async () => {
    const { report, bytes } = await repaired(headZeroed(PHOTO, HEAD))
    expect(report.verdict).toBe('unrepairable')
    expect(report.reason).toMatch(/sample/)
    expect(bytes.length).toBe(0)
  })

  it('with a tile that was hit, too, has the others in their places', async () => {
    const { picture } = await read(PHOTO)
    const { offset, length } = picture?.tiles[2].item.extents[0] ?? { offset: 0, length: 0 }
    const damaged = headZeroed(PHOTO, HEAD)
    damaged.fill(0, offset + 20, offset + length - 20)
    const { report, bytes } = await repaired(damaged, SAMPLE)
    expect(report.pictures[0]).toMatchObject({ recovered: TILES - 1, estimated: 0, lost: 1 })
    const whole = await tilesOf(PHOTO)
    const back = await tilesOf(bytes)
    for (const tile of [0, 1, 3, 4, 5]) expect(back[tile], `tile ${tile}`).toEqual(whole[tile])
    expect(report.pictures[0].areas).toMatchObject([{ x: 256, y: 0, width: 128, height: 128, state: 'hit' }])
    // without its beginning it is gone, and those behind it do not move up
    damaged.fill(0, offset, offset + 20)
    const gone = await repaired(damaged, SAMPLE)
    expect(gone.report.pictures[0]).toMatchObject({ recovered: TILES - 1, estimated: 0, lost: 1 })
    const left = await tilesOf(gone.bytes)
    for (const tile of [0, 1, 3, 4, 5]) expect(left[tile], `tile ${tile}`).toEqual(whole[tile])
  })
})

describe('a photo that breaks off', () => {
  it('has every tile that is there, and says which are gone', async () => {
    const { picture } = await read(PHOTO)
    const cut = picture?.tiles[4].item.extents[0].offset ?? 0
    const { report, bytes } = await repaired(truncated(PHOTO, (cut + 10) / PHOTO.length))
    expect(report.pictures[0]).toMatchObject({ recovered: 4, lost: 2 })
    expect(report.pictures[0].areas.map(({ x, y, state }) => [x, y, state])).toEqual([
      [128, 128, 'lost'],
      [256, 128, 'lost'],
    ])
    expect((await tilesOf(bytes)).slice(0, 4)).toEqual((await tilesOf(PHOTO)).slice(0, 4))
    expect((await read(bytes)).healthy).toBe(true)
    expect(codes(report)).toEqual(['areas-lost', 'metadata'])
  })
})

describe('a coded picture', () => {
  it('with bytes that no NAL unit holds, or a length that leads elsewhere, is broken', async () => {
    const [tile] = await tilesOf(PHOTO)
    const state = (bytes: Uint8Array): string =>
      checkHevcItem(new ByteReader(new MemorySource(bytes)), 0, bytes.length)
    expect(state(tile)).toBe('whole')
    for (const forbidden of [0, 1, 2]) {
      const hit = Uint8Array.from(tile)
      hit.set([0, 0, forbidden, 0x55], 40)
      expect(state(hit), `${forbidden}`).toBe('broken')
    }
    const escaped = Uint8Array.from(tile)
    escaped.set([0, 0, 3, 1], 40)
    expect(state(escaped)).toBe('whole')
    const longer = Uint8Array.from(tile)
    longer[3]++
    expect(state(longer)).toBe('broken')
    expect(checkHevcItem(new ByteReader(new MemorySource(tile)), 0, tile.length + 1)).toBe('cut')
  })
})

describe('a photo of one picture that breaks off', () => {
  /** The photo with its first tile as the picture that it shows, of a codec. */
  function single(codec: 'hvc1' | 'av01'): Uint8Array {
    const bytes = Uint8Array.from(PHOTO)
    const view = new DataView(bytes.buffer)
    const find = (type: string): number => Buffer.from(bytes).indexOf(type)
    view.setUint16(find('pitm') + 8, 1)
    const entry = find('hvc1')
    bytes.set(new TextEncoder().encode(codec), entry)
    return bytes
  }

  it('shows what is there of it, and says that the rest is lost', async () => {
    const whole = single('hvc1')
    const { picture } = await read(whole)
    const [{ offset, length }] = picture?.tiles[0].item.extents ?? []
    const there = Math.floor(length / 2)
    const { report, bytes } = await repaired(whole.subarray(0, offset + there))
    expect(codes(report)).toContain('areas-lost')
    expect(report.pictures[0]).toMatchObject({ total: 1, recovered: 0, lost: 1 })
    const [tile] = await tilesOf(bytes)
    expect(tile.subarray(0, there)).toEqual(whole.subarray(offset, offset + there))
    expect(tile.subarray(there)).toEqual(new Uint8Array(length - there))
    expect((await read(bytes)).findings.list.map(({ code }) => code)).toEqual(['heif.item-broken'])
    // next to nothing of it
    expect((await repaired(whole.subarray(0, offset + 64))).report.verdict).toBe('unrepairable')
    expect((await repaired(whole.subarray(0, offset + 65))).report.verdict).toBe('partial')
  })

  it('is refused where it is one of AV1', async () => {
    const whole = single('av01')
    const { picture } = await read(whole)
    const [{ offset, length }] = picture?.tiles[0].item.extents ?? []
    const { report } = await repaired(whole.subarray(0, offset + Math.floor(length / 2)))
    expect(report.verdict).toBe('unrepairable')
  })
})
