import { DEFAULT_LIMITS } from '../../../bytes/limits.ts'
import { ByteReader } from '../../../bytes/reader.ts'
import { MemorySource } from '../../../bytes/source.ts'
import { type InBandSequence, inBandSequences } from '../../../codecs/av1/configuration.ts'
import { SILENT } from '../../../model/monitor.ts'
import { BoxWriter } from '../../../syntax/iso-boxes/box-writer.ts'
import type { RepairJob } from '../../format.ts'
import { assess } from '../assess.ts'
import { findAv1Pictures } from './find-av1-pictures.ts'
import type { FoundPicture } from './find-pictures.ts'
import type { FromSample } from './found-photo.ts'

/** Bytes at a picture's start in which its sequence header stands. */
const HEAD = 512

/** What the sequence header of a picture says, as the record that decoders are set up with. */
export function sequenceOf(
  reader: ByteReader,
  { offset, length }: { offset: number; length: number },
): InBandSequence | undefined {
  return inBandSequences(reader, [{ offset, length: Math.min(length, HEAD) }])[0]
}

/**
 * A photo of one AV1 picture, which brings along how it is coded and how large it is: AV1 Image File Format §2.2. The largest of
 * those found; that it was turned, or had transparency, nothing tells.
 */
export async function fromOwnPictures(job: RepairJob): Promise<FromSample | undefined> {
  const { reader } = job.damaged
  const found = await findAv1Pictures(reader, job.monitor)
  const pictures = found.flatMap((picture) => {
    const sequence = sequenceOf(reader, picture)
    return sequence ? [{ picture, sequence, area: sequence.width * sequence.height }] : []
  })
  // one without colour beside another of its size is that one's transparency
  const rank = ({ sequence }: { readonly sequence: InBandSequence }): number => (isMono(sequence) ? 1 : 0)
  const [largest, second] = pictures.sort((a, b) => b.area - a.area || rank(a) - rank(b))
  // several of the largest size are the tiles of one photo: how they lie, nothing tells
  if (!largest || (second?.area === largest.area && isMono(second.sequence) === isMono(largest.sequence)))
    return undefined
  return onePicture(largest.picture, largest.sequence)
}

async function onePicture(picture: FoundPicture, sequence: InBandSequence): Promise<FromSample | undefined> {
  const reader = new ByteReader(new MemorySource(templateBytes(sequence)))
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

/** Bits of the third byte of an `av1C` record, AV1 Codec ISO Media File Format Binding §2.3.3. */
const isMono = ({ config }: InBandSequence): boolean => (config[2] & 0x10) !== 0

/** Type and `meta` box of a photo that is one AV1 picture: ISO/IEC 23008-12:2022 §6. */
function templateBytes(sequence: InBandSequence): Uint8Array {
  const { width, height, config } = sequence
  const depth = config[2] & 0x40 ? (config[2] & 0x20 ? 12 : 10) : 8
  const channels = isMono(sequence) ? 1 : 3
  const writer = new BoxWriter()
  writer.box('ftyp', () => {
    writer.fourcc('avif')
    writer.u32(0)
    for (const brand of ['avif', 'mif1', 'miaf']) writer.fourcc(brand)
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
        writer.fourcc('av01')
        writer.u8(0)
      })
    })
    writer.box('iprp', () => {
      writer.box('ipco', () => {
        writer.fullBox('ispe', 0, 0, () => {
          writer.u32(width)
          writer.u32(height)
        })
        writer.box('av1C', () => writer.raw(config))
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
