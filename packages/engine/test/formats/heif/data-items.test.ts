import { describe, expect, it } from 'vitest'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { checkExifItem, checkTextItem, exifTurn } from '../../../src/formats/heif/read/data-items.ts'
import { readBox } from '../../../src/syntax/iso-boxes/box.ts'
import { BoxWriter } from '../../../src/syntax/iso-boxes/box-writer.ts'

const ascii = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0))

/** An Exif item that says how the photo is turned, and where further facts are. */
function exif(turn: number, further: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(70)
  bytes.set([0, 0, 0, 6, ...ascii('Exif\0\0MM\0*'), 0, 0, 0, 8, 0, 2])
  bytes.set([0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, turn, 0, 0], 20)
  bytes.set([0x87, 0x69, 0, 4, 0, 0, 0, 1, 0, 0, 0, 38], 32)
  bytes.set([0, 1, ...further], 48)
  return bytes
}

const COLOUR_SPACE = [0xa0, 0x01, 0, 3, 0, 0, 0, 1, 0, 1, 0, 0]

function read(bytes: Uint8Array): ByteReader {
  return new ByteReader(new MemorySource(bytes))
}

describe('Exif data beside a photo', () => {
  const state = (bytes: Uint8Array): string => checkExifItem(read(bytes), 0, bytes.length)

  it('tell how it is turned', () => {
    const bytes = exif(6, COLOUR_SPACE)
    expect(state(bytes)).toBe('whole')
    expect(exifTurn(read(bytes), { offset: 0, length: bytes.length })).toBe(6)
  })

  it('are whole without the number in front that leads to them', () => {
    expect(state(exif(6, COLOUR_SPACE).subarray(10))).toBe('whole')
  })

  it('are whole with a number in front that does not count the letters of JPEG files', () => {
    const bytes = exif(6, COLOUR_SPACE).fill(0, 0, 4)
    expect(state(bytes)).toBe('whole')
    expect(exifTurn(read(bytes), { offset: 0, length: bytes.length })).toBe(6)
  })

  it.each([
    ['of which a directory is zeros', exif(6, [])],
    ['with a field of no type', exif(6, [0xa0, 0x01, 0, 99, 0, 0, 0, 1, 0, 1, 0, 0])],
    ['whose values lie behind them', exif(6, [0xa0, 0x01, 0, 2, 0, 0, 1, 0, 0, 0, 0, 60])],
    ['without their beginning', exif(6, COLOUR_SPACE).fill(0, 0, 16)],
  ])('%s are broken', (_, bytes) => expect(state(bytes)).toBe('broken'))

  it('are whole with a field that a writer left without values', () => {
    const makerNote = [0x92, 0x7c, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0]
    expect(state(exif(6, makerNote))).toBe('whole')
  })

  it('that have no room for any are left alone', () => expect(state(ascii('photo 0'))).toBe('whole'))

  it('that end behind the file are cut', () => expect(checkExifItem(read(exif(6, [])), 0, 71)).toBe('cut'))
})

describe('text beside a photo', () => {
  /** The state of text that an entry says to be of a type. */
  function state(type: string, text: Uint8Array): string {
    const writer = new BoxWriter()
    writer.fullBox('infe', 2, 0, () => {
      writer.u16(1)
      writer.u16(0)
      writer.fourcc('mime')
      writer.raw(ascii(`\0${type}\0`))
    })
    const entry = writer.bytes().slice()
    const reader = read(Uint8Array.from([...entry, ...text]))
    const box = readBox(reader, 0, entry.length)
    if (!box) throw new Error('no entry')
    return checkTextItem(reader, { offset: entry.length, length: text.length }, box)
  }
  const XMP = 'application/rdf+xml'

  it.each([
    ['XMP', XMP, ascii('<x>\r\n\t</x>'), 'whole'],
    ['XMP as it stands in JPEG files', XMP, ascii('http://ns.adobe.com/xap/1.0/\0<x/>\0'), 'whole'],
    ['XMP with zeros within', XMP, ascii('<x>\0\0</x>'), 'broken'],
    ['XMP of zeros', XMP, new Uint8Array(9), 'broken'],
    ['XMP that was packed', `${XMP}\0deflate`, Uint8Array.of(0x78, 0, 1), 'whole'],
    ['something else', 'application/octet-stream', Uint8Array.of(0, 1, 2), 'whole'],
  ])('(%s) is looked into where it is XMP', (_, type, text, expected) => {
    expect(state(type, text)).toBe(expected)
  })
})
