import { type Look, NOT_SAID } from '../../../codecs/nal/look.ts'
import { BoxWriter } from '../../../syntax/iso-boxes/box-writer.ts'

const EMPTY = new Uint8Array(0)

/** Fields and boxes of a picture's sample entry. */
export interface PictureEntry {
  /** Four-character code, e.g. `avc1`. */
  readonly format: string
  readonly width: number
  readonly height: number
  /** Boxes behind the fixed part, written as given: type and body. */
  readonly boxes?: readonly (readonly [type: string, body: Uint8Array])[]
}

/** A visual sample entry, ISO/IEC 14496-12:2022 §12.1.3: 72 dpi, one frame, 24 bits. */
export function pictureEntry({ format, width, height, boxes = [] }: PictureEntry): Uint8Array {
  return boxed(format, (writer) => {
    writer.zeros(6)
    writer.u16(1)
    writer.zeros(16)
    writer.u16(width)
    writer.u16(height)
    writer.u32(0x0048_0000)
    writer.u32(0x0048_0000)
    writer.u32(0)
    writer.u16(1)
    writer.zeros(32)
    writer.u16(24)
    writer.u16(0xffff)
    for (const [type, body] of boxes) writer.box(type, () => writer.raw(body))
  })
}

/** `pasp` and `colr` boxes for a bitstream's own word on them, ISO/IEC 14496-12:2022 §12.1.4 and §12.1.5: type and body. */
export function lookBoxes(look: Look | undefined): (readonly [string, Uint8Array])[] {
  if (!look) return []
  const boxes: (readonly [string, Uint8Array])[] = []
  const { sarWidth, sarHeight, colourPrimaries, transfer, matrix } = look
  if (sarWidth !== sarHeight && sarWidth > 0 && sarHeight > 0) {
    const writer = new BoxWriter()
    writer.u32(sarWidth)
    writer.u32(sarHeight)
    boxes.push(['pasp', writer.bytes().slice()])
  }
  if ([colourPrimaries, transfer, matrix].some((number) => number !== NOT_SAID)) {
    const writer = new BoxWriter()
    writer.fourcc('nclx')
    for (const number of [colourPrimaries, transfer, matrix]) writer.u16(number)
    writer.u8(look.fullRange ? 0x80 : 0)
    boxes.push(['colr', writer.bytes().slice()])
  }
  return boxes
}

/** Fields and boxes of a sound's sample entry. */
export interface SoundEntry {
  readonly format: string
  readonly channels: number
  /** Bits of one sample of one channel. */
  readonly bits?: number
  /** Hz. Rates above 65535 do not fit the field and are written as 0. */
  readonly rate: number
  readonly boxes?: readonly (readonly [type: string, body: Uint8Array])[]
}

/** An audio sample entry of version 0, ISO/IEC 14496-12:2022 §12.2.3. */
export function soundEntry({ format, channels, bits = 16, rate, boxes = [] }: SoundEntry): Uint8Array {
  return boxed(format, (writer) => {
    writer.zeros(6)
    writer.u16(1)
    writer.zeros(8)
    writer.u16(channels)
    writer.u16(bits)
    writer.u32(0)
    writer.u32(rate < 65_536 ? Math.round(rate) * 65_536 : 0)
    for (const [type, body] of boxes) writer.box(type, () => writer.raw(body))
  })
}

/** An entry without fields of its own: metadata tracks whose samples describe themselves. */
export function plainEntry(format: string, body: Uint8Array = EMPTY): Uint8Array {
  return boxed(format, (writer) => {
    writer.zeros(6)
    writer.u16(1)
    writer.raw(body)
  })
}

/** Body of an `esds` box, ISO/IEC 14496-1:2010 §7.2.6.5: stream type 5 for sound, 4 for pictures. */
export function elementaryStream(objectType: number, streamType: 4 | 5, specific: Uint8Array): Uint8Array {
  const writer = new BoxWriter()
  const specificBytes = specific.length > 0 ? 5 + specific.length : 0
  const header = (tag: number, length: number): void => {
    writer.u8(tag)
    // always four bytes of length: readers of every age take them
    for (const shift of [21, 14, 7]) writer.u8(0x80 | ((length >> shift) & 0x7f))
    writer.u8(length & 0x7f)
  }
  writer.u32(0)
  header(3, 3 + 5 + 13 + specificBytes + 6)
  writer.u16(0)
  writer.u8(0)
  header(4, 13 + specificBytes)
  writer.u8(objectType)
  writer.u8((streamType << 2) | 1)
  writer.zeros(11)
  if (specific.length > 0) {
    header(5, specific.length)
    writer.raw(specific)
  }
  header(6, 1)
  writer.u8(2)
  return writer.bytes().slice()
}

function boxed(type: string, body: (writer: BoxWriter) => void): Uint8Array {
  const writer = new BoxWriter()
  writer.box(type, () => body(writer))
  return writer.bytes().slice()
}
