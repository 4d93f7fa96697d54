import { describe, expect, it } from 'vitest'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { channelsOf, sequenceOf } from '../../../src/formats/heif/read/av1-record.ts'
import { checkAv1Item } from '../../../src/formats/heif/read/obu-items.ts'
import { heifParts } from '../../../testing/photos/photo-parts.ts'
import { repairPhoto } from '../../../testing/photos/repair-photo.ts'
import { gridPhoto, PICTURE } from './avif-parts.ts'

/** A gradient of 32 by 24 pixels, as sharp writes it. */
const PHOTO = Uint8Array.from(
  Buffer.from(
    [
      'AAAAHGZ0eXBhdmlmAAAAAG1pZjFhdmlmbWlhZgAAANZtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAA',
      'ACJpbG9jAAAAAERAAAEAAQAAAAAA+gABAAAAAAAAAHUAAAAjaWluZgAAAAAAAQAAABVpbmZlAgAAAAABAABhdjAxAAAAAA5waXRt',
      'AAAAAAABAAAAVmlwcnAAAAA4aXBjbwAAAAxhdjFDgSACAAAAABRpc3BlAAAAAAAAACAAAAAYAAAAEHBpeGkAAAAAAwgICAAAABZp',
      'cG1hAAAAAAAAAAEAAQOBAgMAAAB9bWRhdBIACgg4ET92kBDQaTJnHEJi5OPPfIFgCADE36vVyKgxJSzN0EjJ+PazcA7XoA62gRYP',
      'qSbCeZg10XHGxcdv/8UmSez15596HzINNDicTm4P9C6oqAAruEJ9+EEVSiXUNYnlzkfe/VZHEdOoX22Vs5PrsEXAgA==',
    ].join(''),
    'base64',
  ),
)

const repaired = (damaged: Uint8Array, sample?: Uint8Array) => repairPhoto(damaged, 'avif', sample)

async function withoutStructures(photo: Uint8Array): Promise<Uint8Array> {
  const bytes = Uint8Array.from(photo)
  for (const [from, to] of (await heifParts(photo))?.structures ?? []) bytes.fill(0, from, to)
  return bytes
}

async function pictureOf(photo: Uint8Array): Promise<Uint8Array> {
  const [range] = (await heifParts(photo))?.units.flat() ?? []
  return photo.slice(...(range ?? [0, 0]))
}

describe('an AV1 photo whose picture is not where its structures say', () => {
  it('is no healthy one, and is found where it is', async () => {
    const at = PHOTO.length - (await pictureOf(PHOTO)).length - 4
    const damaged = Uint8Array.from([
      ...PHOTO.subarray(0, at),
      ...Array.from({ length: 40 }, (_, i) => 0x91 + i),
      ...PHOTO.subarray(at),
    ])
    const { report, bytes } = await repaired(damaged)
    expect(report.verdict).toBe('partial')
    expect(await pictureOf(bytes)).toEqual(await pictureOf(PHOTO))
  })
})

describe('an AV1 photo that is whole but for one property', () => {
  it.each(['ispe', 'av1C'])('has %s again by what its picture tells', async (type) => {
    const damaged = Uint8Array.from(PHOTO)
    damaged.set(Buffer.from('free', 'latin1'), Buffer.from(PHOTO.buffer).indexOf(type))
    const { report, bytes } = await repaired(damaged)
    expect(report.findings.map(({ code }) => code)).toEqual(['heif.property-lacking'])
    expect(report).toMatchObject({ verdict: 'partial', pictures: [{ total: 1, recovered: 1 }] })
    expect(await pictureOf(bytes)).toEqual(await pictureOf(PHOTO))
    const again = await repaired(bytes)
    expect(again.report).toMatchObject({ verdict: 'healthy', pictures: [{ width: 32, height: 24 }] })
    const text = Buffer.from(bytes).toString('latin1')
    for (const kept of ['ispe', 'av1C', 'pixi']) expect(text).toContain(kept)
  })
})

it('an AV1 picture of a few pixels tells its size where its header stands first, and not further on', () => {
  const small = Uint8Array.from(PICTURE)
  // the five bits of its width in pixels less one
  small[6] = 0x0f
  const told = (bytes: Uint8Array) =>
    sequenceOf(new ByteReader(new MemorySource(bytes)), { offset: 0, length: bytes.length })
  expect(told(PICTURE)).toMatchObject({ width: 32, height: 24 })
  expect(told(small)).toMatchObject({ width: 8, height: 24 })
  expect(told(Uint8Array.from([...new Uint8Array(200), ...small]))).toBeUndefined()
})

describe('an AV1 photo whose picture is not whole', () => {
  const verdictOf = async (photo: Uint8Array): Promise<string> => (await repaired(photo)).report.verdict

  it.each([
    ['a hole', Uint8Array.from(PHOTO).fill(0, PHOTO.length - 50, PHOTO.length - 10)],
    ['no end', PHOTO.slice(0, PHOTO.length - 40)],
  ])('with %s is one that decoders read to its end, and is in doubt', async (_, damaged) => {
    const { report, bytes } = await repaired(damaged)
    expect(report).toMatchObject({ verdict: 'partial', pictures: [{ total: 1, recovered: 0 }] })
    expect(report.doubts?.map(({ code }) => code)).toContain('areas-lost')
    expect(await verdictOf(bytes)).toBe('healthy')
    const kept = (await pictureOf(PHOTO)).length - 54
    expect((await pictureOf(bytes)).slice(0, kept)).toEqual((await pictureOf(PHOTO)).slice(0, kept))
  })
})

describe('an AV1 photo whose pixels were hit', () => {
  const hit = (photo: Uint8Array): Uint8Array => {
    const bytes = Uint8Array.from(photo)
    bytes[photo.length - 60] ^= 0x10
    return bytes
  }

  it('is told by its symbols, and comes out as it is', async () => {
    const { report, bytes } = await repaired(hit(PHOTO))
    expect(report).toMatchObject({ verdict: 'partial', pictures: [{ total: 1, recovered: 0 }] })
    expect(report.findings.map(({ code }) => code)).toEqual(['heif.item-broken'])
    expect(report.doubts?.map(({ code }) => code)).toEqual(['areas-lost'])
    expect(await pictureOf(bytes)).toEqual(await pictureOf(hit(PHOTO)))
  })

  it('is told where its structures are lost, too, with a sample or without', async () => {
    const damaged = hit(await withoutStructures(PHOTO))
    for (const sample of [undefined, PHOTO]) {
      const { report } = await repaired(damaged, sample)
      expect(report.pictures[0]).toMatchObject({ total: 1, recovered: 0 })
      expect(report.doubts?.map(({ code }) => code)).toContain('areas-lost')
    }
  })

  it('is told where its picture lies in two parts', async () => {
    const photo = Buffer.from(inTwoParts(PHOTO, (await pictureOf(PHOTO)).length))
    expect((await repaired(photo)).report.verdict).toBe('healthy')
    expect((await repaired(hit(photo))).report.findings.map(({ code }) => code)).toEqual(['heif.item-broken'])
  })
})

/** A photo whose one item is told to lie in two parts, the first of 20 bytes: its `iloc` box grows by eight. */
function inTwoParts(photo: Uint8Array, length: number): Uint8Array {
  const bytes = Buffer.from(photo)
  const at = bytes.indexOf('iloc')
  const more = Buffer.alloc(8)
  // where its bytes begin, how many parts there are, and how long the first one is
  bytes.writeUInt32BE(bytes.readUInt32BE(at + 16) + more.length, at + 16)
  bytes.writeUInt16BE(2, at + 20)
  bytes.writeUInt32BE(20, at + 26)
  more.writeUInt32BE(20, 0)
  more.writeUInt32BE(length - 20, 4)
  for (const box of [at, bytes.indexOf('meta')]) bytes.writeUInt32BE(bytes.readUInt32BE(box - 4) + 8, box - 4)
  return Uint8Array.from(Buffer.concat([bytes.subarray(0, at + 30), more, bytes.subarray(at + 30)]))
}

describe('an AV1 photo whose structures are lost', () => {
  it('tells by its own sequence header how it is coded and how large it is', async () => {
    const { report, bytes } = await repaired(await withoutStructures(PHOTO))
    expect(report.verdict).toBe('partial')
    expect(report.pictures[0]).toMatchObject({ codec: 'AV1', width: 32, height: 24, recovered: 1 })
    expect(report.pictures[0].rebuilt).toEqual([{ part: 'file type and items', from: 'file' }])
    expect((report.doubts ?? []).map(({ code }) => code)).toEqual(['orientation', 'metadata'])
    expect(await pictureOf(bytes)).toEqual(await pictureOf(PHOTO))
    expect(await heifParts(bytes)).toMatchObject({ healthy: true, shape: '32x24 av01 tiles 1' })
  })

  it('has as many bits as its sequence header says', async () => {
    const deep = Uint8Array.from(PHOTO)
    // high_bitdepth, AV1 specification §5.5.2
    deep[PHOTO.length - (await pictureOf(PHOTO)).length + 8] ^= 0x20
    const { bytes } = await repaired(await withoutStructures(deep))
    const at = Buffer.from(bytes).indexOf('pixi')
    expect([...bytes.subarray(at + 8, at + 12)]).toEqual([3, 10, 10, 10])
  })

  it('is not put together where several pictures of its size may be its tiles', async () => {
    const damaged = await withoutStructures(PHOTO)
    const { report } = await repaired(Uint8Array.from([...damaged, ...(await pictureOf(PHOTO))]))
    expect(report.verdict).toBe('unrepairable')
  })

  it('is described as a sample is', async () => {
    const { report, bytes } = await repaired(await withoutStructures(PHOTO), PHOTO)
    expect(report.sample?.used).toEqual(['codec configuration', 'tile layout'])
    expect(await pictureOf(bytes)).toEqual(await pictureOf(PHOTO))
  })

  it('is not described as a sample of another level is', async () => {
    const other = Uint8Array.from(PHOTO)
    const from = PHOTO.length - (await pictureOf(PHOTO)).length
    // in the sequence header
    other[from + 2] ^= 0x08
    const { report } = await repaired(await withoutStructures(PHOTO), other)
    expect(report.pictures[0].rebuilt).toEqual([{ part: 'file type and items', from: 'file' }])
  })
})

describe('a photo that lays pictures over each other', () => {
  it('comes back whole where its beginning is gone: what it is put together from shows that all is in its place', async () => {
    const photo = Buffer.from(gridPhoto('here'))
    photo.write('iovl', photo.indexOf('grid'), 'latin1')
    const { report, bytes } = await repaired(Uint8Array.from(photo).fill(0, 0, 8))
    expect(report).toMatchObject({ verdict: 'partial', pictures: [{ recovered: 1, lost: 0 }] })
    expect((await repaired(bytes)).report.verdict).toBe('healthy')
  })
})

describe('the record of an AV1 picture', () => {
  it.each([
    [0x00, 8, 3],
    [0x10, 8, 1],
    [0x40, 10, 3],
    [0x70, 12, 1],
  ])('with the flags %i tells of %i bits and %i channels', (flags, depth, channels) => {
    expect(channelsOf(Uint8Array.of(0x81, 0, flags, 0))).toEqual({ depth, channels })
  })
})

describe('an AV1 picture held against its bytes', () => {
  const stateOf = (...parts: readonly Uint8Array[]): string => {
    const bytes = Uint8Array.from(parts.flatMap((part) => [...part]))
    return checkAv1Item(new ByteReader(new MemorySource(bytes)), 0, bytes.length)
  }
  // a delimiter of two bytes, a sequence header of ten, and a frame
  const [delimiter, sequence, frame] = [PICTURE.subarray(0, 2), PICTURE.subarray(2, 12), PICTURE.subarray(12)]

  it('is whole where its OBUs fill it, with an extension of their header or without', () => {
    expect(stateOf(delimiter, sequence, frame)).toBe('whole')
    expect(stateOf(Uint8Array.of(0x16, 0, 0), sequence, frame)).toBe('whole')
    expect(stateOf(delimiter, sequence, Uint8Array.of(frame[0] & ~2), frame.subarray(2))).toBe('whole')
  })

  it('is broken where they end in front of its end or behind it, or none is a frame', () => {
    expect(stateOf(delimiter, sequence, frame.subarray(0, -1))).toBe('broken')
    expect(stateOf(delimiter, sequence, frame, Uint8Array.of(0x91))).toBe('broken')
    expect(stateOf(delimiter, sequence)).toBe('broken')
  })
})
