import { ByteList } from '../../../../src/syntax/riff/byte-list.ts'
import { padded } from '../../../../src/syntax/riff/chunk.ts'

export interface MadeStream {
  readonly type: 'vids' | 'auds'
  readonly handler: string
  readonly scale: number
  readonly rate: number
  /** Bytes of a unit; 0 where each chunk is one. */
  readonly sampleSize: number
  readonly format: Uint8Array
}

export interface MadeChunk {
  readonly id: string
  readonly bytes: Uint8Array
  readonly key?: boolean
}

/** BITMAPINFOHEADER. */
export function bitmap(compression: string, width: number, height: number, bytes: number): Uint8Array {
  const format = new ByteList().u32(40).u32(width).u32(height).u16(1).u16(24).text(compression).u32(bytes)
  return format.u32(0).u32(0).u32(0).u32(0).done()
}

/** WAVEFORMATEX. */
export function wave(tag: number, channels: number, rate: number, align: number, bits: number): Uint8Array {
  const format = new ByteList().u16(tag).u16(channels).u32(rate)
  return format
    .u32(rate * align)
    .u16(align)
    .u16(bits)
    .u16(0)
    .done()
}

/** A whole film of such chunks, with counts and an index that are right. */
export function makeAvi(streams: readonly MadeStream[], chunks: readonly MadeChunk[]): Uint8Array {
  const units = streams.map(({ sampleSize }, number) => {
    // changes of the palette are no pictures
    const own = chunks.filter(({ id }) => Number(id.slice(0, 2)) === number && !id.endsWith('pc'))
    return sampleSize > 0 ? own.reduce((sum, { bytes }) => sum + bytes.length / sampleSize, 0) : own.length
  })
  const main = new ByteList().u32(40_000).u32(0).u32(0).u32(0x10).u32(units[0]).u32(0).u32(streams.length)
  const hdrl = new ByteList().chunk('avih', main.bytes(new Uint8Array(28)).done())
  for (const [number, { type, handler, scale, rate, sampleSize, format }] of streams.entries()) {
    const strh = new ByteList().text(type).text(handler).u32(0).u32(0).u32(0).u32(scale).u32(rate).u32(0)
    strh.u32(units[number]).u32(0).u32(0xffff_ffff).u32(sampleSize).u32(0).u32(0)
    hdrl.list('LIST', 'strl', new ByteList().chunk('strh', strh.done()).chunk('strf', format).done())
  }
  const data = new ByteList()
  const index = new ByteList()
  let offset = 4
  for (const { id, bytes, key = true } of chunks) {
    data.chunk(id, bytes)
    index
      .text(id)
      .u32(key ? 0x10 : 0)
      .u32(offset)
      .u32(bytes.length)
    offset += 8 + padded(bytes.length)
  }
  const body = new ByteList().list('LIST', 'hdrl', hdrl.done()).list('LIST', 'movi', data.done())
  return new ByteList().list('RIFF', 'AVI ', body.chunk('idx1', index.done()).done()).done()
}
