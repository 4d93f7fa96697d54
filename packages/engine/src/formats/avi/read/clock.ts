import type { AviStream } from './stream.ts'

/** Bytes of a frame of plain samples that headers of coded sound tell as its block now and then: no block of it is as small. */
const PLAIN_FRAME = 4

/** Units that a chunk of `size` bytes counts for: bytes or blocks of sound, or one picture. */
export function unitsOf({ header, wave, description }: AviStream, size: number): number {
  if (description.kind === 'video') return 1
  if (header.sampleSize > 0) return size / header.sampleSize
  const least = description.codec === 'pcm' ? 1 : PLAIN_FRAME
  if (wave && wave.blockAlign > least) return Math.ceil(size / wave.blockAlign)
  return 1
}

/** Seconds that a chunk of `size` bytes lasts. */
export function secondsOf(stream: AviStream, size: number): number {
  const { scale, rate } = stream.header
  return rate > 0 ? (unitsOf(stream, size) * scale) / rate : 0
}

/** Sample frames of plain sound in `size` bytes; 1 of everything else. */
export function countOf({ description }: AviStream, size: number): number {
  const { codec, blockAlign = 0 } = description
  return codec === 'pcm' && blockAlign > 0 ? Math.floor(size / blockAlign) : 1
}
