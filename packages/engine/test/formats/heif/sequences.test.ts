import { describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../../src/bytes/limits.ts'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { identify } from '../../../src/engine.ts'
import { assess } from '../../../src/formats/heif/assess.ts'
import { withoutSequences } from '../../../src/formats/heif/write/file-type.ts'
import { SILENT } from '../../../src/model/monitor.ts'
import { heifParts } from '../../../testing/photos/photo-parts.ts'
import { repairPhoto } from '../../../testing/photos/repair-photo.ts'
import { fileType, gridPhoto, joined, movie, PICTURE } from './avif-parts.ts'

const HEAD = 300

/** A sequence of one picture behind a head of so many bytes; its items are not there. */
function sequence(head: Uint8Array, handler = 'pict'): Uint8Array {
  const offset = head.length + movie(handler, 0).length + 8
  const data = joined(Uint8Array.of(0, 0, 0, PICTURE.length + 8), new TextEncoder().encode('mdat'), PICTURE)
  return joined(head, movie(handler, offset), data)
}

describe('a photo that is stored as a sequence, too', () => {
  it.each([
    ['its head is zeros', new Uint8Array(HEAD)],
    ['its items alone are gone', fileType('avis', 'msf1', 'avif')],
  ])('comes back as its first picture where %s, and is not called repaired', async (_, head) => {
    const { report, bytes } = await repairPhoto(sequence(head), 'avif')
    expect(report).toMatchObject({ kind: 'photo', verdict: 'partial', extension: 'avif' })
    expect((report.doubts ?? []).map(({ code }) => code)).toContain('frames')
    const parts = await heifParts(bytes)
    expect(parts?.shape).toBe('32x24 av01 tiles 1')
    expect(bytes.slice(...(parts?.units[0]?.[0] ?? [0, 0]))).toEqual(PICTURE)
  })

  it('is a recording where nothing says that it is a photo', () => {
    const reader = new ByteReader(new MemorySource(sequence(fileType('avis', 'msf1'))))
    expect(identify({ reader, extension: '' })?.name).toBe('isobmff')
  })

  it('is a recording where it says that it is a sequence alone and its meta box has no items', () => {
    const handler = Buffer.from('\0\0\0\x2dmeta\0\0\0\0\0\0\0\x21hdlr\0\0\0\0\0\0\0\0pict', 'latin1')
    const meta = joined(handler, new Uint8Array(0x2d - handler.length))
    const nameOf = (file: Uint8Array): string | undefined =>
      identify({ reader: new ByteReader(new MemorySource(file)), extension: 'avif' })?.name
    expect(nameOf(sequence(joined(fileType('avis', 'msf1'), meta)))).toBe('isobmff')
    expect(nameOf(sequence(joined(fileType('avis', 'msf1', 'avif'), meta)))).toBe('heif')
    expect(nameOf(joined(fileType('avis', 'msf1'), meta))).toBe('heif')
  })

  it('is a recording where its tracks are of a film', () => {
    const reader = new ByteReader(new MemorySource(sequence(fileType('avis', 'msf1', 'avif'), 'vide')))
    expect(identify({ reader, extension: '' })?.name).toBe('isobmff')
  })

  it.each([
    ['is none', (bytes: Uint8Array) => Uint8Array.from(bytes).fill(0x55, bytes.length - PICTURE.length)],
    ['breaks off', (bytes: Uint8Array) => bytes.slice(0, -10)],
  ])('does not come back as what its tracks say is a picture where that %s', async (_, damage) => {
    const { report } = await repairPhoto(damage(sequence(new Uint8Array(HEAD))), 'avif')
    expect(report.strategies.map(({ name }) => name)).not.toContain('first-of-sequence')
  })

  it('does not come back as the sound that was stored with it', async () => {
    const { report } = await repairPhoto(sequence(new Uint8Array(HEAD), 'soun'), 'heic')
    expect(report).toMatchObject({ kind: 'photo', verdict: 'partial' })
  })
})

describe('a photo beside whose items a sequence is told of', () => {
  const PHOTO = gridPhoto('here', fileType('avis', 'msf1', 'mif1', 'avif'))
  const rest = new Uint8Array(500).fill(7)
  /** The payload with 500 bytes of a sequence more, of which so many are there. */
  const withRest = (there: number): Uint8Array => {
    const bytes = joined(PHOTO, rest.subarray(0, there))
    const at = Buffer.from(bytes).indexOf('mdat') - 4
    const view = new DataView(bytes.buffer)
    view.setUint32(at, view.getUint32(at) + rest.length)
    return bytes
  }

  it('is healthy where all is there', async () => {
    expect((await repairPhoto(withRest(500), 'avif')).report).toMatchObject({ verdict: 'healthy' })
  })

  it.each([
    ['----', 'healthy'],
    ['mpvd', 'partial'],
  ])(
    'with bytes behind it that would be a box %s, longer than what is there, is %s',
    async (type, verdict) => {
      const behind = Buffer.from(`\r\n--${type}of another kind`, 'latin1')
      const { report } = await repairPhoto(joined(gridPhoto('here'), behind), 'avif')
      expect(report).toMatchObject({ verdict })
    },
  )

  /** The photo of such a type, of whose items none is named as the one that is shown. */
  const unnamed = (...brands: readonly string[]): Uint8Array => {
    const bytes = Buffer.from(gridPhoto('here', fileType(...brands)))
    bytes.write('free', bytes.indexOf('pitm'), 'latin1')
    return Uint8Array.from(bytes)
  }

  it('needs none of them named as the one that is shown where its type claims the sequence alone', async () => {
    expect((await repairPhoto(unnamed('avis', 'msf1', 'miaf'), 'avif')).report).toMatchObject({
      verdict: 'healthy',
    })
  })

  it('has the only one that is no part of another named where its type claims such a picture', async () => {
    const { report, bytes } = await repairPhoto(unnamed('avif', 'mif1'), 'avif')
    expect(report).toMatchObject({ verdict: 'repaired', pictures: [{ width: 64, recovered: 2, lost: 0 }] })
    expect((await repairPhoto(bytes, 'avif')).report).toMatchObject({ verdict: 'healthy' })
  })

  it('is not where the sequence breaks off, and comes back as a photo that claims none', async () => {
    const { report, bytes } = await repairPhoto(withRest(200), 'avif')
    expect(report).toMatchObject({ verdict: 'partial', pictures: [{ recovered: 2, lost: 0 }] })
    expect((report.doubts ?? []).map(({ code }) => code)).toEqual(['frames'])
    expect(Buffer.from(bytes.subarray(0, 24)).toString('latin1')).toBe('\0\0\0\x18ftypavif\0\0\0\0mif1avif')
    expect((await repairPhoto(bytes, 'avif')).report).toMatchObject({ verdict: 'healthy' })
  })

  it('is told of by its type alone: without one, bytes that its last box lacks are none of the photo', async () => {
    const open = gridPhoto('here')
    const at = Buffer.from(open).indexOf('mdat') - 4
    const view = new DataView(open.buffer)
    view.setUint32(at, view.getUint32(at) + 300)
    expect((await repairPhoto(open, 'avif')).report).toMatchObject({ verdict: 'healthy' })
  })

  it('keeps its own type where it claims no sequence', () => {
    const own = fileType('mif1', 'heic')
    expect(withoutSequences(own)).toBe(own)
    expect(withoutSequences(fileType('msf1', 'iso8'))).toEqual(
      Uint8Array.from(Buffer.from('\0\0\0\x14ftypmif1\0\0\0\0iso8', 'latin1')),
    )
  })
})

describe('a photo with a sample', () => {
  const PHOTO = gridPhoto('here')
  const damaged = async (): Promise<Uint8Array> => {
    const bytes = Uint8Array.from(PHOTO)
    for (const [from, to] of (await heifParts(PHOTO))?.structures ?? []) bytes.fill(0, from, to)
    return bytes
  }

  it('has its grid, whose one tile stands in two places, and its transparency again', async () => {
    const { report, bytes } = await repairPhoto(await damaged(), 'avif', gridPhoto('there'))
    expect(report).toMatchObject({ verdict: 'partial', pictures: [{ recovered: 2, lost: 0 }] })
    expect((await heifParts(bytes))?.shape).toBe('64x24 av01 tiles 2')
    const { meta } = await assess(new ByteReader(new MemorySource(bytes)), DEFAULT_LIMITS, SILENT)
    expect([...(meta?.items.values() ?? [])].map(({ id, type }) => `${id} ${type}`).sort()).toEqual([
      '1 grid',
      '2 av01',
      '3 av01',
    ])
    expect(meta?.references).toContainEqual({ type: 'auxl', from: 3, to: [1] })
    const text = Buffer.from(bytes).toString('latin1')
    expect([text.includes('name 2'), text.includes('there')]).toEqual([true, false])
  })

  it('is healthy where its last box says no size', async () => {
    const reader = (bytes: Uint8Array): ByteReader => new ByteReader(new MemorySource(bytes))
    const type = fileType('avif', 'mif1').length
    const open = Uint8Array.from(PHOTO)
    const size = reader(open).u32(type)
    const moved = joined(open.slice(0, type), open.slice(type + size), open.slice(type, type + size))
    new DataView(moved.buffer).setUint32(moved.length - size, 0)
    const { meta } = await assess(reader(moved), DEFAULT_LIMITS, SILENT)
    expect(meta?.items.size).toBe(3)
  })
})
