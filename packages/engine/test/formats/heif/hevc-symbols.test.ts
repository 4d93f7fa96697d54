import { describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../../src/bytes/limits.ts'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySink } from '../../../src/bytes/sink.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { assess } from '../../../src/formats/heif/assess.ts'
import { heif } from '../../../src/formats/heif/index.ts'
import type { Item } from '../../../src/formats/heif/read/meta.ts'
import { writeHeif } from '../../../src/formats/heif/write/write-heif.ts'
import { SILENT } from '../../../src/model/monitor.ts'
import type { PhotoReport } from '../../../src/model/report.ts'
import { boxBytes } from '../../../src/syntax/iso-boxes/box.ts'
import { BoxWriter } from '../../../src/syntax/iso-boxes/box-writer.ts'
import { fixturesOf } from '../../../testing/contract/fixtures.ts'
import { repairPhoto } from '../../../testing/photos/repair-photo.ts'
import { noise } from '../../../testing/video/replay.ts'
import { streamFixture } from '../../../testing/video/stream-fixture.ts'

const [{ bytes: PHOTO, sample: SAMPLE = PHOTO }] = fixturesOf(heif)

const read = (bytes: Uint8Array) => assess(new ByteReader(new MemorySource(bytes)), DEFAULT_LIMITS, SILENT)

/** The coded pictures of the photo: its tiles, and its thumbnail. */
async function pictures() {
  const { meta } = await read(PHOTO)
  return [...(meta?.items.values() ?? [])].filter(({ type }) => type === 'hvc1')
}

/** Noise in the middle of a picture, without zeros: no byte of it is one that no unit may hold. */
function hit({ offset, length }: { readonly offset: number; readonly length: number }): Uint8Array {
  const bytes = PHOTO.slice()
  const foreign = noise(40).map((byte) => byte || 1)
  bytes.set(foreign, offset + (length >> 1))
  return bytes
}

describe('noise in a coded picture that holds nothing forbidden', () => {
  it('is told by its symbols, of each picture, the thumbnail too', async () => {
    const all = await pictures()
    expect(all.length).toBe(7)
    for (const item of all) {
      const { states } = await read(hit(item.extents[0]))
      expect(all.map(({ id }) => states.get(id))).toEqual(
        all.map(({ id }) => (id === item.id ? 'broken' : 'whole')),
      )
    }
  })

  it('leaves the tile as it is, and is told as a hit', async () => {
    const [tile] = await pictures()
    const { report, bytes } = await repairPhoto(hit(tile.extents[0]), 'heic')
    expect(report.verdict).toBe('partial')
    expect(report.findings.map(({ code }) => code)).toEqual(['heif.item-broken'])
    expect((report as PhotoReport).pictures[0]).toMatchObject({
      total: 6,
      recovered: 5,
      estimated: 0,
      lost: 1,
    })
    expect((await read(bytes)).states.get(tile.id)).toBe('broken')
  })

  it('is told by a sample’s parameters where the photo’s own are gone', async () => {
    const [tile] = await pictures()
    const bytes = hit(tile.extents[0])
    const { meta } = await read(PHOTO)
    bytes.fill(0, 0, meta?.box?.end)
    const { report } = await repairPhoto(bytes, 'heic', SAMPLE)
    expect((report as PhotoReport).pictures[0]).toMatchObject({
      total: 6,
      recovered: 5,
      estimated: 0,
      lost: 1,
    })
  })
})

/** A picture that is coded in another way than the photo's tiles are, and its record. */
function foreign() {
  const { bytes, packets, config } = streamFixture('hevc-444-10-bit')
  const [{ offset, size }] = packets
  return { picture: bytes.slice(offset, offset + size), config }
}

/** The sample with such a picture as its thumbnail. */
async function sampleBesideForeign(): Promise<Uint8Array> {
  const { picture, config } = foreign()
  const { meta, picture: shown, fileType } = await read(SAMPLE)
  if (!meta || !shown || !fileType) throw new Error('no photo')
  const reader = new ByteReader(new MemorySource(Uint8Array.from([...SAMPLE, ...picture])))
  const writer = new BoxWriter()
  writer.box('ipco', () => {
    writer.raw(boxBytes(reader, meta.ipco, 1 << 16).subarray(8))
    writer.box('hvcC', () => writer.raw(config))
  })
  const ipco = { box: writer.bytes().slice(), types: [...meta.properties.map(({ type }) => type), 'hvcC'] }
  const tiles = new Set(shown.tiles.map(({ item }) => item.id))
  const items = [...meta.items.values()].map((item) =>
    item.type === 'hvc1' && !tiles.has(item.id)
      ? {
          item: { ...item, properties: [ipco.types.length] },
          places: [{ offset: SAMPLE.length, length: picture.length }],
        }
      : { item, places: item.extents },
  )
  const sink = new MemorySink()
  const structures = { reader, meta, ipco, fileType: boxBytes(reader, fileType, 1 << 16) }
  await writeHeif(structures, items, reader, sink, SILENT)
  return sink.bytes().slice()
}

describe('a photo between whose tiles lie pictures that its sample has elsewhere', () => {
  it('has its tiles in their places: the others are read by other parameters', async () => {
    const { meta, picture } = await read(PHOTO)
    const tiles = (picture?.tiles ?? []).map(({ item }) => bytesOf(PHOTO, item))
    const between = [1, 2, 3].map(() => foreign().picture)
    const front = PHOTO.slice(0, meta?.box?.end).fill(0)
    const damaged = Buffer.concat([front, ...tiles.slice(0, 3), ...between, ...tiles.slice(3)])
    const { report, bytes } = await repairPhoto(Uint8Array.from(damaged), 'heic', await sampleBesideForeign())
    expect((report as PhotoReport).pictures[0]).toMatchObject({ total: 6, recovered: 6, lost: 0 })
    const again = await read(bytes)
    expect(again.picture?.tiles.map(({ item }) => bytesOf(bytes, item))).toEqual(tiles)
    expect((report as PhotoReport).doubts?.map(({ code }) => code)).not.toContain('placement')
  })
})

function bytesOf(bytes: Uint8Array, { extents: [{ offset, length }] }: Item): Uint8Array {
  return bytes.slice(offset, offset + length)
}
