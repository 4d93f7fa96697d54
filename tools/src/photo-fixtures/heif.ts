import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BoxWriter } from '@mendframe/engine/testing'
import { FF_ENCODER_LIBX265 } from 'node-av/constants'
import { encode } from '../video-streams/encode.ts'

/**
 * `node tools/src/photo-fixtures/heif.ts`: makes the contract suite's HEIC photos anew, the same every time: a grid of tiles as
 * phones write it, a smaller version and something beside the picture; another photo of the same settings as its sample.
 */
const FOLDER = fileURLToPath(new URL('../../../packages/engine/testing/fixtures/heif', import.meta.url))
const TILE = 128
const COLUMNS = 3
const ROWS = 2
const TILES = COLUMNS * ROWS

const { packets, config } = encode({
  name: 'tiles',
  codec: 'hevc',
  encoder: FF_ENCODER_LIBX265,
  options: {
    preset: 'medium',
    'x265-params': 'crf=10:frame-threads=1:log-level=none:info=0:keyint=1:bframes=0',
  },
  ...{ width: TILE, height: TILE, pictures: 2 * (TILES + 1), gop: 1, container: 'mp4' },
})

/** The slices of a picture alone, as cameras store it: parameter sets stand in the properties. */
function slices(bytes: Uint8Array): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const kept: number[] = []
  for (let at = 0; at < bytes.length; ) {
    const size = 4 + view.getUint32(at)
    if (bytes[at + 4] >> 1 < 32) kept.push(...bytes.subarray(at, at + size))
    at += size
  }
  return Uint8Array.from(kept)
}

interface Part {
  readonly id: number
  readonly type: string
  readonly bytes: Uint8Array
  readonly properties: readonly number[]
}

/** A HEIC photo, ISO/IEC 23008-12:2022 §6.6.2.3: tiles 1 to n, the grid, a smaller version, Exif data. */
function photo(number: number): Uint8Array {
  const grid = TILES + 1
  const parts: Part[] = []
  for (let i = 0; i < TILES; i++)
    parts.push({
      id: i + 1,
      type: 'hvc1',
      bytes: slices(packets[number * (TILES + 1) + i].bytes),
      properties: [1, 2],
    })
  parts.push({
    id: grid + 1,
    type: 'hvc1',
    bytes: slices(packets[number * (TILES + 1) + TILES].bytes),
    properties: [1, 2],
  })
  parts.push({
    id: grid + 2,
    type: 'Exif',
    bytes: new TextEncoder().encode(`photo ${number}`),
    properties: [],
  })
  const writer = new BoxWriter()
  writer.box('ftyp', () => {
    writer.fourcc('heic')
    writer.u32(0)
    for (const brand of ['mif1', 'heic']) writer.fourcc(brand)
  })
  const places: number[] = []
  writer.fullBox('meta', 0, 0, () => {
    writer.fullBox('hdlr', 0, 0, () => {
      writer.u32(0)
      writer.fourcc('pict')
      writer.zeros(13)
    })
    writer.fullBox('pitm', 0, 0, () => writer.u16(grid))
    writer.fullBox('iinf', 0, 0, () => {
      writer.u16(parts.length + 1)
      for (const { id, type } of [...parts, { id: grid, type: 'grid' }])
        writer.fullBox('infe', 2, 0, () => {
          writer.u16(id)
          writer.u16(0)
          writer.fourcc(type)
          writer.u8(0)
        })
    })
    writer.fullBox('iref', 0, 0, () => {
      const reference = (type: string, from: number, to: readonly number[]): number =>
        writer.box(type, () => {
          writer.u16(from)
          writer.u16(to.length)
          for (const id of to) writer.u16(id)
        })
      reference(
        'dimg',
        grid,
        Array.from({ length: TILES }, (_, i) => i + 1),
      )
      reference('thmb', grid + 1, [grid])
      reference('cdsc', grid + 2, [grid])
    })
    writer.box('iprp', () => {
      writer.box('ipco', () => {
        const size = (width: number, height: number): number =>
          writer.fullBox('ispe', 0, 0, () => {
            writer.u32(width)
            writer.u32(height)
          })
        writer.box('hvcC', () => writer.raw(config))
        size(TILE, TILE)
        size(TILE * COLUMNS, TILE * ROWS)
      })
      writer.fullBox('ipma', 0, 0, () => {
        const described = [
          ...parts.filter(({ properties }) => properties.length > 0),
          { id: grid, properties: [3] },
        ]
        writer.u32(described.length)
        for (const { id, properties } of described) {
          writer.u16(id)
          writer.u8(properties.length)
          for (const property of properties) writer.u8(property | (property === 1 ? 0x80 : 0))
        }
      })
    })
    writer.box('idat', () => {
      for (const byte of [0, 0, ROWS - 1, COLUMNS - 1]) writer.u8(byte)
      writer.u16(TILE * COLUMNS)
      writer.u16(TILE * ROWS)
    })
    writer.fullBox('iloc', 1, 0, () => {
      writer.u16(0x4400)
      writer.u16(parts.length + 1)
      for (const { id, bytes } of parts) {
        writer.u16(id)
        writer.u16(0)
        writer.u16(0)
        writer.u16(1)
        places.push(writer.length)
        writer.u32(0)
        writer.u32(bytes.length)
      }
      writer.u16(grid)
      writer.u16(1)
      writer.u16(0)
      writer.u16(1)
      writer.u32(0)
      writer.u32(8)
    })
  })
  writer.box('mdat', () => {
    for (const [i, { bytes }] of parts.entries()) {
      writer.patch32(places[i], writer.length)
      writer.raw(bytes)
    }
  })
  return writer.bytes().slice()
}

mkdirSync(FOLDER, { recursive: true })
writeFileSync(join(FOLDER, 'grid.heic'), photo(0))
writeFileSync(join(FOLDER, 'grid.sample.heic'), photo(1))
