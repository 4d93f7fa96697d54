import { describe, expect, it } from 'vitest'
import { readDescription, readVerification } from '../src/answers.ts'
import { RendererError } from '../src/errors.ts'
import { samplesDeclared } from '../src/media/declared.ts'
import { uprightFilters } from '../src/media/rotation.ts'
import { kindOfPhoto, type PhotoKind } from '../src/photo/kind.ts'
import {
  escapeUnit,
  joinPrefixed,
  lengthPrefixed,
  startCoded,
  unescapeUnit,
} from '../src/tasks/enhance/nal.ts'

describe('what decodes a photo', () => {
  const at = (place: number, text: string, length = 32): Buffer => {
    const head = Buffer.alloc(length)
    head.write(text, place, 'latin1')
    return head
  }
  const bitmap = (size: number): Buffer => {
    const head = at(0, 'BM')
    head[14] = size
    return head
  }
  const RAWS = 'dng cr2 nef nrw arw sr2 srf orf rw2 pef srw erf kdc dcr 3fr iiq gpr'.split(' ')
  const BRANDS = 'heic heix heim heis hevc hevx mif1 msf1'.split(' ')

  it.each<[PhotoKind, string, Buffer]>([
    ...RAWS.flatMap((name): [PhotoKind, string, Buffer][] => [
      ['tiff-raw', name, at(0, 'II*\0')],
      ['tiff-raw', name, at(0, 'MM\0+')],
    ]),
    ...BRANDS.map((name): [PhotoKind, string, Buffer] => ['heif', 'jpg', at(4, `ftyp${name}`)]),
    ...[12, 40, 52, 56, 64, 108, 124].map((size): [PhotoKind, string, Buffer] => ['bmp', '', bitmap(size)]),
    ['bmp', 'bmp', bitmap(7)],
    ['unknown', 'txt', bitmap(7)],
    ['common', 'tif', at(0, 'II*\0')],
    ['common', 'tif', at(0, 'MM\0*')],
    ['common', 'tif', at(0, 'II+\0')],
    ['raw', 'tif', at(0, 'IIRO')],
    ['raw', 'tif', at(0, 'MM*\0')],
    ['raw', 'cr3', at(4, 'ftypcrx ')],
    ['common', 'avif', at(0, '\0\0\0\x14ftypavif')],
    ['common', 'avif', at(0, '\0\0\0\x14ftypavis')],
    ['common', 'heic', Buffer.concat([at(0, '\0\0\x01\x10ftypmif1', 260), Buffer.from('avif')])],
    ['unknown', 'mp4', at(4, 'ftypisom')],
    ['raw', 'raf', at(0, 'FUJIFILMCCD-RAW')],
    ['raw', 'mrw', at(0, '\0MRM')],
    ['raw', 'crw', at(6, 'HEAPCCDR')],
    ['raw', 'x3f', at(0, 'FOVb')],
    ['common', '', at(0, '\xff\xd8')],
    ['unknown', 'jpg', at(0, '\xff\xd9')],
    ['unknown', 'jpg', at(0, '\xfe\xd8')],
    ['common', '', at(1, 'PNG')],
    ['common', '', at(0, 'GIF8')],
    ['common', '', at(8, 'WEBP')],
    ['unknown', 'jpg', at(0, 'Dear')],
  ])('is %s of a %s that begins with %j', (kind, extension, head) => {
    expect(kindOfPhoto(head, extension)).toBe(kind)
  })
})

describe('an answer of the process that decodes', () => {
  const track = { kind: 'video', codec: 'h264', packets: 3, frames: 2, errors: 1 }
  const told = {
    ...{ ...track, unchecked: true, duration: 2, width: 4, height: 3, pixelFormat: 'gray', declared: '4x4' },
    ...{
      faults: [
        { start: 1, end: 2, units: 1 },
        { start: 2, end: 3, units: 1, likely: true },
      ],
    },
  }
  const sound = { ...track, kind: 'audio', sampleRate: 8000, channels: 1 }
  const whole = { decodable: true, duration: 1, tracks: [told, sound, track] }
  const stream = { kind: 'text', codec: 'x', duration: 1 }
  const more = { kind: 'data', width: 1, height: 2, frameRate: 3, sampleRate: 4, channels: 5 }
  const description = { container: 'mp4', duration: 9, streams: [stream, { ...stream, ...more }] }

  it('is taken field by field', () => {
    expect(readVerification({ ...whole, other: 1 })).toEqual(whole)
    expect(readVerification({ ...whole, decodable: 1, unchecked: 'why' })).toEqual({
      ...{ ...whole, decodable: false, unchecked: 'why' },
    })
    expect(readDescription({ ...description, other: 1 })).toEqual(description)
    const odd = { ...track, unchecked: 1, faults: [{ start: 0, end: 0, units: 0, likely: 1 }] }
    const [read] = readVerification({ ...whole, tracks: [odd] }).tracks
    expect(read).toEqual({ ...track, faults: [{ start: 0, end: 0, units: 0 }] })
  })

  it.each<[string, unknown]>([
    ['no record', []],
    ['no duration', { ...whole, duration: '1' }],
    ['no number', { ...whole, duration: Number.NaN }],
    ['no list', { ...whole, tracks: {} }],
    ...Object.keys(told).map((name): [string, unknown] => [
      `another ${name}`,
      { ...whole, tracks: [{ ...told, [name]: name === 'unchecked' ? 1 : name === 'faults' ? [7] : [] }] },
    ]),
  ])('with %s is nonsense', (what, answer) => {
    if (what === 'another unchecked')
      expect(readVerification(answer).tracks[0]).not.toHaveProperty('unchecked')
    else expect(() => readVerification(answer)).toThrow(RendererError)
  })
})

describe('units of pictures', () => {
  const of = (...units: number[][]): Buffer[] => units.map((unit) => Buffer.from(unit))

  it('are told apart by their lengths, or by start codes, up to where those make no sense', () => {
    const bytes = joinPrefixed(of([1, 2], [3]), 2)
    expect([...bytes]).toEqual([0, 2, 1, 2, 0, 1, 3])
    expect(lengthPrefixed(bytes, 2)).toEqual(of([1, 2], [3]))
    expect(lengthPrefixed(bytes.subarray(0, 6), 2)).toEqual(of([1, 2]))
    expect(lengthPrefixed(Buffer.from([1, 7, 0, 1, 8]), 1)).toEqual(of([7]))
    expect(() => joinPrefixed([Buffer.alloc(256)], 1)).toThrow('too short')
    expect(joinPrefixed([Buffer.alloc(255)], 1)).toHaveLength(256)
    expect(startCoded(Buffer.from([9, 0, 0, 1, 1, 2, 0, 0, 0, 1, 0, 0, 1, 3, 0]))).toEqual(of([1, 2], [3]))
  })

  it.each([
    [
      [0, 0, 3, 1],
      [0, 0, 1],
    ],
    [
      [0, 0, 3, 0, 0, 3, 3, 4],
      [0, 0, 0, 0, 3, 4],
    ],
    [
      [0, 3, 0, 0, 4],
      [0, 3, 0, 0, 4],
    ],
  ])('%j carry %j', (unit, payload) => {
    expect([...unescapeUnit(Buffer.from(unit))]).toEqual(payload)
    expect([...escapeUnit(Buffer.from(payload))]).toEqual(unit)
  })
})

it.each<[string, number[], string | undefined]>([
  ['h264', [1, 66], '4:2:0 8'],
  ['h264', [1, 88], '4:2:0 8'],
  ['h264', [1, 100], undefined],
  ['h264', [0, 66], undefined],
  ['hevc', [1, 0x61, ...Array(14).fill(0), 0xff, 0xfa, 0xf8], '4:2:0 10'],
  ['hevc', [1, 4, ...Array(14).fill(0), 0xfe, 0xfc, 0xf8], '4:2:2 12'],
  ['hevc', [1, 4, ...Array(14).fill(0), 0xfe, 0xfc], undefined],
  ['av1', [0x81, 0, 0x0c, 0], '4:2:0 8'],
  ['av1', [0x81, 0, 0x48, 0], '4:2:2 10'],
  ['av1', [0x81, 0, 0x60, 0], '4:4:4 12'],
  ['av1', [0x81, 0, 0x1c, 0], '4:0:0 8'],
  ['av1', [0x81, 0, 0x1c], undefined],
  ['vp9', [1, 66, 0, 0], undefined],
])('a configuration of %s, %j, declares samples of %s', (codec, record, told) => {
  const found = samplesDeclared(codec, Uint8Array.from(record))
  expect(found && `${found.colour} ${found.depth}`).toBe(told)
})

it.each<[string, number[]]>([
  ['', [1, 0, 0, 0, 1]],
  ['hflip,vflip,', [-1, 0, 0, 0, -1]],
  ['hflip,', [-1, 0, 0, 0, 1]],
  ['vflip,', [1, 0, 0, 0, -1]],
  ['transpose=clock,', [0, 1, 0, -1, 0]],
  ['transpose=cclock,', [0, -1, 0, 1, 0]],
  ['', [0, 1, 0, 1, 0]],
  ['', [0, -1, 0, -1, 0]],
  ['', [0, 0, 0, -1, 0]],
  ['', [0, 1, 0, 0, 0]],
  ['', [1, 0, 0, -1, 0]],
  ['', [1, 1, 0, 0, 1]],
  ['', [-1, 0, 0, 1, -1]],
  ['', [-1, 0, 0, 0]],
])('pictures are turned upright by %j where they are stored with %j', (filters, numbers) => {
  const matrix = Buffer.alloc(4 * numbers.length)
  for (const [i, value] of numbers.entries()) matrix.writeInt32LE(value * 65_536, 4 * i)
  const of = (data: Buffer | null) =>
    uprightFilters({ codecpar: { getCodedSideData: () => data } } as unknown as Parameters<
      typeof uprightFilters
    >[0])
  expect([of(matrix), of(null)]).toEqual([filters, ''])
})
