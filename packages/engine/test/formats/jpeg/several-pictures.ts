import { MemorySink } from '../../../src/bytes/sink.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { repair } from '../../../src/engine.ts'
import type { PhotoReport } from '../../../src/model/report.ts'
import { writeSegment } from '../../../src/syntax/jpeg-markers/segments.ts'

export async function mend(
  bytes: Uint8Array,
  name = 'photo.jpg',
): Promise<{ report: PhotoReport; output: Uint8Array }> {
  const sink = new MemorySink()
  const report = await repair({ damaged: { source: new MemorySource(bytes), name }, sink })
  if (report.kind !== 'photo') throw new Error('not taken for a photo')
  return { report, output: sink.bytes() }
}

export function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts))
}

/** Zeros over the middle of a picture's scan. */
export function hit(picture: Uint8Array): Uint8Array {
  return Uint8Array.from(picture).fill(0, picture.length >> 1, (picture.length >> 1) + 600)
}

/** CIPA DC-007-2009 §5.2: the first picture with an index of the lengths and places of all. */
export function withIndex(pictures: readonly Uint8Array[], types: readonly number[] = []): Uint8Array {
  const entries = 26
  const index = new Uint8Array(4 + entries + 16 * pictures.length)
  index.set([0x4d, 0x50, 0x46, 0, 0x49, 0x49, 42, 0])
  const tiff = new DataView(index.buffer, 4)
  tiff.setUint32(4, 8, true)
  tiff.setUint16(8, 1, true)
  tiff.setUint16(10, 0xb002, true)
  tiff.setUint16(12, 7, true)
  tiff.setUint32(14, 16 * pictures.length, true)
  tiff.setUint32(18, entries, true)
  const [first, ...others] = pictures
  let at = (first?.length ?? 0) + 4 + index.length
  tiff.setUint32(entries + 4, at, true)
  for (const [i, { length }] of others.entries()) {
    tiff.setUint32(entries + 16 * (i + 1), types[i] ?? 0, true)
    tiff.setUint32(entries + 16 * (i + 1) + 4, length, true)
    // what the index tells is relative to its own header, which stands behind the start of image and 8 bytes
    tiff.setUint32(entries + 16 * (i + 1) + 8, at - 10, true)
    at += length
  }
  const own = first ?? new Uint8Array(0)
  return joined(own.subarray(0, 2), writeSegment(0xe2, index), own.subarray(2), ...others)
}

/** Offset and length of each picture that the index of the first one names. */
export function indexed(bytes: Uint8Array): (readonly [number, number])[] {
  const tiff = new DataView(bytes.buffer, bytes.byteOffset + 10)
  return Array.from({ length: tiff.getUint32(14, true) / 16 }, (_, i) => {
    const at = 26 + 16 * i
    return [i === 0 ? 0 : tiff.getUint32(at + 8, true) + 10, tiff.getUint32(at + 4, true)] as const
  })
}

/** Zeros up to the next cluster, as a recovered card has them behind a file. */
export function clustered(picture: Uint8Array): Uint8Array {
  return joined(picture, new Uint8Array(512 - (picture.length % 512)))
}
