import { BoxWriter } from '../../../src/syntax/iso-boxes/box-writer.ts'

/** One coded picture of 32 by 24 pixels, a gradient as sharp writes it. */
export const PICTURE = Uint8Array.from(
  Buffer.from(
    [
      'EgAKCDgRP3aQENBpMmccQmLk4898gWAIAMTfq9XIqDElLM3QSMn49rNwDtegDraBFg+pJsJ5mDXRccbFx2//xSZJ7PXnn3ofMg00OJxO',
      'bg/0LqioACu4Qn34QRVKJdQ1ieXOR979VkcR06hfbZWzk+uwRcCA',
    ].join(''),
    'base64',
  ),
)
/** Its `av1C` record. */
export const CONFIG = Uint8Array.of(0x81, 0x20, 0, 0)
const [WIDTH, HEIGHT] = [32, 24]

/** A file type of brands, the main one first. */
export function fileType(...brands: readonly string[]): Uint8Array {
  return made((writer) =>
    writer.box('ftyp', () => {
      writer.fourcc(brands[0] ?? '')
      writer.u32(0)
      for (const brand of brands) writer.fourcc(brand)
    }),
  )
}

/**
 * A movie of one track with such a handler: of pictures, the first of which lies at an offset; of something else, without
 * descriptions.
 */
export function movie(handler: string, offset: number): Uint8Array {
  return made((writer) =>
    writer.box('moov', () => {
      writer.fullBox('mvhd', 0, 0, () => writer.raw(new Uint8Array(96)))
      writer.box('trak', () =>
        writer.box('mdia', () => {
          writer.fullBox('hdlr', 0, 0, () => {
            writer.u32(0)
            writer.fourcc(handler)
            writer.raw(new Uint8Array(13))
          })
          if (handler === 'pict') writer.box('minf', () => writer.box('stbl', () => table(writer, offset)))
        }),
      )
    }),
  )
}

function table(writer: BoxWriter, offset: number): void {
  writer.fullBox('stsd', 0, 0, () => {
    writer.u32(1)
    writer.box('av01', () => {
      const entry = new Uint8Array(78)
      new DataView(entry.buffer).setUint32(24, (WIDTH << 16) | HEIGHT)
      writer.raw(entry)
      writer.box('av1C', () => writer.raw(CONFIG))
    })
  })
  writer.fullBox('stsz', 0, 0, () => {
    for (const value of [0, 1, PICTURE.length]) writer.u32(value)
  })
  writer.fullBox('stco', 0, 0, () => {
    for (const value of [1, offset]) writer.u32(value)
  })
}

export function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(Buffer.concat(parts))
}

function made(write: (writer: BoxWriter) => void): Uint8Array {
  const writer = new BoxWriter()
  write(writer)
  return writer.bytes().slice()
}

/**
 * A photo of two tiles side by side that are one picture, with a picture of its transparency, and an Exif item that says `note`;
 * what puts the tiles together stands in the payload.
 */
export function gridPhoto(note: string, type = fileType('avif', 'mif1')): Uint8Array {
  const grid = Uint8Array.of(0, 0, 0, 1, 0, 2 * WIDTH, 0, HEIGHT)
  const text = new TextEncoder().encode(note)
  const payload = joined(grid, PICTURE, text, PICTURE)
  const places = [
    [0, grid.length],
    [grid.length, PICTURE.length],
    [grid.length + PICTURE.length + text.length, PICTURE.length],
  ] as const
  const meta = (base: number): Uint8Array =>
    made((writer) =>
      gridMeta(
        writer,
        places.map(([at, length]) => [base + at, length] as const),
      ),
    )
  const base = type.length + meta(0).length + 8
  const data = made((writer) => writer.box('mdat', () => writer.raw(payload)))
  return joined(type, meta(base), data)
}

/** Items: 1 the grid, 2 its tile, 3 the transparency. */
function gridMeta(writer: BoxWriter, places: readonly (readonly [number, number])[]): void {
  writer.fullBox('meta', 0, 0, () => {
    writer.fullBox('hdlr', 0, 0, () => {
      writer.u32(0)
      writer.fourcc('pict')
      writer.raw(new Uint8Array(13))
    })
    writer.fullBox('pitm', 0, 0, () => writer.u16(1))
    writer.fullBox('iinf', 0, 0, () => {
      writer.u16(3)
      for (const [i, type] of ['grid', 'av01', 'av01'].entries())
        writer.fullBox('infe', 2, 0, () => {
          writer.u16(i + 1)
          writer.u16(0)
          writer.fourcc(type)
          writer.raw(new TextEncoder().encode(`name ${i}\0`))
        })
    })
    writer.fullBox('iref', 0, 0, () => {
      writer.box('dimg', () => {
        for (const id of [1, 2, 2, 2]) writer.u16(id)
      })
      writer.box('auxl', () => {
        for (const id of [3, 1, 1]) writer.u16(id)
      })
    })
    writer.box('iprp', () => {
      writer.box('ipco', () => {
        for (const width of [2 * WIDTH, WIDTH])
          writer.fullBox('ispe', 0, 0, () => {
            writer.u32(width)
            writer.u32(HEIGHT)
          })
        writer.box('av1C', () => writer.raw(CONFIG))
      })
      writer.fullBox('ipma', 0, 0, () => {
        writer.u32(3)
        for (const [id, ...properties] of [
          [1, 1],
          [2, 2, 3],
          [3, 2, 3],
        ]) {
          writer.u16(id)
          writer.u8(properties.length)
          for (const property of properties) writer.u8(property)
        }
      })
    })
    writer.fullBox('iloc', 0, 0, () => {
      writer.u16(0x4400)
      writer.u16(places.length)
      for (const [i, [offset, length]] of places.entries()) {
        writer.u16(i + 1)
        writer.u16(0)
        writer.u16(1)
        writer.u32(offset)
        writer.u32(length)
      }
    })
  })
}
