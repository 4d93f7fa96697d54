import type { ByteReader } from '../../../bytes/reader.ts'
import type { TrackKind } from '../../../model/report.ts'
import { type Box, bodyOf } from '../../../syntax/iso-boxes/box.ts'
import type { BoxWriter } from '../../../syntax/iso-boxes/box-writer.ts'

/** Handler type of a media, ISO/IEC 14496-12:2022 §8.4.3, e.g. `vide`; empty when the box is cut. */
export function parseHandlerType(reader: ByteReader, box: Box): string {
  const at = bodyOf(box) + 8
  return at + 4 <= box.end ? reader.fourcc(at) : ''
}

/** A handler box with an empty name, for tracks whose own was lost. */
export function writeHandler(writer: BoxWriter, type: string): void {
  writer.fullBox('hdlr', 0, 0, () => {
    writer.u32(0)
    writer.fourcc(type)
    writer.zeros(13)
  })
}

const KINDS: Readonly<Record<string, TrackKind>> = {
  vide: 'video',
  auxv: 'video',
  pict: 'video',
  soun: 'audio',
  text: 'text',
  sbtl: 'text',
  subt: 'text',
  clcp: 'text',
}

/** What a handler's tracks carry; everything unknown is data. */
export function kindOfHandler(type: string): TrackKind {
  return KINDS[type] ?? 'data'
}
