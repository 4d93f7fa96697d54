import { DEFAULT_LIMITS } from '../../../bytes/limits.ts'
import { ByteReader } from '../../../bytes/reader.ts'
import type { Region } from '../../../bytes/regions.ts'
import { MemorySource } from '../../../bytes/source.ts'
import { SILENT } from '../../../model/monitor.ts'
import { BoxWriter } from '../../../syntax/iso-boxes/box-writer.ts'
import { assess } from '../assess.ts'
import type { FromSample } from './found-photo.ts'

/** How a picture is coded that needs no other. */
export interface Coding {
  readonly codec: 'av01' | 'hvc1'
  readonly width: number
  readonly height: number
  /** The body of its `av1C` or `hvcC` record. */
  readonly config: Uint8Array
  /** Bits of a channel, 8 to 16, and how many of those there are. */
  readonly depth: number
  readonly channels: number
}

/** What tiles are put together to, in pixels, and how many of them lie side by side: 256 at most either way. */
export interface Canvas {
  readonly width: number
  readonly height: number
  readonly columns: number
  readonly rows: number
}

/**
 * File types with the main one first, and the record of a coding: ISO/IEC 23008-12:2022 Annex B, AV1 Image File Format §2 and §6.
 */
const KINDS = {
  av01: { brands: ['avif', 'mif1', 'miaf'], record: 'av1C' },
  hvc1: { brands: ['heic', 'mif1'], record: 'hvcC' },
} as const

/** A photo of one picture, whose structures are made for it; undefined where they describe none. */
export function onePicture(picture: Region, coding: Coding): Promise<FromSample | undefined> {
  return madePhoto([picture], coding, undefined, [])
}

/**
 * A photo of one picture or, on a canvas, of tiles in rows, whose structures are made for it. `shown`: boxes of further
 * properties, such as its colours and how it is turned. Undefined where the structures describe no picture.
 */
export async function madePhoto(
  places: readonly Region[],
  coding: Coding,
  canvas: Canvas | undefined,
  shown: readonly Uint8Array[],
): Promise<FromSample | undefined> {
  const reader = new ByteReader(new MemorySource(templateBytes(places.length, coding, canvas, shown)))
  const sample = await assess(reader, DEFAULT_LIMITS, SILENT)
  const { meta, picture, fileType } = sample
  if (!meta || !fileType || picture?.tiles.length !== places.length) return undefined
  const tiles = picture.tiles.map(({ item }, i) => ({ item, places: [places[i]] }))
  const whole = [...meta.items.values()].filter(({ inside }) => inside).map((item) => ({ item, places: [] }))
  return {
    sample,
    structures: { reader, meta, fileType: Uint8Array.from(reader.bytes(0, fileType.end)) },
    items: [...tiles, ...whole],
    states: new Map(tiles.map(({ item }) => [item.id, 'whole'])),
    guessed: false,
  }
}

/** Type and `meta` box of a photo that is one picture, or a grid of some: ISO/IEC 23008-12:2022 §6. */
function templateBytes(
  count: number,
  { codec, width, height, config, depth, channels }: Coding,
  canvas: Canvas | undefined,
  shown: readonly Uint8Array[],
): Uint8Array {
  const { brands, record } = KINDS[codec]
  const ids = Array.from({ length: count }, (_, i) => i + 1)
  const grid = count + 1
  const main = canvas ? grid : 1
  const types = [...ids.map(() => codec), ...(canvas ? ['grid'] : [])]
  const writer = new BoxWriter()
  const size = (wide: number, high: number): number =>
    writer.fullBox('ispe', 0, 0, () => {
      writer.u32(wide)
      writer.u32(high)
    })
  writer.box('ftyp', () => {
    writer.fourcc(brands[0])
    writer.u32(0)
    for (const brand of brands) writer.fourcc(brand)
  })
  writer.fullBox('meta', 0, 0, () => {
    writer.fullBox('hdlr', 0, 0, () => {
      writer.u32(0)
      writer.fourcc('pict')
      for (let i = 0; i < 3; i++) writer.u32(0)
      writer.u8(0)
    })
    writer.fullBox('pitm', 0, 0, () => writer.u16(main))
    writer.fullBox('iinf', 0, 0, () => {
      writer.u16(types.length)
      // tiles are not shown by themselves
      for (const [i, type] of types.entries())
        writer.fullBox('infe', 2, i + 1 === main ? 0 : 1, () => {
          writer.u16(i + 1)
          writer.u16(0)
          writer.fourcc(type)
          writer.u8(0)
        })
    })
    if (canvas)
      writer.fullBox('iref', 0, 0, () =>
        writer.box('dimg', () => {
          writer.u16(grid)
          writer.u16(count)
          for (const id of ids) writer.u16(id)
        }),
      )
    writer.box('iprp', () => {
      writer.box('ipco', () => {
        size(width, height)
        writer.box(record, () => writer.raw(config))
        writer.fullBox('pixi', 0, 0, () => {
          writer.u8(channels)
          for (let i = 0; i < channels; i++) writer.u8(depth)
        })
        if (canvas) size(canvas.width, canvas.height)
        for (const box of shown) writer.raw(box)
      })
      const first = canvas ? 5 : 4
      const ofMain = shown.map((_, i) => first + i)
      writer.fullBox('ipma', 0, 0, () => {
        writer.u32(types.length)
        for (const [i, type] of types.entries()) {
          const own = type === 'grid' ? [4, 3] : [1, 2, 3]
          const properties = i + 1 === main ? [...own, ...ofMain] : own
          writer.u16(i + 1)
          writer.u8(properties.length)
          for (const property of properties) writer.u8(property)
        }
      })
    })
    if (canvas)
      writer.box('idat', () => {
        // sizes of 32 bits
        for (const value of [0, 1, canvas.rows - 1, canvas.columns - 1]) writer.u8(value)
        writer.u32(canvas.width)
        writer.u32(canvas.height)
      })
    writer.fullBox('iloc', 1, 0, () => {
      writer.u16(0x4400)
      writer.u16(types.length)
      for (const [i, type] of types.entries()) {
        writer.u16(i + 1)
        writer.u16(type === 'grid' ? 1 : 0)
        writer.u16(0)
        writer.u16(1)
        writer.u32(0)
        writer.u32(type === 'grid' ? GRID_BYTES : 1)
      }
    })
  })
  return writer.bytes().slice()
}

/** Bytes of a grid with sizes of 32 bits, ISO/IEC 23008-12:2022 §6.6.2.3.2. */
const GRID_BYTES = 12
