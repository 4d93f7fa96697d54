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

/** File types with the main one first, and the record of a coding: ISO/IEC 23008-12:2022 Annex B, AV1 Image File Format §2 and §6. */
const KINDS = {
  av01: { brands: ['avif', 'mif1', 'miaf'], record: 'av1C' },
  hvc1: { brands: ['heic', 'mif1'], record: 'hvcC' },
} as const

/** A photo of one picture, whose structures are made for it; undefined where they describe none. */
export async function onePicture(picture: Region, coding: Coding): Promise<FromSample | undefined> {
  const reader = new ByteReader(new MemorySource(templateBytes(coding)))
  const sample = await assess(reader, DEFAULT_LIMITS, SILENT)
  const { meta, fileType } = sample
  const item = meta?.items.get(1)
  if (!meta || !item || !fileType) return undefined
  return {
    sample,
    structures: { reader, meta, fileType: Uint8Array.from(reader.bytes(0, fileType.end)) },
    items: [{ item, places: [picture] }],
    states: new Map([[item.id, 'whole']]),
    guessed: false,
  }
}

/** Type and `meta` box of a photo that is one picture: ISO/IEC 23008-12:2022 §6. */
function templateBytes({ codec, width, height, config, depth, channels }: Coding): Uint8Array {
  const { brands, record } = KINDS[codec]
  const writer = new BoxWriter()
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
    writer.fullBox('pitm', 0, 0, () => writer.u16(1))
    writer.fullBox('iinf', 0, 0, () => {
      writer.u16(1)
      writer.fullBox('infe', 2, 0, () => {
        writer.u16(1)
        writer.u16(0)
        writer.fourcc(codec)
        writer.u8(0)
      })
    })
    writer.box('iprp', () => {
      writer.box('ipco', () => {
        writer.fullBox('ispe', 0, 0, () => {
          writer.u32(width)
          writer.u32(height)
        })
        writer.box(record, () => writer.raw(config))
        writer.fullBox('pixi', 0, 0, () => {
          writer.u8(channels)
          for (let i = 0; i < channels; i++) writer.u8(depth)
        })
      })
      writer.fullBox('ipma', 0, 0, () => {
        writer.u32(1)
        writer.u16(1)
        writer.u8(3)
        for (const property of [1, 2, 3]) writer.u8(property)
      })
    })
    writer.fullBox('iloc', 0, 0, () => {
      writer.u16(0x4400)
      writer.u16(1)
      writer.u16(1)
      writer.u16(0)
      writer.u16(1)
      writer.u32(0)
      writer.u32(1)
    })
  })
  return writer.bytes().slice()
}
