import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BoxWriter, drawPicture, noise, writePhoto } from '@mendframe/engine/testing'
import { type FieldValue, tiffDirectory } from './directory.ts'

/**
 * `node tools/src/photo-fixtures/cr3.ts`: makes the contract suite's CR3 photos anew, the same every time: the boxes that Canon's
 * cameras write, a JPEG picture, a small and a large raw one whose headers are right and whose detail is noise, and timed
 * metadata; another photo as a sample.
 */
const FOLDER = fileURLToPath(new URL('../../../packages/engine/testing/fixtures/cr3', import.meta.url))
const WIDTH = 192
const HEIGHT = 128
const UUIDS = {
  canon: '85c0b687820f11e08111f4ce462b6a48',
  xmp: 'be7acfcb97a942e89c71999491e3afac',
  preview: 'eaf42b5e1c984b88b9fbb7dc406e4d16',
}
const PLANES = 4
const BANDS = 10

function uuid(writer: BoxWriter, id: string, body: () => void): number {
  return writer.box('uuid', () => {
    for (let i = 0; i < id.length; i += 2) writer.u8(Number.parseInt(id.slice(i, i + 2), 16))
    body()
  })
}

/** Headers of tiles, planes and bands with as much noise behind them as they say. */
function crx(tiles: number, bandBytes: number, seed: number): Uint8Array {
  const writer = new BoxWriter()
  const header = (sign: number, bytes: number, number: number): void => {
    writer.u16(sign)
    writer.u16(8)
    writer.u32(bytes)
    writer.u32(number)
  }
  for (let tile = 0; tile < tiles; tile++) {
    header(0xff01, PLANES * BANDS * bandBytes, tile << 16)
    for (let plane = 0; plane < PLANES; plane++) {
      header(0xff02, BANDS * bandBytes, plane << 28)
      for (let band = 0; band < BANDS; band++) header(0xff03, bandBytes, band << 28)
    }
  }
  writer.raw(noise(tiles * PLANES * BANDS * bandBytes, seed))
  return writer.bytes().slice()
}

function track(writer: BoxWriter, entry: () => void, size: number, places: number[]): void {
  writer.box('trak', () => {
    writer.fullBox('tkhd', 0, 7, () => writer.zeros(80))
    writer.box('mdia', () => {
      writer.fullBox('mdhd', 0, 0, () => writer.zeros(20))
      writer.box('minf', () => {
        writer.box('stbl', () => {
          writer.fullBox('stsd', 0, 0, () => {
            writer.u32(1)
            entry()
          })
          writer.fullBox('stsz', 0, 0, () => {
            writer.u32(size)
            writer.u32(1)
          })
          writer.fullBox('co64', 0, 0, () => {
            writer.u32(1)
            places.push(writer.length)
            writer.i64(0)
          })
        })
      })
    })
  })
}

function craw(writer: BoxWriter, width: number, height: number, more: () => void): void {
  writer.box('CRAW', () => {
    writer.zeros(6)
    writer.u16(1)
    writer.zeros(16)
    writer.u16(width)
    writer.u16(height)
    writer.zeros(50)
    writer.u16(0xffff)
    writer.u32(0)
    more()
  })
}

function compression(writer: BoxWriter, width: number, height: number, tiles: number): void {
  writer.box('CMP1', () => {
    for (const value of [0xff00, 0x30, 0x0100, 0]) writer.u16(value)
    for (const value of [width, height, width / tiles, height]) writer.u32(value)
    for (const value of [14, 0x40, 3, 0]) writer.u8(value)
    writer.u32(tiles * 12 * (1 + PLANES * (1 + BANDS)))
    writer.zeros(32)
  })
}

function photo(number: number): Uint8Array {
  const jpeg = (width: number, height: number, quality: number): Uint8Array =>
    writePhoto(drawPicture(width, height, number), { sampling: [2, 1], quality, interval: 0 })
  const thumbnail = jpeg(32, 24, 40)
  const preview = jpeg(64, 48, 60)
  const records = new BoxWriter()
  for (const [type, bytes] of [
    [1, 12],
    [3, 8],
    [5, 24],
    [7, 300],
  ] as const) {
    const size = new Uint8Array(6)
    new DataView(size.buffer).setUint32(0, 6 + bytes, true)
    new DataView(size.buffer).setUint16(4, type, true)
    records.raw(size)
    records.raw(noise(bytes, number * 10 + type))
  }
  const parts = [
    jpeg(WIDTH, HEIGHT, 85),
    crx(1, 60 + number, number + 20),
    crx(2, 290 + 3 * number, number + 40),
    records.bytes().slice(),
  ]
  const writer = new BoxWriter()
  writer.box('ftyp', () => {
    for (const word of ['crx ', '\0\0\0\x01', 'crx ', 'isom']) writer.fourcc(word)
  })
  const places: number[] = []
  let offsets = 0
  writer.box('moov', () => {
    uuid(writer, UUIDS.canon, () => {
      writer.box('CNCV', () => writer.raw(new TextEncoder().encode('CanonCR3_001/00.09.00/00.00.00')))
      offsets = writer.box('CTBO', () => {
        writer.u32(4)
        for (let i = 1; i <= 4; i++) {
          writer.u32(i)
          writer.i64(0)
          writer.i64(0)
        }
      })
      const directories: readonly (readonly [string, ReadonlyMap<number, FieldValue>])[] = [
        [
          'CMT1',
          new Map<number, FieldValue>([
            ...([
              [256, { short: [WIDTH] }],
              [257, { short: [HEIGHT] }],
              [271, 'Canon'],
            ] as const),
            ...([
              [272, 'Canon EOS R'],
              [274, { short: [6] }],
              [306, `2026:01:0${number + 1} 10:00:00`],
            ] as const),
          ]),
        ],
        ['CMT2', new Map<number, FieldValue>([[0x9003, `2026:01:0${number + 1} 10:00:00`]])],
        [
          'CMT3',
          new Map<number, FieldValue>([
            [6, 'Canon EOS R'],
            [9, `owner ${number}`],
          ]),
        ],
        ['CMT4', new Map<number, FieldValue>([[29, `2026:01:0${number + 1}`]])],
      ]
      for (const [name, fields] of directories) writer.box(name, () => writer.raw(tiffDirectory(fields)))
      writer.fullBox('THMB', 0, 0, () => {
        writer.u16(32)
        writer.u16(24)
        writer.u32(thumbnail.length)
        writer.u16(1)
        writer.u16(0)
        writer.raw(thumbnail)
      })
    })
    writer.fullBox('mvhd', 0, 0, () => writer.zeros(96))
    track(
      writer,
      () => craw(writer, WIDTH, HEIGHT, () => writer.box('JPEG', () => writer.u32(0))),
      parts[0].length,
      places,
    )
    track(writer, () => craw(writer, 96, 64, () => compression(writer, 96, 64, 1)), parts[1].length, places)
    track(
      writer,
      () => craw(writer, WIDTH, HEIGHT, () => compression(writer, WIDTH, HEIGHT, 2)),
      parts[2].length,
      places,
    )
    track(writer, () => writer.box('CTMD', () => writer.zeros(12)), parts[3].length, places)
  })
  const sized = (index: number, start: number, size = writer.length - start): void => {
    const entry = offsets + 12 + 20 * index
    writer.patch64(entry + 4, start)
    writer.patch64(entry + 12, size)
  }
  sized(
    0,
    uuid(writer, UUIDS.xmp, () => writer.raw(new TextEncoder().encode('<x:xmpmeta/>'.padEnd(600)))),
  )
  sized(
    1,
    uuid(writer, UUIDS.preview, () => {
      writer.zeros(4)
      writer.u32(1)
      writer.box('PRVW', () => {
        writer.u32(0)
        for (const value of [1, 64, 48, 1]) writer.u16(value)
        writer.u32(preview.length)
        writer.raw(preview)
      })
    }),
  )
  const start = writer.length
  const total = parts.reduce((sum, { length }) => sum + length, 16)
  writer.u32(1)
  writer.fourcc('mdat')
  writer.i64(total)
  sized(2, start, total)
  for (const [i, part] of parts.entries()) {
    writer.patch64(places[i] ?? 0, writer.length)
    writer.raw(part)
  }
  return writer.bytes().slice()
}

mkdirSync(FOLDER, { recursive: true })
writeFileSync(join(FOLDER, 'eos.cr3'), photo(0))
writeFileSync(join(FOLDER, 'eos.sample.cr3'), photo(1))
