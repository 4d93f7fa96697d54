import { describe, expect, it } from 'vitest'
import { headZeroed } from '../../../src/bytes/damage.ts'
import { DEFAULT_LIMITS } from '../../../src/bytes/limits.ts'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { assess } from '../../../src/formats/heif/assess.ts'
import { heif } from '../../../src/formats/heif/index.ts'
import { SILENT } from '../../../src/model/monitor.ts'
import { BoxWriter } from '../../../src/syntax/iso-boxes/box-writer.ts'
import { fixturesOf } from '../../../testing/contract/fixtures.ts'
import { repairPhoto } from '../../../testing/photos/repair-photo.ts'

const [{ bytes: PHOTO, sample: SAMPLE }] = fixturesOf(heif)

function box(type: string, length: number): Uint8Array {
  const writer = new BoxWriter()
  writer.box(type, () => writer.raw(Uint8Array.from({ length }, (_, i) => (i * 37) % 251)))
  return writer.bytes().slice()
}

const joined = (...parts: readonly Uint8Array[]): Uint8Array => Uint8Array.from(Buffer.concat(parts))

/** The film of a moving photo, and what a camera stored of the photo behind it. */
const BESIDE = joined(box('mpvd', 3_000), box('sefd', 90))
const MOVING = joined(PHOTO, BESIDE)

const { picture } = await assess(new ByteReader(new MemorySource(PHOTO)), DEFAULT_LIMITS, SILENT)
const { offset, length } = picture?.tiles[2]?.item.extents[0] ?? { offset: 0, length: 0 }
const inTile = offset + (length >> 1)
const hit = Uint8Array.from(MOVING).fill(0, inTile, inTile + 40)

describe('boxes beside the pictures of a photo', () => {
  it.each([
    ['a tile was hit', hit, undefined],
    ['its first bytes are zeros', headZeroed(MOVING, 64), undefined],
    ['its structures are gone, with a sample', headZeroed(MOVING, 500), SAMPLE],
    [
      'bytes came between its tiles',
      joined(MOVING.subarray(0, inTile), Buffer.alloc(37, 0x5a), MOVING.subarray(inTile)),
      undefined,
    ],
  ])('stay as they are where %s', async (_, damaged, sample) => {
    const { report, bytes } = await repairPhoto(damaged, 'heic', sample)
    expect(report.pictures[0]).toMatchObject({ width: 384, height: 256 })
    expect(Buffer.from(bytes.subarray(-BESIDE.length)).equals(BESIDE)).toBe(true)
    const again = await assess(new ByteReader(new MemorySource(bytes)), DEFAULT_LIMITS, SILENT)
    expect(again.findings.list.filter(({ code }) => code !== 'heif.item-broken')).toEqual([])
  })

  it('of which one breaks off are kept but for that, which is told', async () => {
    const { bytes, doubts } = await repairPhoto(hit.subarray(0, -50), 'heic')
    expect(doubts).toEqual(['areas-lost', 'metadata'])
    const film = BESIDE.subarray(0, -98)
    expect(Buffer.from(bytes.subarray(-film.length)).equals(film)).toBe(true)
  })

  it('are none where they are room that nothing uses, or tell of a sequence', async () => {
    const { bytes } = await repairPhoto(joined(hit, box('free', 200), box('moov', 200)), 'heic')
    expect(Buffer.from(bytes.subarray(-BESIDE.length)).equals(BESIDE)).toBe(true)
  })
})
