import { describe, expect, it } from 'vitest'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { heif } from '../../../src/formats/heif/index.ts'
import { isSound } from '../../../src/formats/heif/read/sound-properties.ts'
import type { PhotoReport } from '../../../src/model/report.ts'
import { readBox } from '../../../src/syntax/iso-boxes/box.ts'
import { BoxWriter } from '../../../src/syntax/iso-boxes/box-writer.ts'
import { fixturesOf } from '../../../testing/contract/fixtures.ts'
import { repairPhoto } from '../../../testing/photos/repair-photo.ts'

const [{ bytes: PHOTO, sample: SAMPLE }] = fixturesOf(heif)

function sound(type: string, ...body: readonly number[]): boolean {
  const writer = new BoxWriter()
  writer.box(type, () => writer.raw(Uint8Array.from(body)))
  const reader = new ByteReader(new MemorySource(writer.bytes().slice()))
  const box = readBox(reader, 0, reader.size)
  if (!box) throw new Error('no box')
  return isSound(reader, box)
}

const ascii = (text: string): number[] => Array.from(text, (letter) => letter.charCodeAt(0))

/** An ICC profile of one tag, whose type is such. */
function profile(signature: string, type: number): number[] {
  const bytes = new Uint8Array(152)
  bytes.set(ascii(signature), 36)
  const view = new DataView(bytes.buffer)
  view.setUint32(128, 1)
  view.setUint32(136, 144)
  view.setUint32(140, 8)
  view.setUint32(144, type)
  return [...ascii('prof'), ...bytes]
}

describe('a property of a HEIF photo', () => {
  it.each([
    ['ispe', [0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0]],
    ['irot', [3], [4]],
    ['imir', [1], [2]],
    ['pixi', [0, 0, 0, 0, 3, 8, 8, 8], [0, 0, 0, 0, 3, 8, 8]],
    ['pixi', [0, 0, 0, 0, 1, 10], [0, 0, 0, 0, 0]],
    ['av1C', [0x81, 0x20, 0, 0], [0, 0x20, 0, 0]],
    ['auxC', [0, 0, 0, 0, ...ascii('urn:mpeg:hevc:2015:auxid:1'), 0], [0, 0, 0, 0, 0, ...ascii('rn:')]],
    ['colr', [...ascii('nclx'), 0, 1, 0, 13, 0, 6, 0x80], [...ascii('nclx'), 0, 1, 0, 13, 0, 6, 0x91]],
    ['colr', profile('acsp', 1), profile('bcsp', 1)],
    ['colr', profile('acsp', 1), profile('acsp', 0)],
    ['colr', ascii('prof'), [0, 0, 0, 0]],
    ['colr', [...ascii('nclc'), 0, 1, 0, 1, 0, 1], [0, 0, 0, 0, 0, 1, 0, 1, 0, 1]],
  ])('%s is told from what it cannot hold', (type, whole, hit) => {
    expect([sound(type, ...whole), sound(type, ...hit)]).toEqual([true, false])
  })

  it('of a type that is not known is left alone', () => expect(sound('abcd', 0, 0)).toBe(true))
})

/** A photo whose properties of a type are zeros. */
function without(type: string): Uint8Array {
  const damaged = Buffer.from(PHOTO)
  for (let at = damaged.indexOf(type); at >= 0; at = damaged.indexOf(type, at + 1))
    damaged.fill(0, at + 4, at - 4 + damaged.readUInt32BE(at - 4))
  return Uint8Array.from(damaged)
}

/** The bytes of the boxes of a type in a file, without those that repeat. */
function boxesOf(bytes: Uint8Array, type: string): string[] {
  const file = Buffer.from(bytes)
  const found = new Set<string>()
  for (let at = file.indexOf(type); at >= 0; at = file.indexOf(type, at + 1))
    found.add(file.toString('hex', at - 4, at - 4 + file.readUInt32BE(at - 4)))
  return [...found].sort()
}

describe('a photo whose properties are zeros', () => {
  it('has its sizes back by how its tiles are coded and its grid', async () => {
    const { report, bytes } = await repairPhoto(without('ispe'), 'heic')
    expect([report.verdict, report.findings.map(({ code }) => code)]).toEqual([
      'repaired',
      ['heif.header-broken', 'heif.header-broken'],
    ])
    expect(boxesOf(bytes, 'ispe')).toEqual(boxesOf(PHOTO, 'ispe'))
  })

  it('has the record of its tiles back by a sample, and all of its own beside them', async () => {
    const { report, bytes } = await repairPhoto(without('hvcC'), 'heic', SAMPLE)
    const [picture] = (report as PhotoReport).pictures
    expect([report.verdict, picture.recovered, picture.total]).toEqual(['partial', 6, 6])
    expect(report.strategies.map(({ name }) => name)).toEqual(['items'])
    expect(boxesOf(bytes, 'hvcC')).toEqual(boxesOf(SAMPLE ?? PHOTO, 'hvcC'))
    // that its symbols are read by it shows neither scaling lists nor offsets of quantisation
    expect(report.doubts?.map(({ code }) => code)).toContain('quantisation')
  })

  it('is refused where nothing tells how its tiles are coded', async () => {
    const { report } = await repairPhoto(without('hvcC'), 'heic')
    expect(report.verdict).toBe('unrepairable')
  })
})
